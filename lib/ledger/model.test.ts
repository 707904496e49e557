import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import type { Context } from "@/lib/db/context";
import type { ApiKeyActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { KEY_SCOPES } from "@/lib/domain/key-scopes";
import { captureHold, extendHold, openHold, voidHold } from "@/lib/holds/holds";
import type { Capture, HeldCard } from "@/lib/holds/names";
import { testDb } from "@/lib/testing/database";
import { contextOf, publicContext } from "@/lib/testing/factories";
import { restOf } from "@/lib/testing/ledger-holds";
import {
  balanceOf,
  type Expected,
  heldOf,
  type ModelHold,
  type ModelShop,
} from "@/lib/testing/ledger-model-types";
import { makeLedgerWorld, makeModelCard } from "@/lib/testing/ledger-world";
import type { Posting, PostingRow } from "./batch";
import type { Receipt } from "./model/movements";
import { redeem, reverse, topUp } from "./move-points";
import { verifyMerchant } from "./verify";

// The operations against the plain model that differential.test.ts compares with the database function.
const db = await testDb();
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
afterAll(() => client.end());

type Money = { kind: "topUp" | "redeem"; card: 0 | 1; points: number; key: number | null };
type Undo = { kind: "undo" | "reverse"; nth: number };
/** By the API key of a shop system. */
type Open = { kind: "hold"; card: 0 | 1; points: number; upTo: boolean; seconds: number; key: number | null };
type Change = { kind: "capture" | "void" | "extend"; nth: number; points: number | null; final: boolean };
/** A hold's time is over. */
type Lapse = { kind: "lapse"; nth: number };
type Step = Money | Undo | Open | Change | Lapse;

const isUndo = (given: Step): given is Undo => given.kind === "undo" || given.kind === "reverse";

const isOfHold = (given: Step): given is Open | Change =>
  ["hold", "capture", "void", "extend"].includes(given.kind);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("topUp" as const, "redeem" as const),
    card: fc.constantFrom(0 as const, 1 as const),
    points: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(5000, 5001)),
    key: fc.option(fc.integer({ min: 0, max: 5 })),
  }),
  fc.record({ kind: fc.constantFrom("undo" as const, "reverse" as const), nth: fc.nat({ max: 12 }) }),
  fc.record({
    kind: fc.constant("hold" as const),
    card: fc.constantFrom(0 as const, 1 as const),
    points: fc.integer({ min: 1, max: 40 }),
    upTo: fc.boolean(),
    seconds: fc.constantFrom(30, 900, 7_200, 7_201),
    key: fc.option(fc.integer({ min: 0, max: 3 })),
  }),
  fc.record({
    kind: fc.constantFrom("capture" as const, "capture" as const, "void" as const, "extend" as const),
    nth: fc.nat({ max: 5 }),
    points: fc.option(fc.integer({ min: 1, max: 30 })),
    final: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("lapse" as const), nth: fc.nat({ max: 5 }) }),
);

// LONG=1: 20,000 sequences; or RUNS. SEED repeats a run.
const RUNS = Number(process.env.RUNS ?? (process.env.LONG ? 20_000 : 300));
const SEED = Number(process.env.SEED ?? 20261121);

const world = await makeLedgerWorld(db, client, false);
const { model } = world;
const [shop, owner, worker] = [world.shops[0], world.owners[0], world.workers[0]];
const branch = [...model.branches.values()].find((one) => one.shop === shop);
if (!shop || !owner || !worker || !branch) throw new Error("the world has a shop, an owner and a worker");
const { redeemAllowance, unprovedWorkerDaily } = await db.merchant.update({
  where: { id: shop.id },
  data: { redeemAllowance: 1_000_000, unprovedWorkerDaily: 1_000_000 },
});
Object.assign(shop, { allowance: redeemAllowance, workerAllowance: unprovedWorkerDaily });
const userOf = ({ id }: { id: string }) => db.user.findUniqueOrThrow({ where: { id } });
const asOwner = contextOf(db, await userOf(owner));
const asWorker = contextOf(db, await userOf(worker));
const [, apiKey] = world.apiKeys;
if (!apiKey) throw new Error("the shop has two API keys");
const asSoftware: Context<ApiKeyActor> = {
  ...publicContext(db),
  actor: {
    type: "apiKey",
    keyId: apiKey.id,
    name: "Web shop",
    scopes: KEY_SCOPES,
    branchId: apiKey.branch,
    merchantId: shop.id,
    merchantStatus: "approved",
    merchantStatusReason: null,
    merchantSuspension: null,
  },
};
const places = { shop: shop.id, branch: branch.id, owner: owner.id, worker: worker.id };

/** Two new cards, and keys that no other run uses. */
async function setUp(place: ModelShop) {
  const cards = [await makeModelCard(db, model, place), await makeModelCard(db, model, place)] as const;
  const keys = randomUUID();
  const posted: string[] = [];
  const holds: ModelHold[] = [];

  /** The hold's call as the model gets it. */
  function holdRow(given: Open | Change): Posting {
    const same = {
      type: "REDEEM" as const,
      scope: "merchant" as const,
      scopeMerchant: places.shop,
      actorType: "api_key" as const,
      apiKey: asSoftware.actor.keyId,
      hash: JSON.stringify({ ...given, key: undefined }),
    };
    if (given.kind === "hold") {
      const { points, seconds } = given;
      const key = given.key === null ? randomUUID() : `${keys}-h${given.key}`;
      const upTo = given.upTo || undefined;
      const at = { customer: cards[given.card].id, branch: places.branch };
      return { ...same, ...at, key, holdCall: "open", points, seconds, upTo };
    }
    const hold = holds[given.nth];
    return {
      ...same,
      key: randomUUID(),
      customer: (hold?.card ?? cards[0]).id,
      branch: places.branch,
      hold: hold?.id ?? randomUUID(),
      holdCall: given.kind,
      points: given.points ?? undefined,
      final: given.final ? undefined : false,
      seconds: 600,
    };
  }

  /** The step as the model gets it. */
  function rowOf(given: Money | Undo): Posting {
    const same: Pick<PostingRow, "scopeMerchant" | "hash"> = {
      scopeMerchant: places.shop,
      hash: JSON.stringify({ ...given, key: undefined }),
    };
    if (isUndo(given)) {
      const [actor, scope] =
        given.kind === "undo" ? [places.worker, "own" as const] : [places.owner, "merchant" as const];
      const reverses = posted[given.nth] ?? randomUUID();
      return { ...same, type: "REVERSAL", reverses, actor, scope, key: randomUUID() };
    }
    return {
      ...same,
      type: given.kind === "topUp" ? "TOP_UP" : "REDEEM",
      customer: cards[given.card].id,
      branch: places.branch,
      points: given.points,
      actor: places.worker,
      scope: "merchant",
      key: given.key === null ? randomUUID() : `${keys}-${given.key}`,
    };
  }

  function runHold(given: Open | Change, row: Posting): Promise<HeldCard | Capture> {
    const { points, key: idempotencyKey } = row;
    if (given.kind === "hold") {
      const { seconds, upTo } = given;
      const at = { customerId: cards[given.card].id, branchId: places.branch };
      return openHold(asSoftware, { ...at, points: given.points, seconds, upTo, idempotencyKey });
    }
    const named = { holdId: row.hold ?? "", idempotencyKey };
    if (given.kind === "capture") return captureHold(asSoftware, { ...named, points, final: given.final });
    if (given.kind === "extend") return extendHold(asSoftware, { ...named, seconds: 600 });
    return voidHold(asSoftware, named);
  }

  /** Moves a hold's end into the past, in the database and in the model. */
  async function lapse({ nth }: Lapse): Promise<void> {
    const hold = holds[nth];
    if (hold?.state !== "open") return;
    hold.expiresAt = Date.now() - 1_000;
    await db.$transaction([
      db.$executeRaw`set local wallet.posting = 'on'`,
      db.$executeRaw`update holds set expires_at = now() - interval '1 second' where id = ${hold.id}::uuid`,
    ]);
  }

  /** Ends the time of what is still held: a merchant may have a thousand open holds. */
  async function leave(): Promise<void> {
    await db.$transaction([
      db.$executeRaw`set local wallet.posting = 'on'`,
      db.$executeRaw`update holds set expires_at = now() - interval '1 second'
        where customer_id = any (${cards.map(({ id }) => id)}::uuid[]) and state = 'open'`,
    ]);
  }

  function run(given: Money | Undo, { reverses, points = 0 }: Posting): Promise<Receipt> {
    if (isUndo(given)) {
      const input = { movementId: reverses ?? "", reason: "as asked" };
      return reverse(given.kind === "undo" ? asWorker : asOwner, input);
    }
    const idempotencyKey = given.key === null ? undefined : `${keys}-${given.key}`;
    const input = { customerId: cards[given.card].id, branchId: places.branch, points, idempotencyKey };
    return (given.kind === "topUp" ? topUp : redeem)(asWorker, input);
  }

  return { cards, posted, holds, rowOf, holdRow, run, runHold, lapse, leave };
}

const CODES: Record<string, string> = { not_found: "movement_not_found" };
const HOLD_CODES: Record<string, string> = { not_found: "hold_not_found", hold_too_long: "validation" };
const codeOf = ({ outcome }: Expected) => CODES[outcome] ?? outcome;

const refusedOr = <T>(answer: Promise<T>): Promise<T | string> =>
  answer.catch((error: unknown) => {
    if (error instanceof DomainError) return error.code;
    throw error;
  });

type Sequence = Awaited<ReturnType<typeof setUp>>;

async function runHoldInBoth({ holdRow, runHold, holds, posted }: Sequence, given: Open | Change) {
  const row = holdRow(given);
  const expected = model.post(row, Date.now());
  const answer = await refusedOr(runHold(given, row));
  if (typeof answer === "string") {
    expect(answer).toBe(HOLD_CODES[expected.outcome] ?? expected.outcome);
    return;
  }
  if (expected.outcome === "held" && "hold" in expected) {
    const { hold } = expected;
    const { state, points, captured } = hold;
    expect(answer.hold).toMatchObject({ state, points, captured });
    if (hold.id === null) {
      hold.id = answer.hold.id;
      model.holds.set(hold.id, hold);
      holds.push(hold);
    }
  } else if ("move" in expected && "replayed" in answer && "movement" in answer) {
    expect(answer.replayed).toBe(expected.outcome === "replayed");
    expect(answer.movement.points).toBe(expected.move.paid + expected.move.bonus);
    if (expected.outcome === "replayed") return;
    expected.move.id = answer.movement.id;
    model.moves.set(answer.movement.id, expected.move);
    posted.push(answer.movement.id);
  } else expect(answer).toBe(expected);
}

test(`${RUNS} sequences of postings and holds end as the model says (seed ${SEED})`, {
  timeout: 120_000 + RUNS * 300,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const sequence = await setUp(shop);
      const { cards, posted, rowOf, run, lapse } = sequence;
      for (const given of steps) {
        if (given.kind === "lapse") {
          await lapse(given);
          continue;
        }
        if (isOfHold(given)) {
          await runHoldInBoth(sequence, given);
          continue;
        }
        const row = rowOf(given);
        const expected = model.post(row, Date.now());
        const answer = await refusedOr(run(given, row));
        if (typeof answer === "string") expect(answer).toBe(codeOf(expected));
        else if (!("move" in expected)) expect("posted").toBe(expected.outcome);
        else if (answer.replayed) {
          expect(expected).toMatchObject({ outcome: "replayed", move: { id: answer.movement.id } });
        } else {
          expect(expected.outcome).toBe("posted");
          expect(answer.movement.balanceAfter).toBe(expected.move.balance);
          expected.move.id = answer.movement.id;
          model.moves.set(answer.movement.id, expected.move);
          posted.push(answer.movement.id);
        }
      }
      for (const card of cards) {
        const customer = await db.customer.findUniqueOrThrow({ where: { id: card.id } });
        // A call that names no hold ends none whose time is over: both sides count those as ended.
        const [over] = await db.$queryRaw<{ points: number }[]>`
          select coalesce(sum(points - captured), 0)::int as points from lapsed_holds(${card.id}::uuid, now())`;
        const isOver = ({ state, expiresAt }: ModelHold) => state === "open" && expiresAt <= Date.now();
        const overInModel = card.holds.filter(isOver).reduce((points, hold) => points + restOf(hold), 0);
        const sum = await db.movement.aggregate({ where: { customerId: card.id }, _sum: { points: true } });
        expect(customer.balance).toBe(balanceOf(card));
        expect(customer.held - (over?.points ?? 0)).toBe(heldOf(card) - overInModel);
        expect(sum._sum.points ?? 0).toBe(customer.balance);
      }
      await sequence.leave();
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect((await verifyMerchant(db, shop.id)).firstWrong).toBeNull();
});

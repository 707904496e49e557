import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { DomainError } from "@/lib/domain/errors";
import { testDb } from "@/lib/testing/database";
import { contextOf } from "@/lib/testing/factories";
import { balanceOf, type Expected, type ModelShop } from "@/lib/testing/ledger-model-types";
import { makeLedgerWorld, makeModelCard } from "@/lib/testing/ledger-world";
import type { Posting, PostingRow } from "./batch";
import type { Receipt } from "./model/movements";
import { redeem, reverse, topUp } from "./move-points";

// The operations against the plain model that differential.test.ts compares with the database function.
const db = await testDb();
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
afterAll(() => client.end());

type Money = { kind: "topUp" | "redeem"; card: 0 | 1; points: number; key: number | null };
type Undo = { kind: "undo" | "reverse"; nth: number };
type Step = Money | Undo;

const isUndo = (given: Step): given is Undo => given.kind === "undo" || given.kind === "reverse";

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("topUp" as const, "redeem" as const),
    card: fc.constantFrom(0 as const, 1 as const),
    points: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(5000, 5001)),
    key: fc.option(fc.integer({ min: 0, max: 5 })),
  }),
  fc.record({ kind: fc.constantFrom("undo" as const, "reverse" as const), nth: fc.nat({ max: 12 }) }),
);

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
const places = { shop: shop.id, branch: branch.id, owner: owner.id, worker: worker.id };

/** Two new cards, and keys that no other run uses. */
async function setUp(place: ModelShop) {
  const cards = [await makeModelCard(db, model, place), await makeModelCard(db, model, place)] as const;
  const keys = randomUUID();
  const posted: string[] = [];

  /** The step as the model gets it. */
  function rowOf(given: Step): Posting {
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

  function run(given: Step, { reverses, points = 0 }: Posting): Promise<Receipt> {
    if (isUndo(given)) {
      const input = { movementId: reverses ?? "", reason: "as asked" };
      return reverse(given.kind === "undo" ? asWorker : asOwner, input);
    }
    const idempotencyKey = given.key === null ? undefined : `${keys}-${given.key}`;
    const input = { customerId: cards[given.card].id, branchId: places.branch, points, idempotencyKey };
    return (given.kind === "topUp" ? topUp : redeem)(asWorker, input);
  }

  return { cards, posted, rowOf, run };
}

const codeOf = ({ outcome }: Expected) => (outcome === "not_found" ? "movement_not_found" : outcome);

test("any sequence of postings ends as the model says", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const { cards, posted, rowOf, run } = await setUp(shop);
      for (const given of steps) {
        const row = rowOf(given);
        const expected = model.post(row, Date.now());
        const answer = await run(given, row).catch((error: unknown) => {
          if (error instanceof DomainError) return error.code;
          throw error;
        });
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
        const sum = await db.movement.aggregate({ where: { customerId: card.id }, _sum: { points: true } });
        expect(customer.balance).toBe(balanceOf(card));
        expect(sum._sum.points ?? 0).toBe(customer.balance);
      }
    }),
    { numRuns: 40, seed: 20261121 },
  );
});

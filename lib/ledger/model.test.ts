import fc from "fast-check";
import { expect, test } from "vitest";
import { DomainError } from "@/lib/domain/errors";
import type { Receipt } from "@/lib/domain/movements";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { redeem, reverse, topUp } from "./move-points";

const db = await testDb();

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

type Known = {
  id: string;
  card: 0 | 1;
  points: number;
  reversal: boolean;
  byOwner: boolean;
  reversedBy: string | null;
};

/** The ledger in memory, as the decisions say it: what each step must answer, "posted" or a refusal's code. */
class Model {
  balances: [number, number] = [0, 0];
  movements: Known[] = [];
  keys = new Map<number, { request: string; id: string }>();

  expected(given: Step): string {
    if (!isUndo(given)) {
      const known = given.key === null ? undefined : this.keys.get(given.key);
      if (known) return known.request === requestOf(given) ? `replay ${known.id}` : "key_reused";
      if (given.kind === "redeem")
        return given.points > this.balances[given.card] ? "insufficient_balance" : "posted";
      if (given.points > 5000) return "above_maximum";
      return this.balances[given.card] + given.points > 20_000 ? "balance_limit" : "posted";
    }
    const original = this.movements[given.nth];
    if (!original || (given.kind === "undo" && original.byOwner)) return "movement_not_found";
    if (original.reversedBy) return `replay ${original.reversedBy}`;
    if (original.reversal) return "not_reversible";
    const latest = this.movements.filter(({ card }) => card === original.card).at(-1);
    if (given.kind === "undo" && latest !== original) return "not_latest";
    const after = this.balances[original.card] - original.points;
    return after < 0 ? "already_spent" : after > 20_000 ? "balance_limit" : "posted";
  }

  apply(given: Step, id: string): number {
    const original = isUndo(given) ? this.movements[given.nth] : undefined;
    const card = isUndo(given) ? (original?.card ?? 0) : given.card;
    const points = isUndo(given)
      ? -(original?.points ?? 0)
      : given.points * (given.kind === "topUp" ? 1 : -1);
    if (original) original.reversedBy = id;
    if (!isUndo(given) && given.key !== null) this.keys.set(given.key, { request: requestOf(given), id });
    this.balances[card] += points;
    this.movements.push({
      id,
      card,
      points,
      reversal: isUndo(given),
      byOwner: given.kind === "reverse",
      reversedBy: null,
    });
    return this.balances[card];
  }
}

const requestOf = (given: Step) => JSON.stringify({ ...given, key: undefined });

async function setUp() {
  const shop = await makeMerchant(db, { redeemAllowance: 1_000_000, unprovedWorkerDaily: 1_000_000 });
  const worker = contextOf(db, await makeWorker(db, shop));
  const owner = contextOf(db, shop.owner);
  const cards = [await makeCustomer(db, shop), await makeCustomer(db, shop)] as const;
  return { shop, worker, owner, cards };
}

test("any sequence of postings ends as the model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const { shop, worker, owner, cards } = await setUp();
      const model = new Model();
      const run = (given: Step): Promise<Receipt> => {
        if (isUndo(given)) {
          const movementId = model.movements[given.nth]?.id ?? shop.merchant.id;
          return reverse(given.kind === "undo" ? worker : owner, { movementId, reason: "as asked" });
        }
        const idempotencyKey = given.key === null ? undefined : `key-${given.key}`;
        const input = { customerId: cards[given.card].id, branchId: shop.branch.id, points: given.points };
        return (given.kind === "topUp" ? topUp : redeem)(worker, { ...input, idempotencyKey });
      };
      for (const given of steps) {
        const expected = model.expected(given);
        const answer = await run(given).catch((error: unknown) => {
          if (error instanceof DomainError) return error.code;
          throw error;
        });
        if (typeof answer === "string") expect(answer).toBe(expected);
        else if (answer.replayed) expect(`replay ${answer.movement.id}`).toBe(expected);
        else {
          expect("posted").toBe(expected);
          expect(answer.movement.balanceAfter).toBe(model.apply(given, answer.movement.id));
        }
      }
      for (const [index, { id }] of cards.entries()) {
        const customer = await db.customer.findUniqueOrThrow({ where: { id } });
        const sum = await db.movement.aggregate({ where: { customerId: id }, _sum: { points: true } });
        expect(customer.balance).toBe(model.balances[index as 0 | 1]);
        expect(sum._sum.points ?? 0).toBe(customer.balance);
      }
    }),
    { numRuns: 40, seed: 20261121 },
  );
});

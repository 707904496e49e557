import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { stepUp } from "@/lib/accounts/sign-in";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { redeem, refund, reverse, topUp } from "./move-points";
import { liveCode } from "./proof";

const db = await testDb();
// Noon in Doha: the day does not change while this runs.
const NOON = new Date("2026-07-15T09:00:00Z");
const TOMORROW = new Date("2026-07-16T09:00:00Z");
const refused = (code: string, params = {}) =>
  expect.objectContaining({ name: "DomainError", code, params: expect.objectContaining(params) });

/** A shop with a worker and cards that each hold 100 points. */
async function counter(cards: number, merchant = {}) {
  const shop = await makeMerchant(db, { redeemAllowance: 50, unprovedWorkerDaily: 120, ...merchant });
  const worker = await makeWorker(db, shop);
  const customers: { id: string }[] = [];
  for (let card = 0; card < cards; card++) {
    const customer = await makeCustomer(db, shop);
    await move(db, shop, customer, { points: 100, at: NOON });
    customers.push(customer);
  }
  const ctx = contextOf(db, worker, { clock: () => NOON });
  const live = contextOf(db, worker);
  const at = (n: number) => ({ customerId: customers[n]?.id ?? "", branchId: shop.branch.id });
  return { shop, worker, customers, ctx, live, at };
}

test("past a worker's day a proof is needed, whichever card it is", async () => {
  const { ctx, at, customers, shop, worker } = await counter(4);
  await redeem(ctx, { ...at(0), points: 50 });
  const second = await redeem(ctx, { ...at(1), points: 50 });
  await expect(redeem(ctx, { ...at(2), points: 21 })).rejects.toEqual(
    refused("worker_proof_required", { limit: 120, balance: 100 }),
  );
  const proof = liveCode(customers[2]?.id ?? "", NOON);
  await redeem(ctx, { ...at(2), points: 21, proof });
  await redeem(ctx, { ...at(2), points: 20 });
  await expect(redeem(ctx, { ...at(3), points: 1 })).rejects.toEqual(refused("worker_proof_required"));
  // The card's own limit is named first, an undone redemption counts no more, and the next day begins anew.
  await expect(redeem(ctx, { ...at(3), points: 51 })).rejects.toEqual(refused("proof_required"));
  await reverse(ctx, { movementId: second.movement.id });
  await redeem(ctx, { ...at(3), points: 50 });
  await redeem(contextOf(db, worker, { clock: () => TOMORROW }), { ...at(1), points: 50 });
  const owner = contextOf(db, shop.owner, { clock: () => NOON });
  await redeem(owner, { ...at(2), points: 1 });
});

test("parallel redemptions on many cards stay within a worker's day", async () => {
  const { live, at } = await counter(30);
  const settled = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) => redeem(live, { ...at(n), points: 10 })),
  );
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(12);
  const codes = settled.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  expect(new Set(codes)).toEqual(new Set(["worker_proof_required"]));
});

test("what a worker refunds counts in the daily limit, beside top-ups and under concurrency", async () => {
  const { shop, live, at, customers } = await counter(10, { refundDays: 7, workerDailyCap: 100 });
  const spent = await Promise.all(
    customers.map((customer) => move(db, shop, customer, { type: "REDEEM", points: 30 })),
  );
  await refund(live, { movementId: spent[0]?.id ?? "", points: 10, reason: "x" });
  await topUp(live, { ...at(0), points: 20 });
  const asked = spent.map(({ id }, n) =>
    n % 2 === 0
      ? refund(live, { movementId: id, points: 20, reason: "x" })
      : topUp(live, { ...at(n), points: 20 }),
  );
  const settled = await Promise.allSettled(asked);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  await expect(topUp(live, { ...at(1), points: 11 })).rejects.toEqual(refused("daily_cap", { limit: 100 }));
  await topUp(live, { ...at(1), points: 10 });
  await expect(refund(live, { movementId: spent[1]?.id ?? "", points: 1, reason: "x" })).rejects.toEqual(
    refused("daily_cap", { limit: 100 }),
  );
});

test("a merchant's first limit holds until rules of its own are in force", async () => {
  const { shop, ctx, at } = await counter(2, { workerDailyCap: 60 });
  await expect(topUp(ctx, { ...at(0), points: 61 })).rejects.toEqual(refused("daily_cap", { limit: 60 }));
  const platform = { dirhamsPerPoint: 100, minTopUp: 1, maxTopUp: 5000, maxBalance: 20000, undoMinutes: 15 };
  const rules = { merchantId: shop.merchant.id, ...platform };
  await db.pointsConfig.create({ data: { ...rules, version: 1, workerDailyCap: null } });
  await topUp(ctx, { ...at(0), points: 61 });
});

test("a cashier at a till undoes a redemption above the largest top-up; whoever can confirm it is asked to", async () => {
  const { shop, worker, live, at, customers } = await counter(1, {
    redeemAllowance: 10_000,
    unprovedWorkerDaily: 30_000,
  });
  for (const points of [4000, 4000]) await move(db, shop, { id: customers[0]?.id ?? "" }, { points });
  const spend = async () => (await redeem(live, { ...at(0), points: 6000 })).movement.id;
  const asked = contextOf(db, worker, { actor: { panel: true } });
  const movementId = await spend();
  await expect(reverse(asked, { movementId })).rejects.toEqual(refused("step_up_required"));
  const cashier = contextOf(db, worker, { actor: { panel: true, tillId: randomUUID() } });
  // The session of a PIN has nothing to confirm with.
  await expect(stepUp(cashier, { password: PASSWORD })).rejects.toEqual(refused("forbidden"));
  expect(await reverse(cashier, { movementId })).toMatchObject({ movement: { points: 6000 } });
});

test("what an employee without a daily limit adds in a day may be more than an integer holds", async () => {
  const { shop, worker, live } = await counter(0);
  const points = 1_000_000_000;
  const rules = {
    version: 1,
    dirhamsPerPoint: 1,
    minTopUp: 1,
    maxTopUp: points,
    maxBalance: points,
    undoMinutes: 15,
  };
  await db.pointsConfig.create({ data: { merchantId: shop.merchant.id, ...rules } });
  const added: string[] = [];
  for (let n = 0; n < 3; n++) {
    const customerId = (await makeCustomer(db, shop)).id;
    const { movement } = await topUp(live, { customerId, branchId: shop.branch.id, points });
    added.push(movement.id);
  }
  for (const movementId of added) await reverse(contextOf(db, worker), { movementId });
});

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createDb } from "@/lib/db/client";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { type Posting, type PostingRow, postBatch } from "./batch";
import { reverse, topUp } from "./move-points";

const db = await testDb();

async function counter() {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, worker);
  const row = (points: number, more: Partial<PostingRow> = {}): Posting => ({
    type: "TOP_UP",
    customer: customer.id,
    branch: shop.branch.id,
    actor: worker.id,
    scope: "merchant",
    scopeMerchant: shop.merchant.id,
    points,
    key: randomUUID(),
    hash: "h",
    ...more,
  });
  const give = (points: number, idempotencyKey?: string) =>
    topUp(ctx, { customerId: customer.id, branchId: shop.branch.id, points, idempotencyKey });
  return { shop, worker, customer, ctx, row, give };
}

const balanceOf = async (id: string) =>
  (await db.customer.findUniqueOrThrow({ where: { id }, select: { balance: true } })).balance;

/** The ledger's law: seq 1, 2, 3, …; each balance the one before and its points; the last is the customer's. */
async function expectChain(customerId: string) {
  const rows = await db.movement.findMany({ where: { customerId }, orderBy: { seq: "asc" } });
  let balance = 0;
  for (const [index, row] of rows.entries()) {
    balance += row.points;
    expect([row.seq, row.balanceAfter]).toEqual([index + 1, balance]);
  }
  const customer = await db.customer.findUniqueOrThrow({ where: { id: customerId } });
  expect([customer.balance, customer.movementCount]).toEqual([balance, rows.length]);
  return rows;
}

test("50 parallel top-ups with one key are one movement and one answer", async () => {
  const { give, customer } = await counter();
  const receipts = await Promise.all(Array.from({ length: 50 }, () => give(10, "one-key")));
  expect(new Set(receipts.map((receipt) => receipt.movement.id)).size).toBe(1);
  expect(receipts.filter((receipt) => !receipt.replayed)).toHaveLength(1);
  const first = receipts.map(({ movement }) => JSON.stringify(movement));
  expect(new Set(first).size).toBe(1);
  expect(await expectChain(customer.id)).toHaveLength(1);
});

test("50 parallel top-ups with 50 keys are 50 movements and the exact sum", async () => {
  const { give, customer } = await counter();
  await Promise.all(Array.from({ length: 50 }, (_, index) => give(index + 1, `key-${index}`)));
  expect(await balanceOf(customer.id)).toBe(1275);
  expect(await expectChain(customer.id)).toHaveLength(50);
});

test("50 parallel redeems of the whole balance let exactly one through, over two processes' clients", async () => {
  const { row, customer } = await counter();
  await postBatch(db, [row(40)]);
  const other = createDb(process.env.DATABASE_URL ?? "", 10);
  const redeem = row(40, { type: "REDEEM" });
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const rows = [{ ...redeem, key: randomUUID() }];
      return (await postBatch(index % 2 ? db : other, rows))[0]?.outcome;
    }),
  );
  await other.$disconnect();
  expect(outcomes.filter((outcome) => outcome === "posted")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "insufficient_balance")).toHaveLength(49);
  expect(await balanceOf(customer.id)).toBe(0);
  await expectChain(customer.id);
});

test("a batch answers in the order of its rows, and a bad row fails no neighbour", async () => {
  const { row, customer, shop } = await counter();
  const other = await makeCustomer(db, shop);
  const outcomes = await postBatch(db, [
    row(5, { customer: other.id }),
    row(0),
    row(7),
    row(3, { customer: randomUUID() }),
    row(3, { type: "REDEEM" }),
    row(9, { customer: other.publicId }),
    row(2, { branch: randomUUID() }),
  ]);
  expect(outcomes.map((one) => one.outcome)).toEqual([
    "posted",
    "below_minimum",
    "posted",
    "not_found",
    "posted",
    "posted",
    "branch_mismatch",
  ]);
  expect([await balanceOf(customer.id), await balanceOf(other.id)]).toEqual([4, 14]);
  await expectChain(customer.id);
  await expectChain(other.id);
});

test("one key in one batch for two customers is posted once", async () => {
  const { row, customer, shop } = await counter();
  const other = await makeCustomer(db, shop);
  const key = randomUUID();
  const outcomes = await postBatch(db, [row(5, { key }), row(5, { key, hash: "other", customer: other.id })]);
  expect(outcomes.map((one) => one.outcome).sort()).toEqual(["key_reused", "posted"]);
  expect((await balanceOf(customer.id)) + (await balanceOf(other.id))).toBe(5);
});

test("one key raced for different customers by different clients is posted once", async () => {
  const { row, shop } = await counter();
  const customers = await Promise.all(Array.from({ length: 10 }, () => makeCustomer(db, shop)));
  const key = randomUUID();
  const outcomes = await Promise.all(
    customers.map(
      async ({ id }) => (await postBatch(db, [row(5, { key, hash: id, customer: id })]))[0]?.outcome,
    ),
  );
  expect(outcomes.filter((outcome) => outcome === "posted")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "key_reused")).toHaveLength(9);
});

test("batches that meet on customers and keys in opposite order all finish", async () => {
  const { row, shop, worker } = await counter();
  const customers = await Promise.all(Array.from({ length: 6 }, () => makeCustomer(db, shop)));
  const contexts = contextOf(db, worker);
  await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      topUp(contexts, {
        customerId: customers[index % 6]?.id ?? "",
        branchId: shop.branch.id,
        points: 1,
      }),
    ),
  );
  const batches = Array.from({ length: 20 }, (_, index) =>
    (index % 2 ? customers : [...customers].reverse()).map(({ id }) => row(1, { customer: id })),
  );
  await Promise.all(batches.map((rows) => postBatch(db, rows)));
  for (const { id } of customers) expect(await expectChain(id)).toHaveLength(40);
});

test("undoing twice, and fifty times at once, moves once", async () => {
  const { give, ctx, customer } = await counter();
  const { movement } = await give(25);
  const undone = await Promise.all(
    Array.from({ length: 50 }, () => reverse(ctx, { movementId: movement.id })),
  );
  expect(new Set(undone.map((receipt) => receipt.movement.id)).size).toBe(1);
  const again = await reverse(ctx, { movementId: movement.id });
  expect(again).toMatchObject({ replayed: true, movement: { reversesId: movement.id, points: -25 } });
  expect(await balanceOf(customer.id)).toBe(0);
  expect(await expectChain(customer.id)).toHaveLength(2);
});

import { expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { blockCustomers, editCustomer } from "./edit-customer";
import { blockCustomersSchema, MOST_AT_ONCE } from "./model/customers";

const db = await testDb();
const reason = "Reported stolen";

const statusesOf = async (ids: string[]) => {
  const rows = await db.customer.findMany({ where: { id: { in: ids } }, select: { id: true, status: true } });
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
};

test("an owner blocks and unblocks cards together: frozen ones stay, each change has its entry with the reason", async () => {
  const shop = await makeMerchant(db);
  const [one, two] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
  const frozen = await makeCustomer(db, shop, { status: "frozen" });
  const ids = [one.id, two.id, frozen.id];
  const ctx = contextOf(db, shop.owner);
  expect(await blockCustomers(ctx, { customerIds: [...ids, one.id], status: "blocked", reason })).toEqual({
    changed: 2,
    left: 1,
  });
  expect(await statusesOf(ids)).toEqual(["blocked", "blocked", "frozen"]);
  for (const { id } of [one, two]) {
    expect(await auditsOf(db, id)).toMatchObject([
      { action: "customer.blocked", merchantId: shop.merchant.id, after: { status: "blocked", reason } },
    ]);
  }
  expect(await auditsOf(db, frozen.id)).toEqual([]);
  expect(await blockCustomers(ctx, { customerIds: ids, status: "active", reason })).toEqual({
    changed: 2,
    left: 1,
  });
  expect(await statusesOf(ids)).toEqual(["active", "active", "frozen"]);
  const byEither = [one.id, one.publicId, two.publicId];
  expect(await blockCustomers(ctx, { customerIds: byEither, status: "blocked", reason })).toEqual({
    changed: 2,
    left: 0,
  });
  expect(await statusesOf(ids)).toEqual(["blocked", "blocked", "frozen"]);
});

test("a card of another merchant refuses the whole call, and workers may not make it", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const [own, foreign] = [await makeCustomer(db, shop), await makeCustomer(db, other)];
  const input = { customerIds: [own.id, foreign.id], status: "blocked" as const, reason };
  await expect(blockCustomers(contextOf(db, shop.owner), input)).rejects.toMatchObject({
    code: "customer_not_found",
  });
  expect(await statusesOf([own.id, foreign.id])).toEqual(["active", "active"]);
  expect(await auditsOf(db, own.id)).toEqual([]);
  const worker = contextOf(db, await makeWorker(db, shop));
  await expect(blockCustomers(worker, { ...input, customerIds: [own.id] })).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("beside postings and single blocks on the same cards nothing deadlocks and each card ends as one of them says", async () => {
  const shop = await makeMerchant(db);
  const customers = await Promise.all(Array.from({ length: 8 }, () => makeCustomer(db, shop)));
  const ids = customers.map(({ id }) => id);
  const ctx = contextOf(db, shop.owner);
  const outcomes = await Promise.allSettled([
    blockCustomers(ctx, { customerIds: ids, status: "blocked", reason }),
    blockCustomers(ctx, { customerIds: ids.toReversed(), status: "blocked", reason }),
    ...ids.map((customerId) => topUp(ctx, { customerId, points: 5, branchId: shop.branch.id })),
    ...ids.map((customerId) => editCustomer(ctx, { customerId, status: "blocked" })),
  ]);
  const codes = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  expect(codes.filter((code) => code !== "customer_blocked")).toEqual([]);
  expect(new Set(await statusesOf(ids))).toEqual(new Set(["blocked"]));
  const blocks = (await Promise.all(ids.map((id) => auditsOf(db, id)))).map(
    (entries) => entries.filter(({ action }) => action === "customer.blocked").length,
  );
  expect(blocks).toEqual(ids.map(() => 1));
});

test("of many single blocks at once one is written down", async () => {
  const shop = await makeMerchant(db);
  const { id } = await makeCustomer(db, shop);
  const ctx = contextOf(db, shop.owner);
  const block = () => editCustomer(ctx, { customerId: id, status: "blocked" });
  await Promise.all(Array.from({ length: 12 }, block));
  const actions = (await auditsOf(db, id)).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith("customer."))).toEqual(["customer.blocked"]);
});

test("no more than a hundred, and never without a reason", () => {
  const customerIds = Array.from({ length: MOST_AT_ONCE + 1 }, () => crypto.randomUUID());
  expect(blockCustomersSchema.safeParse({ customerIds, status: "blocked", reason }).success).toBe(false);
  const few = customerIds.slice(1);
  expect(blockCustomersSchema.safeParse({ customerIds: few, status: "blocked", reason }).success).toBe(true);
  expect(blockCustomersSchema.safeParse({ customerIds: few, status: "blocked", reason: " " }).success).toBe(
    false,
  );
});

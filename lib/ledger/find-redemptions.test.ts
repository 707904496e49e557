import { expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { move } from "@/lib/testing/movements";
import { redeem, refund } from "./move-points";
import { findRedemptions } from "./read-movements";

const find = handlerOf("GET", "redeem-points/find");

const db = await testDb();
const DAY_MS = 24 * 60 * 60 * 1000;
const ids = (found: { id: string }[]) => found.map(({ id }) => id);

/** A shop whose worker redeemed 40 points of a customer under this bill number. */
async function spent(saleRef: string, refundDays = 7) {
  const shop = await makeMerchant(db, { refundDays });
  const customer = await makeCustomer(db, shop);
  const worker = await makeWorker(db, shop);
  await move(db, shop, customer, { points: 100 });
  const at = { customerId: customer.id, branchId: shop.branch.id, saleRef };
  const { movement } = await redeem(contextOf(db, worker), { ...at, points: 40 });
  return { shop, customer, worker, movement, at };
}

test("another worker finds a redemption by its whole bill number, with what is left to refund", async () => {
  const { shop, movement, worker } = await spent("Inv-70%");
  const colleague = await makeWorker(db, shop);
  const token = await tokenOf(db, colleague);
  const ask = (sSaleRef: string) => call(find, { token, query: `?sSaleRef=${encodeURIComponent(sSaleRef)}` });
  expect(await ask(" inv-٧٠% ")).toMatchObject({
    status: 200,
    data: { results: [{ _id: movement.id, eType: "REDEEM", iLeftToRefund: 40, undoUntil: null }] },
  });
  for (const other of ["Inv-7", "Inv-7_%", "%"]) {
    expect(await ask(other)).toMatchObject({ status: 200, data: { results: [] } });
  }
  await refund(contextOf(db, worker), { movementId: movement.id, points: 15, reason: "Returned" });
  expect(await ask("INV-70%")).toMatchObject({ data: { results: [{ iLeftToRefund: 25 }] } });
  expect(await ask("")).toMatchObject({ status: 400, code: "validation" });
  expect(await call(find, { token })).toMatchObject({ status: 400, code: "validation" });
});

test("a worker finds what the days for refunds allow, an owner everything, a neighbour nothing", async () => {
  const { shop, movement, worker } = await spent("A-1", 3);
  const late = () => new Date(Date.now() + 4 * DAY_MS);
  const found = async (user: Parameters<typeof contextOf>[1], clock?: () => Date) =>
    ids(await findRedemptions(contextOf(db, user, clock ? { clock } : {}), { saleRef: "A-1" }));
  expect(await found(worker)).toEqual([movement.id]);
  expect(await found(worker, late)).toEqual([]);
  expect(await found(shop.owner, late)).toEqual([movement.id]);
  expect(await found(await makeAdmin(db))).toContain(movement.id);
  const neighbour = await spent("B-2");
  expect(await found(neighbour.shop.owner)).toEqual([]);
  expect(await found(neighbour.worker)).toEqual([]);
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { refundDays: 0 } });
  expect(await found(worker)).toEqual([]);
  const admin = await makeAdmin(db, { role: "admin" });
  await expect(found(admin)).rejects.toMatchObject({ code: "forbidden" });
});

test("top-ups are not found, and at most ten redemptions are", async () => {
  const { shop, at } = await spent("C-3");
  const owner = contextOf(db, shop.owner);
  for (let n = 0; n < 10; n++) await redeem(owner, { ...at, points: 1 });
  const found = await findRedemptions(owner, { saleRef: "C-3" });
  expect(found).toHaveLength(10);
  expect(new Set(found.map(({ type }) => type))).toEqual(new Set(["REDEEM"]));
});

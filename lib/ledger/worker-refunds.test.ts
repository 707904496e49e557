import { expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { movementTotals } from "./movement-totals";

const settings = handlerOf("PUT", "merchants/{id}/settings");
const recentRedeems = handlerOf("GET", "recent-redeems");
const redeem = handlerOf("POST", "redeem-points");
const topUp = handlerOf("POST", "top-up-points");
const refund = handlerOf("POST", "transactions/{id}/refund");
const transactions = handlerOf("GET", "transactions");

const db = await testDb();
const BY_WORKERS = "?type=REFUND&actorRole=branch_worker";

test("the owner decides whether workers refund, and lists what they refunded", async () => {
  const shop = await makeMerchant(db);
  const owner = await tokenOf(db, shop.owner);
  const worker = await makeWorker(db, shop);
  const cashier = await tokenOf(db, worker);
  const { id: customerId } = await makeCustomer(db, shop);
  const at = { customerId, iBranchId: shop.branch.id };
  await call(topUp, { method: "POST", token: cashier, body: { ...at, sPoints: 100 } });
  const spent = await call(redeem, { method: "POST", token: cashier, body: { ...at, sPoints: 40 } });
  const params = { id: (spent.data as { _id: string })._id };
  const back = (token: string, sPoints: number) =>
    call(refund, { method: "POST", token, params, body: { sPoints, sReason: "Returned" } });
  const left = () => call(recentRedeems, { token: cashier });

  expect(await back(cashier, 10)).toMatchObject({ status: 403, code: "forbidden" });
  const put = { method: "PUT", token: owner, params: { id: shop.merchant.id } };
  await call(settings, { ...put, body: { iRefundDays: 3 } });
  expect(await left()).toMatchObject({ data: { results: [{ _id: params.id, iLeftToRefund: 40 }] } });
  expect(await back(cashier, 10)).toMatchObject({ status: 200, data: { sPoints: 10 } });
  expect(await back(owner, 5)).toMatchObject({ status: 200 });
  expect(await left()).toMatchObject({ data: { results: [{ iLeftToRefund: 25 }] } });

  const listed = await call(transactions, { token: owner, query: BY_WORKERS });
  expect(listed.data).toMatchObject({
    results: [{ eType: "REFUND", sPoints: 10, actor: { _id: worker.id }, sReason: "Returned" }],
    nextCursor: null,
  });
  const sums = { type: "REFUND", actorRole: "branch_worker" } as const;
  expect(await movementTotals(contextOf(db, shop.owner), sums)).toMatchObject({ count: 1, net: 10 });
  const neighbour = await tokenOf(db, (await makeMerchant(db)).owner);
  expect(await call(transactions, { token: neighbour, query: BY_WORKERS })).toMatchObject({
    data: { results: [] },
  });
  expect(await call(transactions, { token: owner, query: "?actorRole=boss" })).toMatchObject({ status: 400 });

  await call(settings, { ...put, body: { iRefundDays: 0 } });
  expect(await back(cashier, 1)).toMatchObject({ status: 403 });
});

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";

const view = handlerOf("GET", "customer-management/view/{id}");
const recentTopUps = handlerOf("GET", "recent-top-ups");
const redeem = handlerOf("POST", "redeem-points");
const topUp = handlerOf("POST", "top-up-points");
const refund = handlerOf("POST", "transactions/{id}/refund");
const reverse = handlerOf("POST", "transactions/{id}/reverse");
const exportCsv = handlerOf("GET", "transactions/export");
const transactions = handlerOf("GET", "transactions");
const bonus = handlerOf("POST", "bonus-points");

const db = await testDb();
const idOf = (answer: { data: unknown }) => (answer.data as { _id: string })._id;

async function counter() {
  const shop = await makeMerchant(db, { redeemAllowance: 10_000 });
  const [customer, worker] = [await makeCustomer(db, shop), await makeWorker(db, shop)];
  const [owner, token] = [await tokenOf(db, shop.owner), await tokenOf(db, worker)];
  const at = { customerId: customer.publicId, iBranchId: shop.branch.id };
  const post = (handler: typeof topUp, body: object, more: Partial<Parameters<typeof call>[1]> = {}) =>
    call(handler, { method: "POST", token: owner, body: { ...at, ...body }, ...more });
  const undo = (handler: typeof topUp, id: string, body: object, by = owner) =>
    call(handler, { method: "POST", token: by, params: { id }, body });
  const log = (query: string, by = owner) => call(transactions, { token: by, query });
  return { shop, customer, worker, owner, token, at, post, undo, log };
}

test("the log, the customer and the refund have the tender, bill number and pockets of a posting", async () => {
  const { customer, shop, owner, post, undo, log } = await counter();
  const paid = await post(topUp, { sPoints: 100, eTender: "card", sSaleRef: " Bill/71 " });
  const user = { eType: "user", _id: shop.owner.id, sName: "Noor Haddad" };
  expect(paid.data).toMatchObject({
    eTender: "card",
    sSaleRef: "Bill/71",
    iPaid: 100,
    iBonus: 0,
    actor: user,
  });
  expect((await post(topUp, { sPoints: 10 })).data).toMatchObject({ eTender: "cash", sSaleRef: null });
  const gift = await post(bonus, { sPoints: 20, sReason: "National Day", dEndsAt: "2126-12-31" });
  expect(gift).toMatchObject({
    status: 200,
    message: "Bonus given successfully!",
    data: { eType: "BONUS", sPoints: 20, iPaid: 0, iBonus: 20, sBalance: 130, eTender: null },
  });
  const seen = async (query = "") =>
    (await call(view, { token: owner, params: { id: customer.id }, query })).data;
  const pockets = { iPaid: 110, iBonus: 20, iEndsNext: 20, dEndsNext: "2126-12-31" };
  expect(await seen()).toMatchObject({ sBalance: 130, sCashValue: "130.00", oPockets: pockets });

  const spent = await post(redeem, { sPoints: 30, sSaleRef: "Bill/72" });
  expect(spent.data).toMatchObject({
    sPoints: -30,
    iPaid: -10,
    iBonus: -20,
    sSaleRef: "Bill/72",
    oDrawn: { iPaid: 10, iBonus: 20 },
  });
  const back = await undo(refund, idOf(spent), { sPoints: "١٥", sReason: "Returned", sSaleRef: "Bill/73" });
  expect(back.data).toMatchObject({ eType: "REFUND", sPoints: 15, iPaid: 10, iBonus: 5, sBalance: 115 });
  const { dCreatedAt } = gift.data as { dCreatedAt: string };
  expect(await seen(`?at=${dCreatedAt}`)).toMatchObject({ sBalance: 130, oPockets: pockets });
  expect(await seen("?at=2020-01-01T00:00:00%2B03:00")).toMatchObject({
    sBalance: 0,
    oPockets: { iPaid: 0 },
  });
  expect(await call(view, { token: owner, params: { id: customer.id }, query: "?at=today" })).toMatchObject({
    status: 400,
    code: "validation",
  });

  const all = (await log("")).data as { results: { _id: string }[] };
  const of = (id: string) => all.results.find(({ _id }) => _id === id);
  expect(of(idOf(back))).toMatchObject({ refunds: { _id: idOf(spent), eType: "REDEEM", sPoints: -30 } });
  expect(of(idOf(spent))).toMatchObject({ refundedBy: [{ _id: idOf(back), sPoints: 15 }] });
  const ids = async (query: string) =>
    ((await log(query)).data as { results: { _id: string }[] }).results.map(({ _id }) => _id);
  expect(await ids("?tender=card")).toEqual([idOf(paid)]);
  expect(await ids("?search=bill/7")).toEqual([idOf(back), idOf(spent), idOf(paid)]);
  expect(await ids("?search=BILL/72")).toEqual([idOf(spent)]);
  expect(await ids("?search=ill/72")).toEqual([]);
  expect(await log("?tender=gold")).toMatchObject({ status: 400, code: "validation" });
  const stranger = await counter();
  expect(((await stranger.log("?search=bill/7")).data as { results: [] }).results).toEqual([]);
  expect(((await call(recentTopUps, { token: owner })).data as { results: [] }).results).toHaveLength(2);

  expect(await undo(reverse, idOf(spent), { sReason: "x" })).toMatchObject({ status: 409, code: "refunded" });
  expect(await undo(refund, idOf(spent), { sPoints: 16, sReason: "x" })).toMatchObject({
    status: 422,
    code: "refund_exceeded",
    message: "At most 15 points of this redemption can still be refunded.",
  });
  expect(await undo(refund, idOf(paid), { sReason: "x" })).toMatchObject({ code: "not_refundable" });
  expect(await undo(refund, idOf(spent), {})).toMatchObject({ status: 400, errors: [{ path: "sReason" }] });
});

test("a bill number is kept with Latin digits, and found whichever digits it is searched with", async () => {
  const { post, log, undo } = await counter();
  const found = async (search: string) =>
    (
      (await log(`?search=${encodeURIComponent(search)}`)).data as { results: { sSaleRef: string }[] }
    ).results.map(({ sSaleRef }) => sSaleRef);
  // Each has a letter: digits alone are also looked for in the phones of customers.
  const arabic = await post(topUp, { sPoints: 50, sSaleRef: "فاتورة ٧٠٤٢" });
  expect(arabic.data).toMatchObject({ sSaleRef: "فاتورة 7042" });
  await post(topUp, { sPoints: 50, sSaleRef: "K8042-1" });
  const spent = await post(redeem, { sPoints: 20, sSaleRef: "N۹۰۴۲" });
  const back = await undo(refund, idOf(spent), { sReason: "Returned", sSaleRef: "N٩٠٤٣" });
  expect(back.data).toMatchObject({ sSaleRef: "N9043" });
  expect(await found("K٨٠٤٢")).toEqual(["K8042-1"]);
  expect(await found("فاتورة 70")).toEqual(["فاتورة 7042"]);
  expect(await found("فاتورة ٧٠")).toEqual(["فاتورة 7042"]);
  expect(await found("N9042")).toEqual(["N9042"]);
  expect(await found("N٩٠٤")).toEqual(["N9043", "N9042"]);
});

test("the export has tender, bill number and pockets in the caller's language", async () => {
  const { owner, post } = await counter();
  await post(topUp, { sPoints: 10, eTender: "bank", sSaleRef: "=1+1" });
  const text = async (language: string) => {
    const headers = { authorization: owner, "accept-language": language };
    const request = new Request("http://localhost:3000/api/transactions/export", { headers });
    return (await exportCsv(request, { params: {} })).text();
  };
  const [header, line] = (await text("en")).split("\r\n");
  expect(header).toContain("Paid points,Bonus points,Paid by,Bill number");
  expect(line).toContain("10,0,Bank transfer,'=1+1");
  expect(await text("ar")).toContain("تحويل مصرفي");
});

test("a worker cannot give a bonus, and can refund only within the merchant's refund days", async () => {
  const { post, undo, token, shop } = await counter();
  expect(await post(bonus, { sPoints: 5, sReason: "x" }, { token })).toMatchObject({ status: 403 });
  await post(topUp, { sPoints: 50 });
  const spent = idOf(await post(redeem, { sPoints: 20 }));
  const answer = await undo(refund, spent, { sReason: "Returned" }, token);
  expect(answer).toMatchObject({ status: 403, code: "forbidden" });
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { refundDays: 2 } });
  expect(await undo(refund, spent, { sReason: "Returned" }, token)).toMatchObject({ data: { sPoints: 20 } });
});

test("for a day after the session ended, a repeated request still gets its first result, and nothing else", async () => {
  const { post, token, worker, customer } = await counter();
  const headers = { "Idempotency-Key": randomUUID() };
  const body = { sPoints: 7 };
  const first = await post(topUp, body, { token, headers });
  const end = (revokedAt: Date) =>
    db.session.updateMany({ where: { userId: worker.id }, data: { revokedAt } });
  await db.user.update({ where: { id: worker.id }, data: { status: "disabled" } });
  await end(new Date());
  expect(await post(topUp, body, { token, headers })).toEqual(first);
  const ended = { status: 417, code: "session_ended" };
  expect(await post(topUp, { sPoints: 8 }, { token, headers })).toMatchObject(ended);
  expect(await post(topUp, body, { token, headers: { "Idempotency-Key": "another" } })).toMatchObject(ended);
  expect(await post(topUp, body, { token })).toMatchObject(ended);
  expect(await post(topUp, body, { token: "no token", headers })).toMatchObject({ status: 401 });
  await end(new Date(Date.now() - 25 * 3_600_000));
  expect(await post(topUp, body, { token, headers })).toMatchObject(ended);
  expect(await db.movement.count({ where: { customerId: customer.id } })).toBe(1);
});

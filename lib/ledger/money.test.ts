import { beforeAll, describe, expect, test } from "vitest";
import type { Customer, User } from "@/lib/db/generated/client";
import { liveCode } from "@/lib/ledger/proof";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  type MerchantFixture,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";

const recentRedeems = handlerOf("GET", "recent-redeems");
const recentTopUps = handlerOf("GET", "recent-top-ups");
const redeem = handlerOf("POST", "redeem-points");
const reverse = handlerOf("POST", "transactions/{id}/reverse");
const topUp = handlerOf("POST", "top-up-points");

const db = await testDb();
let shop: MerchantFixture;
let other: MerchantFixture;
let worker: User;
let customer: Customer;
let token: string;
let body: Record<string, unknown>;

beforeAll(async () => {
  [shop, other] = await Promise.all([makeMerchant(db), makeMerchant(db)]);
  worker = await makeWorker(db, shop);
  customer = await makeCustomer(db, shop);
  token = await tokenOf(db, worker);
  body = { customerId: customer.publicId, sPoints: 100, iBranchId: shop.branch.id };
});

const post = (options: { body?: unknown; token?: string; headers?: Record<string, string> }) =>
  call(topUp, { method: "POST", token, ...options });
const movementCount = (id = customer.id) => db.movement.count({ where: { customerId: id } });

describe("a top-up", () => {
  test("accepts numbers and digits in Latin or Arabic, and answers the receipt", async () => {
    const mine = await makeCustomer(db, shop);
    const answer = await post({ body: { ...body, customerId: mine.id, sPoints: "١٠٠" } });
    expect(answer).toMatchObject({
      status: 200,
      message: "Cash added successfully!",
      data: {
        eType: "TOP_UP",
        sPoints: 100,
        sBalance: 100,
        sCashValue: "100.00",
        customer: { _id: mine.publicId, sUUID: mine.publicId, sFullName: mine.fullName },
        branch: { _id: shop.branch.id, sBranchName: shop.branch.name },
      },
    });
    const data = answer.data as { undoUntil: string; dCreatedAt: string };
    expect(Date.parse(data.undoUntil) - Date.parse(data.dCreatedAt)).toBe(15 * 60_000);
    expect(await post({ body: { ...body, customerId: mine.publicId, sPoints: "25" } })).toMatchObject({
      data: { sPoints: 25, sBalance: 125 },
    });
  });

  test("the same key answers the first result as replayed; another request with it is 422", async () => {
    const mine = await makeCustomer(db, shop);
    const send = async (points: unknown, customerId = mine.id) => {
      const request = new Request("http://localhost:3000/api/top-up-points", {
        method: "POST",
        headers: { authorization: token, "content-type": "application/json", "idempotency-key": "once" },
        body: JSON.stringify({ ...body, customerId, sPoints: points }),
      });
      const response = await topUp(request, { params: {} });
      return { replayed: response.headers.get("idempotency-replayed"), body: await response.json() };
    };
    const first = await send(40);
    const again = await send("40");
    expect([first.replayed, again.replayed]).toEqual([null, "true"]);
    expect(again.body).toEqual(first.body);
    // The same customer by the other id is the same request; with another amount it is not.
    const byPublicId = await send("40", mine.publicId);
    expect([byPublicId.replayed, byPublicId.body]).toEqual(["true", first.body]);
    expect((await send(41, mine.publicId)).body).toMatchObject({ status: 422, code: "key_reused" });
    const next = await makeCustomer(db, shop);
    expect((await send(40, next.id)).body).toMatchObject({ status: 422, code: "key_reused" });
    expect((await send(41)).body).toMatchObject({ status: 422, code: "key_reused" });
    expect(await movementCount(mine.id)).toBe(1);
  });

  test("a super_admin can only post at the customer's merchant", async () => {
    const mine = await makeCustomer(db, shop);
    const second = await makeBranch(db, shop);
    const admin = await tokenOf(db, await makeAdmin(db));
    const wire = { customerId: mine.id, sPoints: 5, iMerchantId: shop.merchant.id, iBranchId: second.id };
    expect(await post({ token: admin, body: wire })).toMatchObject({ status: 200 });
    const wrong = { ...wire, iMerchantId: other.merchant.id, iBranchId: other.branch.id };
    expect(await post({ token: admin, body: wrong })).toMatchObject({ status: 422, code: "branch_mismatch" });
  });
});

describe("a redeem", () => {
  test("answers a receipt, names the balance in a refusal, and needs a confirmation above the daily limit", async () => {
    const mine = await makeCustomer(db, shop);
    const wire = { customerId: mine.id, iBranchId: shop.branch.id };
    await post({ body: { ...wire, sPoints: 200 } });
    const take = (more: object) => call(redeem, { method: "POST", token, body: { ...wire, ...more } });
    expect(await take({ sPoints: 30 })).toMatchObject({
      status: 200,
      message: "Cash redeemed successfully!",
      data: { eType: "REDEEM", sPoints: -30, sBalance: 170, sCashValue: "170.00" },
    });
    expect(await take({ sPoints: 500 })).toMatchObject({
      status: 422,
      code: "insufficient_balance",
      message: "Not enough balance: 170 points are available.",
    });
    expect(await take({ sPoints: 100 })).toMatchObject({ status: 403, code: "proof_required" });
    expect(await take({ sPoints: 100, sProof: "000000" })).toMatchObject({
      status: 403,
      code: "proof_invalid",
    });
    const sProof = liveCode(mine.id, new Date());
    expect(await take({ sPoints: 100, sProof })).toMatchObject({ status: 200, data: { sBalance: 70 } });
    expect(await take({ sPoints: 60, sProof })).toMatchObject({ status: 403, code: "proof_invalid" });
    expect(await movementCount(mine.id)).toBe(3);
  });
});

describe("a reversal", () => {
  test("a worker can undo without a reason, an owner needs one, and an unknown movement is 404", async () => {
    const mine = await makeCustomer(db, shop);
    const wire = { customerId: mine.id, iBranchId: shop.branch.id, sPoints: 20 };
    const { data } = await post({ body: wire });
    const id = (data as { _id: string })._id;
    const undo = (params: { id: string }, who: string, reason?: unknown) =>
      call(reverse, { method: "POST", token: who, params, body: { sReason: reason } });
    const owner = await tokenOf(db, shop.owner);
    expect(await undo({ id }, owner)).toMatchObject({ status: 422, code: "reason_required" });
    expect(await undo({ id }, owner, 5)).toMatchObject({ status: 400, code: "validation" });
    expect(await undo({ id }, await tokenOf(db, other.owner), "x")).toMatchObject({
      status: 404,
      code: "movement_not_found",
    });
    expect(await undo({ id: "nothing" }, token)).toMatchObject({ status: 404, code: "movement_not_found" });
    const undone = await undo({ id }, token);
    expect(undone).toMatchObject({ status: 200, data: { eType: "REVERSAL", sPoints: -20, sBalance: 0 } });
    // The owner sees the customer by the private id.
    const customer = { _id: mine.id, sUUID: mine.publicId };
    const again = { ...(undone.data as object), customer };
    expect(await undo({ id }, owner, "again")).toMatchObject({ status: 200, data: again });
    expect(await movementCount(mine.id)).toBe(2);
  });
});

describe("the latest movements", () => {
  test("are the worker's own, newest first, each with the end of its undo window", async () => {
    const [mine, colleague] = [await makeWorker(db, shop), await makeWorker(db, shop)];
    const [token, colleagueToken] = [await tokenOf(db, mine), await tokenOf(db, colleague)];
    const guest = await makeCustomer(db, shop);
    const wire = { customerId: guest.id, iBranchId: shop.branch.id };
    for (const sPoints of [10, 20]) await post({ token, body: { ...wire, sPoints } });
    await call(redeem, { method: "POST", token, body: { ...wire, sPoints: 5 } });
    const results = (answer: Awaited<ReturnType<typeof call>>) =>
      (answer.data as { results: { sPoints: number; undoUntil: string | null }[] }).results;
    const tops = results(await call(recentTopUps, { token }));
    expect(tops.map(({ sPoints }) => sPoints)).toEqual([20, 10]);
    expect(tops.map(({ undoUntil }) => undoUntil)).toEqual([null, null]);
    const [taken] = results(await call(recentRedeems, { token }));
    expect(taken).toMatchObject({ sPoints: -5, undoUntil: expect.any(String) });
    expect(results(await call(recentTopUps, { token: colleagueToken }))).toEqual([]);
    expect(results(await call(recentTopUps, { token, query: "?limit=1" }))).toHaveLength(1);
    for (const limit of ["0", "21", "x"]) {
      expect(await call(recentTopUps, { token, query: `?limit=${limit}` })).toMatchObject({
        status: 400,
        code: "validation",
      });
    }
  });
});

test("a recent list names what undid a movement", async () => {
  const mine = await makeCustomer(db, shop);
  const posted = await post({ body: { ...body, customerId: mine.id, sPoints: 30 } });
  const { _id } = posted.data as { _id: string };
  const undone = await call(reverse, { method: "POST", token, params: { id: _id }, body: {} });
  const list = (await call(recentTopUps, { token })).data as {
    results: { _id: string; reversedBy?: { _id: string } }[];
  };
  expect(list.results.find((one) => one._id === _id)?.reversedBy).toMatchObject({
    _id: (undone.data as { _id: string })._id,
    eType: "REVERSAL",
    sPoints: -30,
  });
});

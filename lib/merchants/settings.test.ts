import { describe, expect, test } from "vitest";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { changePlatform, changeSettings, viewPlatform } from "./settings";

const read = handlerOf("GET", "merchants/{id}/settings");
const write = handlerOf("PUT", "merchants/{id}/settings");
const topUp = handlerOf("POST", "top-up-points");

const db = await testDb();
const INITIAL = {
  eSpendOrder: "bonus_first",
  iRefundDays: 0,
  bTillRequired: false,
  iIdleLockMinutes: 3,
  iOfflineMaxTopup: 200,
  iOfflineMaxTotal: 2000,
  iDrawerTolerance: 500,
  iUnprovedWorkerDaily: 500,
  iRedeemAllowance: 50,
  iRedeemAllowanceCeiling: 200,
  aTenders: ["cash", "card", "bank", "online", "other"],
  bAskSaleRef: true,
  iPaperWidth: 80,
  oPending: null,
  oPendingWorker: null,
};
const get = (token: string, id: string) => call(read, { token, params: { id } });
const put = (token: string, id: string, body: object) =>
  call(write, { method: "PUT", token, params: { id }, body });
const settingsAudits = async (entityId: string) =>
  (await auditsOf(db, entityId)).filter(({ action }) => action === "merchant.settings");

describe("who may", () => {
  test("the owner and a super_admin read and change all of them", async () => {
    const { merchant, owner } = await makeMerchant(db);
    const all = {
      eSpendOrder: "paid_first",
      iRefundDays: 7,
      bTillRequired: true,
      iIdleLockMinutes: 0,
      iOfflineMaxTopup: 100,
      iOfflineMaxTotal: 1000,
      iDrawerTolerance: 0,
      iUnprovedWorkerDaily: 300,
      iRedeemAllowance: 200,
      aTenders: ["card", "cash"],
      bAskSaleRef: false,
      iPaperWidth: 58,
    };
    const expected = {
      ...all,
      aTenders: ["cash", "card"],
      iRedeemAllowanceCeiling: 200,
      oPending: null,
      oPendingWorker: null,
    };
    const tokens = [await tokenOf(db, owner), await tokenOf(db, await makeAdmin(db))];
    for (const token of tokens) {
      expect((await get(token, merchant.id)).data).toEqual(token === tokens[0] ? INITIAL : expected);
      expect(await put(token, merchant.id, all)).toMatchObject({ status: 200, data: expected });
    }
  });

  test("a worker and an administrator are refused, and a foreign merchant is not found", async () => {
    const shop = await makeMerchant(db);
    const { merchant } = await makeMerchant(db);
    const worker = await tokenOf(db, await makeWorker(db, shop));
    const admin = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
    for (const token of [worker, admin]) {
      expect(await get(token, shop.merchant.id)).toMatchObject({ status: 403, code: "forbidden" });
      expect(await put(token, shop.merchant.id, { iRefundDays: 1 })).toMatchObject({ status: 403 });
    }
    const owner = await tokenOf(db, shop.owner);
    const root = await tokenOf(db, await makeAdmin(db));
    for (const [token, id] of [
      [owner, merchant.id],
      [owner, "unknown"],
      [root, "unknown"],
    ] as const) {
      expect(await get(token, id)).toMatchObject({ status: 404, code: "merchant_not_found" });
      expect(await put(token, id, { iRefundDays: 1 })).toMatchObject({ status: 404 });
      expect(await put(token, id, {})).toMatchObject({ status: 404 });
    }
    expect(await call(read, { params: { id: merchant.id } })).toMatchObject({ status: 401 });
    expect(await settingsAudits(merchant.id)).toHaveLength(0);
  });
});

describe("a change", () => {
  test("takes any subset, keeps the rest and is audited with the values before and after", async () => {
    const { merchant, owner } = await makeMerchant(db);
    const token = await tokenOf(db, owner);
    await put(token, merchant.id, { iRefundDays: "٧" });
    await put(token, merchant.id, { aTenders: ["cash"], iRefundDays: 7 });
    await put(token, merchant.id, { iRefundDays: 7 });
    await put(token, merchant.id, {});
    expect(await get(token, merchant.id)).toMatchObject({
      data: { ...INITIAL, iRefundDays: 7, aTenders: ["cash"] },
    });
    expect(await settingsAudits(merchant.id)).toMatchObject([
      { actorId: owner.id, merchantId: merchant.id, before: { refundDays: 0 }, after: { refundDays: 7 } },
      { before: { tenders: INITIAL.aTenders }, after: { tenders: ["cash"] } },
    ]);
  });

  test.each([
    { iRefundDays: -1 },
    { iRefundDays: 366 },
    { iRefundDays: 1.5 },
    { iIdleLockMinutes: 121 },
    { iUnprovedWorkerDaily: "many" },
    { aTenders: [] },
    { aTenders: ["gold"] },
    { aTenders: "cash" },
    { bAskSaleRef: "yes" },
    { eSpendOrder: "any" },
    { iPaperWidth: 81 },
    { iPaperWidth: "wide" },
  ])("%j is refused at its field", async (body) => {
    const { merchant, owner } = await makeMerchant(db);
    const answer = await put(await tokenOf(db, owner), merchant.id, body);
    expect(answer).toMatchObject({ status: 400, code: "validation" });
    expect(answer.errors?.[0]?.path.startsWith(Object.keys(body)[0] ?? "")).toBe(true);
  });

  test("two at the same time of different settings both stand, and both are audited", async () => {
    const { merchant, owner } = await makeMerchant(db);
    const ctx = contextOf(db, owner);
    await Promise.all([
      changeSettings(ctx, { id: merchant.id, refundDays: 3 }),
      changeSettings(ctx, { id: merchant.id, askSaleRef: false }),
      changeSettings(ctx, { id: merchant.id, redeemAllowance: 100 }),
    ]);
    expect(await db.merchant.findUnique({ where: { id: merchant.id } })).toMatchObject({
      refundDays: 3,
      askSaleRef: false,
      redeemAllowance: 100,
    });
    expect(await settingsAudits(merchant.id)).toHaveLength(3);
  });
});

describe("the platform's ceiling of the allowance", () => {
  test("refuses an owner's and a super_admin's higher allowance with the limit", async () => {
    const { merchant, owner } = await makeMerchant(db);
    for (const token of [await tokenOf(db, owner), await tokenOf(db, await makeAdmin(db))]) {
      expect(await put(token, merchant.id, { iRedeemAllowance: 201, iRefundDays: 9 })).toMatchObject({
        status: 422,
        code: "allowance_ceiling",
        message: "The platform's maximum is 200 points a day without confirmation. Enter a lower limit.",
        errors: [{ path: "iRedeemAllowance" }],
      });
      expect(await get(token, merchant.id)).toMatchObject({ data: INITIAL });
    }
  });

  test("lets an allowance above it stay until it is changed", async () => {
    const { merchant, owner } = await makeMerchant(db, { redeemAllowance: 900 });
    const token = await tokenOf(db, owner);
    expect(await put(token, merchant.id, { iRefundDays: 1 })).toMatchObject({
      data: { iRedeemAllowance: 900 },
    });
    expect(await put(token, merchant.id, { iRedeemAllowance: 900 })).toMatchObject({ status: 200 });
    expect(await put(token, merchant.id, { iRedeemAllowance: 899 })).toMatchObject({ status: 422 });
    expect(await put(token, merchant.id, { iRedeemAllowance: 200 })).toMatchObject({ status: 200 });
    expect(await put(token, merchant.id, { iRedeemAllowance: 900 })).toMatchObject({ status: 422 });
  });

  test("is changed by a super_admin only, and each change is audited", async () => {
    const { merchant, owner } = await makeMerchant(db);
    const root = contextOf(db, await makeAdmin(db));
    const others = [contextOf(db, owner), contextOf(db, await makeAdmin(db, { role: "admin" }))];
    for (const ctx of others) {
      await expect(changePlatform(ctx, { redeemAllowanceCeiling: 999 })).rejects.toMatchObject({
        code: "forbidden",
      });
      await expect(viewPlatform(ctx, {})).rejects.toMatchObject({ code: "forbidden" });
    }
    await changePlatform(root, { redeemAllowanceCeiling: 400 });
    expect(await changePlatform(root, { redeemAllowanceCeiling: 400 })).toEqual({
      redeemAllowanceCeiling: 400,
      pending: null,
    });
    const token = await tokenOf(db, owner);
    expect(await put(token, merchant.id, { iRedeemAllowance: 400 })).toMatchObject({
      data: { iRedeemAllowance: 400, iRedeemAllowanceCeiling: 400 },
    });
    await changePlatform(root, { redeemAllowanceCeiling: 200 });
    expect(await get(token, merchant.id)).toMatchObject({ data: { iRedeemAllowance: 400 } });
    const { id } = await db.platformSettings.findFirstOrThrow();
    const audits = await auditsOf(db, id);
    expect(audits).toMatchObject([
      {
        actorId: root.actor.userId,
        before: { redeemAllowanceCeiling: 200 },
        after: { redeemAllowanceCeiling: 400 },
      },
      { before: { redeemAllowanceCeiling: 400 }, after: { redeemAllowanceCeiling: 200 } },
    ]);
  });

  test("has exactly one row", async () => {
    await expect(db.platformSettings.create({ data: {} })).rejects.toMatchObject({ code: "P2002" });
  });
});

describe("the tenders that a merchant accepts", () => {
  test("another is refused to its staff and a super_admin; without one, cash is meant", async () => {
    const shop = await makeMerchant(db, { tenders: ["card"] });
    const { id: customerId } = await makeCustomer(db, shop);
    const body = { customerId, sPoints: 10, iBranchId: shop.branch.id };
    for (const user of [shop.owner, await makeWorker(db, shop), await makeAdmin(db)]) {
      const token = await tokenOf(db, user);
      for (const more of [{ eTender: "cash" }, { eTender: "bank" }, {}]) {
        expect(await call(topUp, { method: "POST", token, body: { ...body, ...more } })).toMatchObject({
          status: 422,
          code: "tender_not_taken",
          errors: [{ path: "eTender" }],
        });
      }
      expect(await call(topUp, { method: "POST", token, body: { ...body, eTender: "card" } })).toMatchObject({
        status: 200,
      });
    }
    expect(await db.customer.findUnique({ where: { id: customerId } })).toMatchObject({ balance: 30 });
  });

  test("a repeat is answered with its first result although the tender is no longer accepted", async () => {
    const shop = await makeMerchant(db);
    const customer = await makeCustomer(db, shop);
    const token = await tokenOf(db, shop.owner);
    const request = {
      method: "POST",
      token,
      body: { customerId: customer.id, sPoints: 10, iBranchId: shop.branch.id, eTender: "bank" },
      headers: { "Idempotency-Key": `tender-${customer.id}` },
    };
    const first = await call(topUp, request);
    await put(token, shop.merchant.id, { aTenders: ["cash"] });
    expect(await call(topUp, request)).toEqual(first);
    const { headers: _, ...unkeyed } = request;
    expect(await call(topUp, unkeyed)).toMatchObject({ status: 422 });
  });
});

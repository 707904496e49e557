import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { redeem } from "@/lib/ledger/move-points";
import { merchantsToServe } from "@/lib/merchants/lookups";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { move } from "@/lib/testing/movements";

const view = handlerOf("GET", "customer-management/view/{id}");
const exists = handlerOf("POST", "customers/exists");
const merchantsCustomer = handlerOf("POST", "merchants-customer");

const db = await testDb();

describe("one customer", () => {
  test("has its status in the view, for workers too", async () => {
    const shop = await makeMerchant(db);
    const token = await tokenOf(db, await makeWorker(db, shop));
    const frozen = await makeCustomer(db, shop, { status: "frozen" });
    expect(await call(view, { token, params: { id: frozen.id } })).toMatchObject({
      status: 200,
      data: { eStatus: "frozen" },
    });
  });

  test("is found by the private or the public id, with the merchant of the card", async () => {
    const shop = await makeMerchant(db);
    const archived = await makeBranch(db, shop, { archivedAt: new Date() });
    const customer = await makeCustomer(db, shop, { fullName: "Layla" });
    const token = await tokenOf(db, await makeWorker(db, shop));
    for (const id of [customer.id, customer.publicId]) {
      const answer = await call(view, { token, params: { id } });
      expect(answer).toMatchObject({
        status: 200,
        data: {
          _id: customer.publicId,
          sUUID: customer.publicId,
          sFullName: "Layla",
          sBalance: 0,
          sCashValue: "0.00",
          dDateOfBirth: "1995-04-12",
          iMerchantId: {
            _id: shop.merchant.id,
            sBusinessName: shop.merchant.businessName,
            branches: [{ _id: shop.branch.id, sBranchName: shop.branch.name, sCity: "Doha" }],
          },
        },
      });
      expect(JSON.stringify(answer.data)).not.toContain(archived.id);
      expect((answer.data as { sQRCode: string }).sQRCode).toMatch(/^data:image\/png;base64,/);
    }
    const stranger = await tokenOf(db, (await makeMerchant(db)).owner);
    for (const id of [customer.id, randomUUID(), "layla"]) {
      expect(await call(view, { token: stranger, params: { id } })).toMatchObject({
        status: 404,
        code: "customer_not_found",
      });
    }
  });

  test("is associated only with the merchant of the card", async () => {
    const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
    const customer = await makeCustomer(db, shop);
    const worker = await makeWorker(db, shop);
    const admin = await makeAdmin(db);
    const ask = async (user: { id: string }, body: object) =>
      (await call(exists, { method: "POST", token: await tokenOf(db, user), body })).data;
    const is = (value: boolean) => ({ exists: value });
    const customerId = customer.publicId;
    expect(await ask(worker, { customerId, merchantId: shop.merchant.id })).toEqual(is(true));
    expect(await ask(worker, { customerId, merchantId: shop.owner.id })).toEqual(is(true));
    expect(await ask(worker, { customerId, merchantId: worker.id })).toEqual(is(true));
    expect(await ask(worker, { customerId, merchantId: other.merchant.id })).toEqual(is(false));
    expect(await ask(other.owner, { customerId, merchantId: shop.merchant.id })).toEqual(is(false));
    expect(await ask(other.owner, { customerId, merchantId: other.merchant.id })).toEqual(is(false));
    expect(await ask(admin, { customerId, adminId: admin.id })).toEqual(is(true));
    expect(await ask(admin, { customerId, adminId: other.merchant.id })).toEqual(is(false));
    expect(await ask(admin, { customerId: "nobody", adminId: admin.id })).toEqual(is(false));
    const token = await tokenOf(db, worker);
    expect(await call(exists, { method: "POST", token, body: { customerId } })).toMatchObject({
      status: 400,
      errors: [{ path: "merchantId", message: "Please choose a merchant" }],
    });
    expect(await call(exists, { method: "POST", token, body: { merchantId: 5 } })).toMatchObject({
      status: 400,
      code: "validation",
    });
  });
});

test("an e-mail finds the merchants of its cards within the reader's reach", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const email = uniqueEmail("shared");
  await Promise.all([makeCustomer(db, shop, { email }), makeCustomer(db, other, { email })]);
  const ask = async (user: { id: string }, body: object) =>
    call(merchantsCustomer, { method: "POST", token: await tokenOf(db, user), body });
  const names = (answer: Awaited<ReturnType<typeof ask>>) =>
    (answer.data as { merchants: { _id: string }[] }).merchants.map(({ _id }) => _id);
  expect(names(await ask(shop.owner, { sEmail: email.toUpperCase() }))).toEqual([shop.merchant.id]);
  const all = names(await ask(await makeAdmin(db), { sEmail: email }));
  expect(new Set(all)).toEqual(new Set([shop.merchant.id, other.merchant.id]));
  expect(names(await ask(shop.owner, { sEmail: "nobody@example.test" }))).toEqual([]);
  expect(await ask(shop.owner, { sEmail: "no e-mail" })).toMatchObject({ status: 400, code: "validation" });
});

test("the merchants to choose from have the Arabic names of their branches, as a served customer's has", async () => {
  const shop = await makeMerchant(db);
  const branch = await makeBranch(db, shop, { name: "Lusail", nameAr: "لوسيل" });
  const { email } = await makeCustomer(db, shop);
  const token = await tokenOf(db, shop.owner);
  const found = await call(merchantsCustomer, { method: "POST", token, body: { sEmail: email } });
  const named = { _id: branch.id, sBranchName: "Lusail", sBranchNameAr: "لوسيل" };
  expect(found).toMatchObject({
    data: { merchants: [{ branches: expect.arrayContaining([expect.objectContaining(named)]) }] },
  });
  const [choice] = await merchantsToServe(contextOf(db, shop.owner), {});
  expect(choice?.branches).toContainEqual(expect.objectContaining({ id: branch.id, nameAr: "لوسيل" }));
});

test("the view says how much can still be redeemed today without confirmation", async () => {
  const shop = await makeMerchant(db, { redeemAllowance: 50, unprovedWorkerDaily: 60 });
  const [worker, colleague] = [await makeWorker(db, shop), await makeWorker(db, shop)];
  const [first, second] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
  for (const customer of [first, second]) await move(db, shop, customer, { points: 100 });
  const left = async (user: { id: string }, { id }: { id: string }) => {
    const answer = await call(view, { token: await tokenOf(db, user), params: { id } });
    return (answer.data as { oLimits: { iUnconfirmedRedeem: number } }).oLimits.iUnconfirmedRedeem;
  };
  expect([await left(worker, first), await left(shop.owner, first)]).toEqual([50, 50]);
  const at = { customerId: first.id, branchId: shop.branch.id };
  await redeem(contextOf(db, worker), { ...at, points: 30 });
  expect([await left(worker, first), await left(shop.owner, first)]).toEqual([20, 20]);
  // The worker's own day is nearly used up, whichever card it is; a colleague's is not.
  expect([await left(worker, second), await left(colleague, second)]).toEqual([30, 50]);
  // A lower allowance than what was redeemed leaves nothing, not less.
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { redeemAllowance: 10 } });
  expect(await left(colleague, first)).toBe(0);
});

import { expect, test, vi } from "vitest";
import { readCard } from "@/lib/cards/card";
import { signUp } from "@/lib/cards/sign-up";
import { issueCode } from "@/lib/codes/codes";
import { searchPanel } from "@/lib/counter/find";
import { getDb } from "@/lib/db/client";
import type { Merchant } from "@/lib/db/generated/client";
import { listMovements } from "@/lib/ledger/read-movements";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { runJobs } from "@/lib/testing/jobs";
import { move } from "@/lib/testing/movements";
import { giveCustomerCodes, queueCustomerCodes } from "./give-codes";
import { newCustomerCode, parseCustomerCode, parseReceiptNumber } from "./model/customer-code";

// The codes that chance answers next.
const chance = vi.hoisted(() => ({ next: [] as string[] }));
vi.mock("./model/customer-code", async (original) => {
  const model = await original<typeof import("./model/customer-code")>();
  return { ...model, newCustomerCode: () => chance.next.shift() ?? model.newCustomerCode() };
});

const db = await testDb();
const FORM = /^[B-DF-HJ-NP-TV-Z2-9]{6}$/;

/** Signs an e-mail up, with a code that was mailed to it. */
async function register(merchant: Merchant, email = uniqueEmail()) {
  const code = await issueCode(db, { purpose: "register", email }, "10.1.1.1", new Date());
  const who = { fullName: "Moza", phone: "+97455123456", dateOfBirth: "1995-04-12", consent: true };
  return signUp(publicContext(getDb()), { ...who, email, merchantId: merchant.id, code });
}

const codesOf = async (merchant: Merchant) =>
  (await db.customer.findMany({ where: { merchantId: merchant.id } })).map(({ code }) => code);

/** Cards as servers of the version before make them. */
const makeOld = (merchant: Merchant, count: number) =>
  db.customer.createMany({
    data: Array.from({ length: count }, (_, n) => ({ merchantId: merchant.id, fullName: `Old ${n}` })),
  });

const give = () => giveCustomerCodes({ db: getDb(), transport: undefined as never }, {});

test("a code has six letters and digits without vowels, 0 and 1, and is read in either case and any digits", () => {
  for (let n = 0; n < 1_000; n++) expect(newCustomerCode()).toMatch(FORM);
  expect(parseCustomerCode(" k7m2qd ")).toBe("K7M2QD");
  expect(parseCustomerCode("K٧M٢QD")).toBe("K7M2QD");
  for (const text of ["K7M2Q", "K7M2QDD", "K7M2Q0", "A7M2QD", "K7M2QD-14", ""]) {
    expect(parseCustomerCode(text)).toBeNull();
  }
  expect(parseReceiptNumber("k7m2qd-١٤")).toEqual({ code: "K7M2QD", seq: 14 });
  for (const text of ["K7M2QD", "K7M2QD-", "K7M2QD-0", "K7M2QD-01", "K7M2QD-9999999999"]) {
    expect(parseReceiptNumber(text)).toBeNull();
  }
});

test("whoever registers gets a code; one that is taken is answered with another, at another shop it is free", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  chance.next = ["K7M2QD"];
  await register(shop.merchant);
  chance.next = ["K7M2QD", "K7M2QD", "Z9Z9Z9"];
  await register(shop.merchant);
  expect((await codesOf(shop.merchant)).sort()).toEqual(["K7M2QD", "Z9Z9Z9"]);
  chance.next = ["K7M2QD"];
  await register(other.merchant);
  expect(await codesOf(other.merchant)).toEqual(["K7M2QD"]);
  await register(other.merchant);
  expect((await codesOf(other.merchant)).every((code) => FORM.test(code ?? ""))).toBe(true);
});

test("of many registrations at once that begin with the same code each gets a card, and one the code", async () => {
  const { merchant } = await makeMerchant(db);
  chance.next = Array.from({ length: 12 }, () => "K7M2QD");
  const cards = await Promise.all(Array.from({ length: 12 }, () => register(merchant)));
  expect(cards.every(({ isNewRegistration }) => isNewRegistration)).toBe(true);
  const codes = await codesOf(merchant);
  expect(new Set(codes).size).toBe(12);
  expect(codes.filter((code) => code === "K7M2QD")).toHaveLength(1);
});

test("an e-mail that has a card gets it back with its code, whatever chance says", async () => {
  const shop = await makeMerchant(db);
  const email = uniqueEmail();
  const card = await makeCustomer(db, shop, { email, code: "K7M2QD" });
  await makeCustomer(db, shop, { code: "Z9Z9Z9" });
  for (const code of ["K7M2QD", "Z9Z9Z9", "B2B2B2"]) {
    chance.next = [code];
    expect(await register(shop.merchant, email)).toMatchObject({
      customerId: card.id,
      isNewRegistration: false,
    });
  }
  chance.next = [];
  expect((await codesOf(shop.merchant)).sort()).toEqual(["K7M2QD", "Z9Z9Z9"]);
});

test("the database refuses a code of another form, a second card with one, and a change of it", async () => {
  const shop = await makeMerchant(db);
  const card = await makeCustomer(db, shop, { code: "K7M2QD" });
  for (const code of ["K7M2Q1", "k7m2qd", "K7M2QDX", ""]) {
    await expect(makeCustomer(db, shop, { code })).rejects.toThrow("customers_code_form");
  }
  await expect(makeCustomer(db, shop, { code: "K7M2QD" })).rejects.toMatchObject({ code: "P2002" });
  for (const code of ["Z9Z9Z9", null]) {
    const change = db.customer.update({ where: { id: card.id }, data: { code } });
    await expect(change).rejects.toThrow("a card keeps its code");
  }
});

test("a job gives old cards their codes, in parts, though chance repeats itself and two run at once", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const card = await makeCustomer(db, shop, { code: "K7M2QD" });
  await makeOld(shop.merchant, 1_101);
  await makeOld(other.merchant, 3);
  chance.next = ["K7M2QD", "B2B2B2", "B2B2B2"];
  await Promise.all([give(), give()]);
  expect(await db.customer.count({ where: { code: null } })).toBe(0);
  const codes = await codesOf(shop.merchant);
  expect(new Set(codes).size).toBe(1_102);
  expect(await db.customer.findUniqueOrThrow({ where: { id: card.id } })).toMatchObject({ code: "K7M2QD" });
  await give();
  expect((await codesOf(shop.merchant)).sort()).toEqual(codes.sort());
});

test("a card that somebody holds gets its code in the next run, which the sweep queues as long as one lacks it", async () => {
  const { merchant } = await makeMerchant(db);
  await makeOld(merchant, 2);
  const [held] = await db.customer.findMany({ where: { merchantId: merchant.id } });
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`select 1 from customers where id = ${held?.id}::uuid for update`;
    await queueCustomerCodes(getDb());
    await runJobs(getDb(), { give_customer_codes: giveCustomerCodes });
    expect((await codesOf(merchant)).filter((code) => code === null)).toHaveLength(1);
  });
  const queued = () => db.$queryRaw`select key from graphile_worker.jobs`;
  await queueCustomerCodes(getDb());
  await queueCustomerCodes(getDb());
  expect(await queued()).toEqual([{ key: "give_customer_codes" }]);
  await runJobs(getDb(), { give_customer_codes: giveCustomerCodes });
  expect(await codesOf(merchant)).not.toContain(null);
  await queueCustomerCodes(getDb());
  expect(await queued()).toEqual([]);
});

test("the counter finds a card by its whole code, at its own shop only, and shows contacts masked", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const card = await makeCustomer(db, shop, { fullName: "Moza", email: uniqueEmail("moza"), code: "K7M2QD" });
  const theirs = await makeCustomer(db, other, { fullName: "Huda", code: "K7M2QD" });
  const search = handlerOf("GET", "top-up-points/search-customers");
  const find = async (token: string, term: string) =>
    (await call(search, { token, query: `?search=${encodeURIComponent(term)}` })).data;
  const [worker, owner] = [await tokenOf(db, await makeWorker(db, shop)), await tokenOf(db, shop.owner)];
  for (const term of ["K7M2QD", " k7m2qd", "K٧M٢QD"]) {
    expect(await find(worker, term)).toMatchObject([
      {
        _id: card.publicId,
        sEmail: expect.stringMatching(/^m•••@/),
        sPhoneNumber: expect.stringMatching("••••"),
      },
    ]);
    expect(await find(owner, term)).toMatchObject([{ _id: card.id, sEmail: card.email }]);
  }
  for (const term of ["K7M2Q", "7M2QD", "K7M2QDD"]) expect(await find(worker, term)).toEqual([]);
  expect(await find(await tokenOf(db, other.owner), "K7M2QD")).toMatchObject([{ sUUID: theirs.publicId }]);
  // Who sees all shops would see the cards of each.
  expect(await find(await tokenOf(db, await makeAdmin(db)), "K7M2QD")).toEqual([]);
});

test("a transaction is found by its receipt's number, by who may read it", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const card = await makeCustomer(db, shop, { code: "K7M2QD" });
  const first = await move(db, shop, card, { points: 40 });
  const second = await move(db, shop, card, { type: "REDEEM", points: 10 });
  await move(db, other, await makeCustomer(db, other, { code: "K7M2QD" }), { points: 5 });
  const owner = contextOf(getDb(), shop.owner);
  const found = async (search: string, ctx = owner) =>
    (await listMovements(ctx, { search })).results.map(({ id }) => id);
  expect(await found("k7m2qd-2")).toEqual([second.id]);
  expect(await found("K7M2QD")).toEqual([second.id, first.id]);
  expect(await found("K7M2QD-3")).toEqual([]);
  expect(await searchPanel(owner, { search: "K7M2QD-1" })).toMatchObject({
    transactions: [{ id: first.id }],
  });
  const worker = contextOf(getDb(), await makeWorker(db, shop));
  expect(await found("K7M2QD-2", worker)).toEqual([]);
  expect((await searchPanel(worker, { search: "K7M2QD-1" })).transactions).toEqual([]);
  const admin = contextOf(getDb(), await makeAdmin(db));
  expect(await found("K7M2QD-2", admin)).toEqual([]);
  const { results } = await listMovements(admin, { search: "K7M2QD-2", merchantId: shop.merchant.id });
  expect(results).toMatchObject([{ receiptNumber: "K7M2QD-2", customerCode: "K7M2QD" }]);
});

test("a code opens nothing: no call takes it for a card's id", async () => {
  const shop = await makeMerchant(db);
  const card = await makeCustomer(db, shop, { code: "K7M2QD" });
  for (const path of ["customer/{id}/balance", "customer/{id}/loyalty-card.pdf", "customer/{id}/my-data"]) {
    expect((await call(handlerOf("GET", path), { params: { id: "K7M2QD" } })).status).not.toBe(200);
  }
  const token = await tokenOf(db, shop.owner);
  const view = handlerOf("GET", "customer-management/view/{id}");
  expect(await call(view, { token, params: { id: "K7M2QD" } })).toMatchObject({ status: 404 });
  const post = handlerOf("POST", "top-up-points");
  const body = { customerId: "K7M2QD", sPoints: 5, iBranchId: shop.branch.id };
  expect(await call(post, { token, method: "POST", body })).toMatchObject({ status: 404 });
  const list = await call(handlerOf("GET", "customer-management"), { token });
  expect(list.data).toMatchObject({ customers: [{ _id: card.id, sUUID: card.publicId, sCode: "K7M2QD" }] });
});

test("a card without a code yet shows the public id, and its movements their own id", async () => {
  const shop = await makeMerchant(db);
  const card = await makeCustomer(db, shop, { code: null });
  const { id } = await move(db, shop, card, { points: 40 });
  expect(await readCard(publicContext(db), { customerId: card.id })).toMatchObject({ code: null });
  const { results } = await listMovements(contextOf(db, shop.owner), {});
  expect(results).toMatchObject([{ id, receiptNumber: id, customerCode: null }]);
  await give();
  const { code } = await db.customer.findUniqueOrThrow({ where: { id: card.id } });
  expect(await listMovements(contextOf(db, shop.owner), {})).toMatchObject({
    results: [{ id, receiptNumber: `${code}-1` }],
  });
});

import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { GET as view } from "@/app/api/customer-management/view/[id]/route";
import { POST as exists } from "@/app/api/customers/exists/route";
import { POST as merchantsCustomer } from "@/app/api/merchants-customer/route";
import { GET as search } from "@/app/api/top-up-points/search-customers/route";
import { sendCode } from "@/lib/cards/sign-up";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { endLots } from "@/lib/testing/end-lots";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
  uniqueEmail,
} from "@/lib/testing/factories";
import { postRow } from "@/lib/testing/post-rows";
import { sendRedeemCode } from "./send-redeem-code";

const db = await testDb();
const find = async (token: string, term: string) => {
  const answer = await call(search, { token, query: `?search=${encodeURIComponent(term)}` });
  return (answer.data as { sFullName: string }[]).map((found) => found.sFullName);
};

describe("the search", () => {
  test("finds customers of the same merchant by three letters of name, e-mail or phone", async () => {
    const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
    const token = await tokenOf(db, await makeWorker(db, shop));
    const admin = await tokenOf(db, await makeAdmin(db));
    const email = uniqueEmail("noura");
    await makeCustomer(db, shop, { fullName: "Noura Al-Kuwari", phone: "+97455123987", email });
    await makeCustomer(db, shop, { fullName: "ليلى الكواري" });
    await makeCustomer(db, other, { fullName: "Noura Elsewhere", phone: "+97455123986" });
    await makeCustomer(db, shop, { fullName: "100%_off" });
    expect(await find(token, "NOU")).toEqual(["Noura Al-Kuwari"]);
    expect(await find(token, "kuw")).toEqual(["Noura Al-Kuwari"]);
    const owner = await tokenOf(db, shop.owner);
    expect(await find(owner, "5512 398")).toEqual(["Noura Al-Kuwari"]);
    expect(await find(token, "+974 ٥٥١٢ ٣٩٨٧")).toEqual(["Noura Al-Kuwari"]);
    expect(await find(owner, email.slice(0, 12))).toEqual(["Noura Al-Kuwari"]);
    expect(await find(token, "كوار")).toEqual(["ليلى الكواري"]);
    expect(await find(token, "%_o")).toEqual(["100%_off"]);
    expect(await find(token, "%%%")).toEqual([]);
    expect(await find(token, "no")).toEqual([]);
    expect(await find(token, "")).toEqual([]);
    expect(await find(admin, "Noura ")).toEqual(["Noura Al-Kuwari", "Noura Elsewhere"]);
  });

  test("makes no difference between forms of Arabic letters, hyphens, spaces, accents and cases", async () => {
    const shop = await makeMerchant(db);
    const token = await tokenOf(db, await makeWorker(db, shop));
    const names = ["نورة آل ثاني", "أحمد إبراهيم", "مُصطفى", "Al-Thani, Hamad", "José  Núñez", "عائشة"];
    for (const fullName of names) await makeCustomer(db, shop, { fullName });
    const found: [string, string | undefined][] = [
      ["نوره", names[0]],
      ["ال ثانى", names[0]],
      ["احمد ابراهيم", names[1]],
      ["مصطفي", names[2]],
      ["al thani", names[3]],
      ["AL-THANI", names[3]],
      ["al‑thani", names[3]],
      ["jose nunez", names[4]],
      ["عايشه", names[5]],
      ["عـائـشـة", names[5]],
    ];
    for (const [term, name] of found) expect([term, await find(token, term)]).toEqual([term, [name]]);
    for (const term of ["---", "ًًً", "－－－"]) expect(await find(token, term)).toEqual([]);
  });

  test("answers at most twenty customers under the API's names, and no erased card", async () => {
    const shop = await makeMerchant(db);
    const token = await tokenOf(db, shop.owner);
    await Promise.all(
      Array.from({ length: 21 }, (_, at) => makeCustomer(db, shop, { fullName: `Twin ${at}` })),
    );
    const erased = { email: null, phone: null, dateOfBirth: null, erasedAt: new Date() };
    await makeCustomer(db, shop, { fullName: "Gone Person", status: "erased", ...erased });
    expect(await find(token, "twin")).toHaveLength(20);
    expect(await find(token, "gone")).toEqual([]);
    const answer = await call(search, { token, query: "?search=twin%2011" });
    expect(answer).toMatchObject({ status: 200, data: [{ sBalance: 0, sCashValue: "0.00" }] });
    expect(await call(search, { token, query: `?search=${"x".repeat(101)}` })).toMatchObject({
      status: 400,
      code: "validation",
    });
    expect(await call(search, { query: "?search=twin" })).toMatchObject({ status: 401 });
    const admin = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
    expect(await call(search, { token: admin, query: "?search=twin" })).toMatchObject({ status: 403 });
  });
});

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
          _id: customer.id,
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

test("a redemption code goes to the customer's e-mail, and the answer masks it", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop, { locale: "ar" });
  const ctx = contextOf(db, await makeWorker(db, shop));
  const { sentTo } = await sendRedeemCode(ctx, { customerId: customer.publicId });
  expect(sentTo).toMatch(/^la•••@example\.test$/);
  const mail = await db.email.findFirstOrThrow({ where: { recipient: customer.email ?? "" } });
  expect(mail).toMatchObject({ locale: "ar" });
  const frozen = await makeCustomer(db, shop, { status: "frozen" });
  await expect(sendRedeemCode(ctx, { customerId: frozen.id })).rejects.toMatchObject({
    code: "customer_frozen",
  });
  const stranger = await makeCustomer(db, await makeMerchant(db));
  await expect(sendRedeemCode(ctx, { customerId: stranger.id })).rejects.toMatchObject({
    code: "customer_not_found",
  });
});

test.each([
  ["en", "redeem 80 points or less"],
  ["ar", "لاستبدال 80 نقطة أو أقل"],
] as const)("the e-mail with a redemption code names amount and merchant, in %s", async (locale, amount) => {
  const shop = await makeMerchant(db, { redeemAllowance: 30 });
  const customer = await makeCustomer(db, shop, { locale });
  const ctx = contextOf(db, await makeWorker(db, shop));
  const newest = () =>
    db.email.findFirstOrThrow({
      where: { recipient: customer.email ?? "" },
      orderBy: { createdAt: "desc" },
    });
  await sendRedeemCode(ctx, { customerId: customer.id, points: 80 });
  expect((await newest()).text).toContain(amount);
  expect((await newest()).text).toContain(shop.merchant.businessName);
  // Without an amount it is good for what needs no proof.
  await sendRedeemCode(ctx, { customerId: customer.id });
  expect((await newest()).text).toContain(amount.replace("80", "30"));
  const codes = await db.code.findMany({ where: { customerId: customer.id }, orderBy: { createdAt: "asc" } });
  expect(codes.map(({ points }) => points)).toEqual([80, 30]);
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { redeemAllowance: 0 } });
  await expect(sendRedeemCode(ctx, { customerId: customer.id })).rejects.toMatchObject({
    code: "validation",
    problems: [{ path: "points", message: "validation.points.required" }],
  });
});

test("strangers in the shop's Wi-Fi do not use up the counter's limit of codes", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, await makeWorker(db, shop), { address: "10.5.0.1" });
  const signUp = () => sendCode({ ...ctx, actor: null }, { email: uniqueEmail() });
  const expire = new Date(Date.now() + 60_000);
  await db.rateLimit.create({ data: { key: `codes-address-register:${ctx.address}`, points: 200, expire } });
  await expect(signUp()).rejects.toMatchObject({ code: "rate_limited" });
  await expect(sendRedeemCode(ctx, { customerId: customer.id })).resolves.toMatchObject({ seconds: 300 });
});

test("the search shows what can be spent, and the mark of a staff's card is for the owner", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop, { fullName: "Bonus Holder", phone: worker.phone });
  const ends_at = new Date(Date.now() + 86_400_000);
  await postRow(db, shop, { type: "TOP_UP", customer: customer.id, points: 70 });
  await postRow(db, shop, { type: "BONUS", customer: customer.id, points: 30, reason: "x", ends_at });
  const [owned, served] = [await tokenOf(db, shop.owner), await tokenOf(db, worker)];
  const balances = async () => {
    const found = (await call(search, { token: owned, query: "?search=Bonus%20Holder" })).data;
    return (found as { sBalance: number; sCashValue: string }[]).map((one) => [one.sBalance, one.sCashValue]);
  };
  expect(await balances()).toEqual([[100, "100.00"]]);
  await endLots(db, customer.id);
  expect(await balances()).toEqual([[70, "70.00"]]);
  const params = { id: customer.id };
  expect((await call(view, { token: owned, params })).data).toMatchObject({
    bHeldByStaff: true,
    sBalance: 70,
  });
  expect((await call(view, { token: served, params })).data).not.toHaveProperty("bHeldByStaff");
});

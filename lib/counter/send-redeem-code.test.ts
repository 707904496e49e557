import { expect, test } from "vitest";
import { sendCode } from "@/lib/cards/sign-up";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker, uniqueEmail } from "@/lib/testing/factories";
import { sendRedeemCode } from "./serve-customer";

const db = await testDb();

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

test.each([2 ** 31, Number.MAX_SAFE_INTEGER])(
  "no code is mailed for %d points, which no card holds",
  async (points) => {
    const shop = await makeMerchant(db);
    const customer = await makeCustomer(db, shop);
    const ctx = contextOf(db, await makeWorker(db, shop));
    await expect(sendRedeemCode(ctx, { customerId: customer.id, points })).rejects.toMatchObject({
      code: "validation",
      problems: [{ path: "points", message: "validation.points.tooLarge" }],
    });
    expect(await db.email.count({ where: { recipient: customer.email ?? "" } })).toBe(0);
  },
);

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

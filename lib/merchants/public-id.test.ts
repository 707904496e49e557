import { expect, test } from "vitest";
import { sendCode, verifyCode } from "@/lib/cards/sign-up";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeAdmin, makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { signupMerchant } from "./lookups";

const sendOtp = handlerOf("POST", "auth/send-otp");
const customerExist = handlerOf("POST", "customer-exist");
const register = handlerOf("POST", "customers/register");
const view = handlerOf("GET", "merchants/{id}");
const profile = handlerOf("GET", "profile");

const db = await testDb();

test("the sign-up link has a random id of its own, and answers keep the merchant's id", async () => {
  const { merchant, owner } = await makeMerchant(db);
  // The version digit of a random UUID, where the merchant's own id has that of a time.
  expect([merchant.publicId[14], merchant.id[14]]).toEqual(["4", "7"]);
  const link = `http://localhost:3000/customer/signup/${merchant.publicId}`;
  expect(await call(profile, { token: await tokenOf(db, owner) })).toMatchObject({
    data: { iMerchantId: merchant.id, merchant: { _id: merchant.id, sSignupUrl: link } },
  });
  const token = await tokenOf(db, await makeAdmin(db));
  expect(await call(view, { token, params: { id: merchant.id } })).toMatchObject({
    data: { _id: merchant.id, sSignupUrl: link },
  });
});

test("a sign-up link works with either id", async () => {
  const { merchant } = await makeMerchant(db);
  for (const merchantId of [merchant.id, merchant.publicId]) {
    expect(await signupMerchant(publicContext(db), { merchantId })).toMatchObject({
      id: merchant.id,
      publicId: merchant.publicId,
    });
  }
});

test.each(["id", "publicId"] as const)("public calls take the merchant's %s", async (name) => {
  const { merchant } = await makeMerchant(db);
  const other = await makeMerchant(db);
  const iMerchantId = merchant[name];
  const email = uniqueEmail("layla");
  const channel = { sType: "EMAIL", sAuth: "REGISTER" };
  expect(
    await call(sendOtp, { method: "POST", body: { ...channel, sLogin: email, iMerchantId } }),
  ).toMatchObject({ status: 200 });
  const mail = await db.email.findFirstOrThrow({ where: { recipient: email } });
  expect(mail.text).toContain(merchant.businessName);
  const exists = (id: string) =>
    call(customerExist, { method: "POST", body: { sEmail: email, iMerchantId: id } });
  expect(await exists(iMerchantId)).toMatchObject({ data: { exists: false } });

  await sendCode(publicContext(db), { email });
  const mails = await db.email.findMany({ where: { recipient: email }, orderBy: { id: "desc" } });
  const code = /\b\d{6}\b/.exec(mails[0]?.text ?? "")?.[0] ?? "";
  const { verification } = await verifyCode(publicContext(db), { email, code });
  const body = {
    sFullName: "Layla Haddad",
    sEmail: email,
    sPhoneNumber: "55123456",
    dDateOfBirth: "1995-04-12",
    iMerchantId,
    sVerification: verification,
  };
  const made = await call(register, { method: "POST", body });
  expect(made).toMatchObject({ status: 200, data: { isNewRegistration: true } });
  const { _id } = made.data as { _id: string };
  expect(await db.customer.findUnique({ where: { id: _id } })).toMatchObject({ merchantId: merchant.id });
  expect(await exists(iMerchantId)).toMatchObject({ data: { exists: true } });
  expect(await exists(other.merchant[name])).toMatchObject({ data: { exists: false } });
});

test("a customer's own id is no merchant's", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  await expect(signupMerchant(publicContext(db), { merchantId: customer.publicId })).rejects.toMatchObject({
    code: "merchant_unavailable",
  });
});

import { expect, test } from "vitest";
import type { PublicContext } from "@/lib/db/context";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";
import { addCardDevice, endableDevice, endDevice, findCardHolder } from "./card-holder";
import { dateOfBirthSchema, type RegisterCustomer } from "./model/card-holder";
import { registerCustomer, sendCode, signUp, verifyCode } from "./sign-up";

const db = await testDb();
const at = (minutes: number): Partial<PublicContext> => ({
  clock: () => new Date(Date.now() + minutes * 60_000),
});

async function requestCode(email: string, ctx = publicContext(db)): Promise<string> {
  await sendCode(ctx, { email });
  const row = await db.email.findFirstOrThrow({
    where: { recipient: email },
    orderBy: { createdAt: "desc" },
  });
  return /\b\d{6}\b/.exec(row.text)?.[0] ?? "";
}

const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

function details(email: string, merchantId: string, verification?: string): RegisterCustomer {
  const who = { fullName: "Layla Haddad", phone: "+97455123456", dateOfBirth: "1995-04-12", consent: true };
  return { ...who, email, merchantId, verification };
}

test("a verified e-mail gets a card, a device of its holder and a welcome e-mail", async () => {
  const { merchant } = await makeMerchant(db);
  const email = uniqueEmail();
  const ctx = publicContext(db, { locale: "ar" });
  const { verification } = await verifyCode(ctx, { email, code: await requestCode(email) });
  const card = await registerCustomer(ctx, details(email, merchant.id, verification));
  expect(card.isNewRegistration).toBe(true);
  const row = await db.customer.findUniqueOrThrow({ where: { id: card.customerId } });
  expect(row).toMatchObject({
    email,
    merchantId: merchant.id,
    phone: "+97455123456",
    locale: "ar",
    balance: 0,
  });
  expect(row.consentAt).not.toBeNull();
  expect(await findCardHolder(db, row.id, card.holderToken)).not.toBeNull();
  expect(await findCardHolder(db, row.id, "another")).toBeNull();
  expect(await findCardHolder(db, (await makeCustomer(db, { merchant })).id, card.holderToken)).toBeNull();
  const mails = await db.email.findMany({ where: { recipient: email } });
  expect(mails.some((mail) => mail.text.includes(`/customer/loyalty-card/${row.id}`))).toBe(true);
  await expect(registerCustomer(ctx, details(email, merchant.id, verification))).rejects.toMatchObject({
    code: "verification_required",
  });
});

test("an e-mail with a card gets the same card, unchanged", async () => {
  const { merchant } = await makeMerchant(db);
  const old = await makeCustomer(db, { merchant });
  const email = old.email ?? "";
  const { verification } = await verifyCode(publicContext(db), { email, code: await requestCode(email) });
  const again = { ...details(email, merchant.id, verification), fullName: "Somebody Else" };
  const card = await registerCustomer(publicContext(db), again);
  expect(card).toMatchObject({ customerId: old.id, isNewRegistration: false });
  expect(await db.customer.count({ where: { merchantId: merchant.id } })).toBe(1);
  expect((await db.customer.findUniqueOrThrow({ where: { id: old.id } })).fullName).toBe(old.fullName);
});

test("at the verifier's address, others get no existing card without the verification's secret", async () => {
  const { merchant } = await makeMerchant(db);
  const old = await makeCustomer(db, { merchant });
  const email = old.email ?? "";
  const here = publicContext(db, { address: "10.3.1.1" });
  const { verification } = await verifyCode(here, { email, code: await requestCode(email, here) });
  const refused = { code: "verification_required" };
  await expect(registerCustomer(here, details(email, merchant.id))).rejects.toMatchObject(refused);
  expect(await db.cardDevice.count({ where: { customerId: old.id } })).toBe(0);
  // The verification is still there for whoever has its secret.
  const card = await registerCustomer(here, details(email, merchant.id, verification));
  expect(card).toMatchObject({ customerId: old.id, isNewRegistration: false });
});

test("the holder is mailed about a new device, and the link ends that device alone, once", async () => {
  const { merchant } = await makeMerchant(db);
  const old = await makeCustomer(db, { merchant }, { locale: "ar" });
  const email = old.email ?? "";
  const own = await addCardDevice(db, old.id, new Date());
  const ctx = publicContext(db);
  const card = await signUp(ctx, { ...details(email, merchant.id), code: await requestCode(email) });
  const mail = await db.email.findFirstOrThrow({ where: { recipient: email, customerId: old.id } });
  expect(mail).toMatchObject({ locale: "ar" });
  const token = /\/card\/device\/(\S+)/.exec(mail.text)?.[1] ?? "";
  const call = withSecrets(ctx);
  expect(await call(endableDevice, { token })).toMatchObject({ businessName: merchant.businessName });
  expect(await findCardHolder(db, old.id, card.holderToken)).not.toBeNull();
  await expect(call(endDevice, { token: `${token}x` })).rejects.toMatchObject({ code: "link_invalid" });
  const ends = await Promise.allSettled([1, 2, 3].map(() => call(endDevice, { token })));
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await findCardHolder(db, old.id, card.holderToken)).toBeNull();
  expect(await findCardHolder(db, old.id, own)).not.toBeNull();
  await expect(call(endDevice, { token })).rejects.toMatchObject({ code: "link_used" });
  expect((await auditsOf(db, old.id)).map(({ action }) => action)).toContain("customer.device_ended");
});

test("parallel registrations of one e-mail create one card", async () => {
  const { merchant } = await makeMerchant(db);
  const email = uniqueEmail();
  const proofs: string[] = [];
  for (let n = 0; n < 5; n++) {
    const code = await requestCode(email, publicContext(db, at(n / 100)));
    proofs.push((await verifyCode(publicContext(db, at(n / 100)), { email, code })).verification);
  }
  const cards = await Promise.all(
    proofs.map((proof) => registerCustomer(publicContext(db), details(email, merchant.id, proof))),
  );
  expect(new Set(cards.map((card) => card.customerId)).size).toBe(1);
  expect(cards.filter((card) => card.isNewRegistration)).toHaveLength(1);
});

test("one verification registers once, even in parallel", async () => {
  const { merchant } = await makeMerchant(db);
  const email = uniqueEmail();
  const { verification } = await verifyCode(publicContext(db), { email, code: await requestCode(email) });
  const tries = Array.from({ length: 10 }, () =>
    registerCustomer(publicContext(db), details(email, merchant.id, verification)),
  );
  const good = (await Promise.allSettled(tries)).filter((result) => result.status === "fulfilled");
  expect(good).toHaveLength(1);
});

test("without the secret, only the verifying network address can register, within 15 minutes", async () => {
  const { merchant } = await makeMerchant(db);
  const email = uniqueEmail();
  const here = { address: "10.3.0.1" };
  await verifyCode(publicContext(db, here), { email, code: await requestCode(email) });
  const refused = { code: "verification_required" };
  const input = details(email, merchant.id);
  await expect(registerCustomer(publicContext(db, { address: "10.3.0.2" }), input)).rejects.toMatchObject(
    refused,
  );
  await expect(registerCustomer(publicContext(db, { ...here, ...at(15.1) }), input)).rejects.toMatchObject(
    refused,
  );
  const other = { ...input, email: uniqueEmail() };
  await expect(registerCustomer(publicContext(db, here), other)).rejects.toMatchObject(refused);
  const wrong = { ...input, verification: "not-the-secret" };
  await expect(registerCustomer(publicContext(db, here), wrong)).rejects.toMatchObject(refused);
  await expect(registerCustomer(publicContext(db, { ...here, ...at(14) }), input)).resolves.toBeDefined();
});

test("after a sign-up in one step, others at the network address cannot register the e-mail", async () => {
  const { merchant } = await makeMerchant(db);
  const email = uniqueEmail();
  const ctx = publicContext(db, { locale: "ar" });
  const code = await requestCode(email);
  const card = await signUp(ctx, { ...details(email, merchant.id), code });
  expect(card.isNewRegistration).toBe(true);
  expect(await findCardHolder(db, card.customerId, card.holderToken)).not.toBeNull();
  expect(await db.verification.count({ where: { email } })).toBe(0);
  await expect(registerCustomer(ctx, details(email, merchant.id))).rejects.toMatchObject({
    code: "verification_required",
  });
  const again = signUp(ctx, { ...details(email, merchant.id), code });
  await expect(again).rejects.toMatchObject({ code: "code_invalid" });
});

test("one code signs up once, even in parallel", async () => {
  const { merchant } = await makeMerchant(db);
  const email = uniqueEmail();
  const input = { ...details(email, merchant.id), code: await requestCode(email) };
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => signUp(publicContext(db), input)));
  expect(tries.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  for (const result of tries)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "code_invalid" });
  expect(await db.cardDevice.count({ where: { customer: { email } } })).toBe(1);
});

test("five wrong guesses at sign-up invalidate the code, and it expires after 300 seconds", async () => {
  const { merchant } = await makeMerchant(db);
  const email = uniqueEmail();
  const input = { ...details(email, merchant.id), code: await requestCode(email) };
  await expect(signUp(publicContext(db, at(5.1)), input)).rejects.toMatchObject({ code: "code_expired" });
  const wrong = { ...input, code: wrongOf(input.code) };
  await Promise.allSettled(Array.from({ length: 8 }, () => signUp(publicContext(db), wrong)));
  expect(await db.code.findFirstOrThrow({ where: { email } })).toMatchObject({ wrong: 5 });
  await expect(signUp(publicContext(db), input)).rejects.toMatchObject({ code: "code_invalid" });
  expect(await db.customer.count({ where: { email } })).toBe(0);
});

test("a code stays valid if its registration fails", async () => {
  const { merchant } = await makeMerchant(db);
  const pending = await makeMerchant(db, { status: "pending" });
  const email = uniqueEmail();
  const code = await requestCode(email);
  const refused = signUp(publicContext(db), { ...details(email, pending.merchant.id), code });
  await expect(refused).rejects.toMatchObject({ code: "merchant_unavailable" });
  const second = signUp(publicContext(db), { ...details(email, merchant.id), code });
  await expect(second).resolves.toMatchObject({ isNewRegistration: true });
});

test("only an approved merchant accepts customers, and the verification stays valid after a refusal", async () => {
  const { merchant } = await makeMerchant(db);
  const pending = await makeMerchant(db, { status: "pending" });
  const email = uniqueEmail();
  const { verification } = await verifyCode(publicContext(db), { email, code: await requestCode(email) });
  const input = details(email, pending.merchant.id, verification);
  await expect(registerCustomer(publicContext(db), input)).rejects.toMatchObject({
    code: "merchant_unavailable",
  });
  await expect(
    registerCustomer(publicContext(db), { ...input, merchantId: merchant.id }),
  ).resolves.toMatchObject({ isNewRegistration: true });
});

test.each([
  ["2000-02-29", null],
  ["٢٠٠٠-٠٢-٢٩", null],
  ["2001-02-29", "validation.date"],
  ["29/02/2000", "validation.date"],
  ["", "validation.birth.required"],
  ["2999-01-01", "validation.birth.past"],
  // In Doha, the new year begins three hours earlier than in UTC.
  [`${new Date().getUTCFullYear() - 11}-01-01`, "validation.birth.young"],
  ["1880-01-01", "validation.birth.old"],
])("date of birth %j: %s", (text, problem) => {
  const parsed = dateOfBirthSchema.safeParse(text);
  expect(parsed.error?.issues.map((issue) => issue.message) ?? null).toEqual(
    problem === null ? null : [problem],
  );
});

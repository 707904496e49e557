import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { POST as login } from "@/app/api/auth/login/route";
import { sendCardCode } from "@/lib/cards/card-code";
import { registerCustomer, sendCode, verifyCode } from "@/lib/cards/sign-up";
import { type PublicContext, runProved } from "@/lib/db/context";
import { knownDeviceValue, readKnownDevice } from "@/lib/secrets/known-device";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeCustomer,
  makeMerchant,
  PASSWORD,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { runJobs } from "@/lib/testing/jobs";
import { askForPasskey, confirmSignIn } from "./confirm-sign-in";
import { confirmTotp, startTotp } from "./factors/enrol";
import { forgotPassword, mailReset } from "./forgot-password";
import { openSession } from "./session";
import { resetPassword } from "./set-password";
import { signIn } from "./sign-in";
import { stepUp } from "./step-up";

const db = await testDb();
const ADDRESS = "198.51.100.7";
const stranger = publicContext(db, { address: ADDRESS });
/** A browser behind the same address that was used with this account before. */
const knownTo = (email: string) =>
  publicContext(db, { address: ADDRESS, device: readKnownDevice(knownDeviceValue(null, email)) });
const refused = { code: "rate_limited" };

async function times(count: number, attempt: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await attempt(n).catch(() => undefined);
}
const textTo = async (recipient: string) =>
  (await db.email.findFirstOrThrow({ where: { recipient }, orderBy: { createdAt: "desc" } })).text;
const codeTo = async (email: string) => /\b\d{6}\b/.exec(await textTo(email))?.[0] ?? "";

test("wrong passwords of strangers, from one address and from many, do not shut out a device that signed in before", async () => {
  const { owner } = await makeMerchant(db);
  const wrong = { email: owner.email, password: "a wrong guess" };
  await times(6, () => signIn(stranger, wrong));
  await times(60, (n) => signIn(publicContext(db, { address: `10.3.0.${n}` }), wrong));
  const right = { email: owner.email, password: PASSWORD };
  await expect(signIn(stranger, right)).rejects.toMatchObject(refused);
  await expect(signIn(publicContext(db, { address: "10.4.0.1" }), right)).rejects.toMatchObject(refused);
  expect((await signIn(knownTo(owner.email), right)).token).toHaveLength(43);
  // Its success gives strangers no new guesses.
  await expect(signIn(stranger, right)).rejects.toMatchObject(refused);
});

test("a device has five guesses of its own, and only for accounts that it was used with", async () => {
  const { owner } = await makeMerchant(db);
  const wrong = { email: owner.email, password: "a wrong guess" };
  const mine = knownTo(owner.email);
  await times(5, () => signIn(mine, wrong));
  await expect(signIn(mine, wrong)).rejects.toMatchObject(refused);
  const elsewhere = knownTo(uniqueEmail());
  await times(5, () => signIn(elsewhere, wrong));
  await expect(signIn(stranger, wrong)).rejects.toMatchObject(refused);
  const forged = `${knownDeviceValue(null, owner.email).slice(0, 40)}x.abc`;
  expect(readKnownDevice(forged)).toBeNull();
  expect(readKnownDevice(undefined)).toBeNull();
});

/** An owner with an authenticator app, and the code that it shows now or `later` half minutes from now. */
async function withApp() {
  const { owner } = await makeMerchant(db);
  const ctx = contextOf(db, owner);
  const { uri } = await startTotp(ctx, {});
  const app = new TOTP({ secret: new URL(uri).searchParams.get("secret") ?? "" });
  const codeAt = (later: number) => app.generate({ timestamp: Date.now() + later * 30_000 });
  await confirmTotp(ctx, { code: codeAt(-1) });
  const right = { email: owner.email, password: PASSWORD };
  const wrong = () => (codeAt(0).startsWith("0") ? "999999" : "000000");
  const challengeAt = async (at: PublicContext) => {
    const error = await signIn(at, right).catch((one) => one);
    return (error as { data: { challenge: string } }).data.challenge;
  };
  const session = async () => {
    const from = { userId: owner.id, userAgent: null, address: ADDRESS, now: new Date() };
    const { id: sessionId } = await openSession(db, from);
    return contextOf(db, owner, { address: ADDRESS, actor: { sessionId, secondFactor: true } });
  };
  return { owner, codeAt, wrong, challengeAt, session };
}

test("wrong second factors of whoever has the password shut out neither a known device nor the user's own sessions", async () => {
  const { owner, codeAt, wrong, challengeAt, session } = await withApp();
  const challenge = await challengeAt(stranger);
  await times(6, () => confirmSignIn(stranger, { challenge, code: wrong() }));
  await times(60, (n) =>
    confirmSignIn(publicContext(db, { address: `10.5.0.${n}` }), { challenge, code: wrong() }),
  );
  const elsewhere = publicContext(db, { address: "10.6.0.1" });
  for (const at of [stranger, elsewhere, knownTo(uniqueEmail())])
    await expect(confirmSignIn(at, { challenge, code: codeAt(0) })).rejects.toMatchObject(refused);
  const mine = knownTo(owner.email);
  const again = await challengeAt(mine);
  expect((await confirmSignIn(mine, { challenge: again, code: codeAt(0) })).token).toHaveLength(43);
  await expect(stepUp(await session(), { code: codeAt(1) })).resolves.toMatchObject({
    until: expect.any(Date),
  });
  // Their success gives strangers no new guesses.
  await expect(confirmSignIn(stranger, { challenge, code: wrong() })).rejects.toMatchObject(refused);
});

test("a known device and a session have five wrong second factors of their own, all sessions of a user fifty", async () => {
  const { owner, wrong, challengeAt, session } = await withApp();
  const mine = knownTo(owner.email);
  const challenge = await challengeAt(mine);
  await times(5, () => confirmSignIn(mine, { challenge, code: wrong() }));
  await expect(confirmSignIn(mine, { challenge, code: wrong() })).rejects.toMatchObject(refused);
  const invalid = { code: "second_factor_invalid" };
  for (let n = 0; n < 10; n += 1) {
    const own = await session();
    const guesses = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => stepUp(own, { code: wrong() })));
    const codes = guesses.map((one) => one.status === "rejected" && one.reason.code);
    expect(codes.filter((code) => code === invalid.code)).toHaveLength(5);
  }
  await expect(stepUp(await session(), { code: wrong() })).rejects.toMatchObject(refused);
});

test("passkeys that strangers asked for do not keep a known device from asking", async () => {
  const at = { address: "198.51.100.9" };
  await Promise.allSettled(Array.from({ length: 101 }, () => askForPasskey(publicContext(db, at), {})));
  await expect(askForPasskey(publicContext(db, at), {})).rejects.toMatchObject(refused);
  const { device } = knownTo(uniqueEmail());
  expect(await askForPasskey(publicContext(db, { ...at, device }), {})).toMatchObject({
    methods: ["passkey"],
  });
});

test("signing in by the API sets the device's cookie, which keeps its other accounts", async () => {
  const { owner } = await makeMerchant(db);
  const before = knownDeviceValue(null, uniqueEmail());
  const response = await login(
    new Request("http://localhost:3000/api/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json", cookie: `wallet_device=${before}` },
      body: JSON.stringify({ sEmail: owner.email, sPassword: PASSWORD }),
    }),
    { params: Promise.resolve({}) },
  );
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith("wallet_device="));
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
  const device = readKnownDevice(cookie?.split(/[=;]/)[1]);
  expect(device?.tags).toHaveLength(2);
  expect(device?.id).toBe(before.split(".")[0]);
});

test("reset links that strangers asked for do not keep a known device from asking", async () => {
  const { owner } = await makeMerchant(db);
  const input = { email: owner.email };
  await times(6, () => forgotPassword(stranger, input));
  await expect(forgotPassword(stranger, input)).rejects.toMatchObject(refused);
  expect(await forgotPassword(knownTo(owner.email), input)).toEqual({ sent: true });
});

test("wrong links of one address do not keep a right link there from working", async () => {
  const { owner } = await makeMerchant(db);
  const at = publicContext(db, { address: "198.51.100.8" });
  await times(55, () => resetPassword(at, { token: "x".repeat(43), password: "a long new password" }));
  await expect(resetPassword(at, { token: "y".repeat(43), password: "short" })).rejects.toMatchObject(
    refused,
  );
  await forgotPassword(at, { email: owner.email });
  await runJobs(db, { mail_reset: mailReset });
  const token = /reset-password\/([\w-]+)/.exec(await textTo(owner.email))?.[1] ?? "";
  expect(await resetPassword(at, { token, password: "a long new password" })).toEqual({ reset: true });
});

test("codes: each purpose has its own budget, and a known device its own codes, guesses and sends", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const email = customer.email ?? "";
  await times(6, () => sendCode(stranger, { email }));
  await expect(sendCode(stranger, { email })).rejects.toMatchObject(refused);
  // Another purpose: the code for a new device.
  const secrets = { holder: () => undefined, authorization: null };
  const input = { customerId: customer.id, purpose: "card_holder" as const };
  expect(await runProved(sendCardCode, stranger, input, secrets)).toEqual({ seconds: 300 });

  const mine = knownTo(email);
  await sendCode(mine, { email });
  const code = await codeTo(email);
  // Strangers neither replace this code nor use up its guesses.
  await times(10, () => verifyCode(stranger, { email, code: code === "000000" ? "000001" : "000000" }));
  await expect(verifyCode(stranger, { email, code })).rejects.toThrow();
  const { verification } = await verifyCode(mine, { email, code });
  const registered = await registerCustomer(mine, {
    email,
    merchantId: shop.merchant.id,
    fullName: "Layla Haddad",
    phone: "+97455123456",
    dateOfBirth: "1995-04-12",
    consent: true,
    verification,
  });
  expect(registered).toMatchObject({ customerId: customer.id, isNewRegistration: false, email });
});

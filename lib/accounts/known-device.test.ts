import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { PEER_HEADER } from "@/lib/api/address";
import { sendCardCode } from "@/lib/cards/card-code";
import { registerCustomer, sendCode, verifyCode } from "@/lib/cards/sign-up";
import type { PublicContext } from "@/lib/db/context";
import type { User } from "@/lib/db/generated/client";
import { knownDeviceValue, readKnownDevice } from "@/lib/secrets/known-device";
import { call } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { knownTo, staffDevice } from "@/lib/testing/devices";
import {
  contextOf,
  makeCustomer,
  makeMerchant,
  makeWorker,
  PASSWORD,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { runJobs } from "@/lib/testing/jobs";
import { tampered } from "@/lib/testing/with-secrets";
import { confirmTotp, startTotp } from "./factors/manage";
import { setPin } from "./pin";
import { openSession } from "./session";
import { changePassword, forgotPassword, mailReset, resetPassword } from "./set-password";
import { askForPasskey, confirmSignIn, signIn, stepUp } from "./sign-in";

const login = handlerOf("POST", "auth/login");

const db = await testDb();
const ADDRESS = "198.51.100.7";
const stranger = publicContext(db, { address: ADDRESS });
/** A browser behind the same address that signed in to this account before. */
const staffAt = async (user: { id: string }) =>
  publicContext(db, { address: ADDRESS, device: await knownTo(db, user) });
/** A browser behind the same address that held a card of this e-mail before. */
const holderAt = (email: string) =>
  publicContext(db, { address: ADDRESS, device: readKnownDevice(knownDeviceValue(null, { email })) });
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
  expect((await signIn(await staffAt(owner), right)).token).toHaveLength(43);
  // Its success gives strangers no new guesses.
  await expect(signIn(stranger, right)).rejects.toMatchObject(refused);
});

test("all known devices of an account share five wrong passwords; those of others do not count as known", async () => {
  const { owner } = await makeMerchant(db);
  const wrong = { email: owner.email, password: "a wrong guess" };
  const tries = await Promise.all(
    Array.from({ length: 14 }, async () => {
      const device = await staffAt(owner);
      const codes: string[] = [];
      for (let n = 0; n < 5; n += 1) codes.push(await signIn(device, wrong).catch((error) => error.code));
      return codes;
    }),
  );
  expect(tries.flat().filter((code) => code === "invalid_credentials")).toHaveLength(5);
  await expect(signIn(await staffAt(owner), wrong)).rejects.toMatchObject(refused);
  const { owner: other } = await makeMerchant(db);
  const elsewhere = await staffAt(other);
  await times(5, () => signIn(elsewhere, wrong));
  await expect(signIn(stranger, wrong)).rejects.toMatchObject(refused);
  const forged = `${(await staffDevice(db, owner.id)).slice(0, 40)}x.abc`;
  expect(readKnownDevice(forged)).toBeNull();
  expect(readKnownDevice(undefined)).toBeNull();
});

test("known devices have fifty wrong passwords a day in all, which no success gives back", async () => {
  const { owner } = await makeMerchant(db);
  const device = await staffAt(owner);
  for (let round = 0; round < 13; round += 1) {
    await times(round === 12 ? 2 : 4, () =>
      signIn(device, { email: owner.email, password: "a wrong guess" }),
    );
    if (round < 12) await signIn(device, { email: owner.email, password: PASSWORD });
  }
  const [total] = await db.rateLimit.findMany({ where: { key: `sign-in-known-day:${owner.id}` } });
  expect(total?.points).toBe(50);
  const right = { email: owner.email, password: PASSWORD };
  await expect(signIn(device, right)).rejects.toMatchObject(refused);
  // A stranger's budget is apart.
  expect((await signIn(publicContext(db, { address: "10.7.0.1" }), right)).token).toHaveLength(43);
});

test("a session has five wrong passwords, whatever asks for them, fifty a day, and none of the user's other sessions", async () => {
  const worker = await makeWorker(db, await makeMerchant(db));
  const [stolen, mine] = [await ownSession(worker), await ownSession(worker)];
  const password = "a wrong guess";
  const guesses = Array.from({ length: 4 }, () => [
    stepUp(stolen, { password }),
    setPin(stolen, { password, pin: "739154" }),
    changePassword(stolen, { oldPassword: password, newPassword: "a long new password" }),
  ]);
  const codes = (await Promise.allSettled(guesses.flat())).map(
    (one) => one.status === "rejected" && one.reason.code,
  );
  expect(codes.filter((code) => code === "wrong_password")).toHaveLength(5);
  await expect(stepUp(stolen, { password: PASSWORD })).rejects.toMatchObject(refused);
  for (let round = 0; round < 13; round += 1) {
    await times(round === 12 ? 2 : 4, () => stepUp(mine, { password }));
    if (round < 12) await stepUp(mine, { password: PASSWORD });
  }
  await expect(stepUp(mine, { password: PASSWORD })).rejects.toMatchObject(refused);
  const another = await ownSession(worker);
  const changed = { oldPassword: PASSWORD, newPassword: "a long new password" };
  expect(await changePassword(another, changed)).toMatchObject({ ended: 2 });
});

test.each(["a new password", "a reset", "a new factor"])("%s voids the marks of before", async (what) => {
  const { owner } = await makeMerchant(db);
  const before = await staffAt(owner);
  const right = { email: owner.email, password: PASSWORD };
  if (what === "a new factor") await addApp(owner);
  if (what === "a new password") {
    const ctx = await ownSession(owner);
    await changePassword(ctx, { oldPassword: PASSWORD, newPassword: "a long new password" });
  }
  if (what === "a reset") {
    await forgotPassword(publicContext(db, { address: "10.7.0.2" }), { email: owner.email });
    await runJobs(db, { mail_reset: mailReset });
    const token = /reset-password\/([\w-]+)/.exec(await textTo(owner.email))?.[1] ?? "";
    await resetPassword(publicContext(db), { token, password: "a long new password" });
  }
  // It counts as a stranger again: the strangers of its address have used up theirs.
  await times(6, () => signIn(stranger, { ...right, password: "a wrong guess" }));
  await expect(signIn(before, right)).rejects.toMatchObject(refused);
  const now = await signIn(await staffAt(owner), right).catch((error) => error);
  expect(now.code).not.toBe(refused.code);
});

test("an account gets five new marks a day, and whoever has one keeps it", async () => {
  const { owner } = await makeMerchant(db);
  const body = { sEmail: owner.email, sPassword: PASSWORD };
  const cookieAfter = async (cookie = "") => {
    const response = await login(
      new Request("http://localhost:3000/api/auth/login", {
        method: "POST",
        headers: { "content-type": "application/json", cookie },
        body: JSON.stringify(body),
      }),
      { params: {} },
    );
    expect(response.status).toBe(200);
    return response.headers.getSetCookie().find((line) => line.startsWith("wallet_device="));
  };
  const first = (await cookieAfter())?.split(";")[0];
  const cookies = [];
  for (let n = 0; n < 5; n += 1) cookies.push(await cookieAfter());
  expect(cookies.filter(Boolean)).toHaveLength(4);
  expect(await cookieAfter(first)).toContain("wallet_device=");
});

async function ownSession(owner: User) {
  const from = { userId: owner.id, userAgent: null, address: ADDRESS, now: new Date() };
  const { id: sessionId } = await openSession(db, from);
  return contextOf(db, owner, { address: ADDRESS, actor: { sessionId } });
}

/** Gives a user an authenticator app. Answers the code that it shows now or `later` half minutes from now. */
async function addApp(owner: User) {
  const ctx = contextOf(db, owner);
  const { uri } = await startTotp(ctx, {});
  const app = new TOTP({ secret: new URL(uri).searchParams.get("secret") ?? "" });
  const codeAt = (later: number) => app.generate({ timestamp: Date.now() + later * 30_000 });
  await confirmTotp(ctx, { code: codeAt(-1) });
  return codeAt;
}

async function withApp() {
  const { owner } = await makeMerchant(db);
  const codeAt = await addApp(owner);
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
  for (const at of [stranger, elsewhere, await staffAt((await makeMerchant(db)).owner)])
    await expect(confirmSignIn(at, { challenge, code: codeAt(0) })).rejects.toMatchObject(refused);
  const mine = await staffAt(owner);
  const again = await challengeAt(mine);
  expect((await confirmSignIn(mine, { challenge: again, code: codeAt(0) })).token).toHaveLength(43);
  await expect(stepUp(await session(), { code: codeAt(1) })).resolves.toMatchObject({
    until: expect.any(Date),
  });
  // Their success gives strangers no new guesses.
  await expect(confirmSignIn(stranger, { challenge, code: wrong() })).rejects.toMatchObject(refused);
});

test("all known devices together have five wrong second factors, a session has five, all sessions of a user fifty", async () => {
  const { owner, wrong, challengeAt, session } = await withApp();
  const mine = await staffAt(owner);
  const challenge = await challengeAt(mine);
  await times(5, async () => confirmSignIn(await staffAt(owner), { challenge, code: wrong() }));
  await expect(confirmSignIn(mine, { challenge, code: wrong() })).rejects.toMatchObject(refused);
  await expect(confirmSignIn(await staffAt(owner), { challenge, code: wrong() })).rejects.toMatchObject(
    refused,
  );
  const invalid = { code: "second_factor_invalid" };
  for (let n = 0; n < 10; n += 1) {
    const own = await session();
    const guesses = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => stepUp(own, { code: wrong() })));
    const codes = guesses.map((one) => one.status === "rejected" && one.reason.code);
    expect(codes.filter((code) => code === invalid.code)).toHaveLength(5);
  }
  await expect(stepUp(await session(), { code: wrong() })).rejects.toMatchObject(refused);
});

test("the wrong second factors of a user's sessions count for a day, which no success gives back", async () => {
  const { owner, codeAt, wrong, session } = await withApp();
  const own = await session();
  await times(4, () => stepUp(own, { code: wrong() }));
  await stepUp(own, { code: codeAt(0) });
  await times(4, () => stepUp(own, { code: wrong() }));
  const [total] = await db.rateLimit.findMany({ where: { key: `factor-session-day:${owner.id}` } });
  expect(total?.points).toBe(8);
  expect(Number(total?.expire)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
});

test("passkeys that strangers asked for do not keep a known device from asking", async () => {
  const at = { address: "198.51.100.9" };
  await Promise.allSettled(Array.from({ length: 101 }, () => askForPasskey(publicContext(db, at), {})));
  await expect(askForPasskey(publicContext(db, at), {})).rejects.toMatchObject(refused);
  const { device } = holderAt(uniqueEmail());
  expect(await askForPasskey(publicContext(db, { ...at, device }), {})).toMatchObject({
    methods: ["passkey"],
  });
});

test("signing in by the API sets the device's cookie, which keeps its other accounts", async () => {
  const { owner } = await makeMerchant(db);
  const before = knownDeviceValue(null, { email: uniqueEmail() });
  const response = await login(
    new Request("http://localhost:3000/api/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json", cookie: `wallet_device=${before}` },
      body: JSON.stringify({ sEmail: owner.email, sPassword: PASSWORD }),
    }),
    { params: {} },
  );
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith("wallet_device="));
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
  const device = readKnownDevice(cookie?.split(/[=;]/)[1]);
  expect(device?.marks).toHaveLength(2);
  expect(device?.id).toBe(before.split(".")[0]);
});

test("a changed device's cookie, and one of another account, count as a stranger", async () => {
  const { owner } = await makeMerchant(db);
  const device = await staffDevice(db, owner.id);
  const statusWith = async (value: string) => {
    const headers = { cookie: `wallet_device=${value}`, [PEER_HEADER]: ADDRESS };
    const body = { sEmail: owner.email, sPassword: "a wrong guess" };
    return (await call(login, { method: "POST", headers, body })).status;
  };
  await times(6, () => signIn(stranger, { email: owner.email, password: "a wrong guess" }));
  const changed = tampered(device).filter((text) => !text.startsWith(device));
  for (const forged of [...changed, knownDeviceValue(null, { email: uniqueEmail() })])
    expect([forged, await statusWith(forged)]).toEqual([forged, 429]);
  expect(await statusWith(device)).toBe(401);
});

test("reset links that strangers asked for do not keep a known device from asking", async () => {
  const { owner } = await makeMerchant(db);
  const input = { email: owner.email };
  await times(6, () => forgotPassword(stranger, input));
  await expect(forgotPassword(stranger, input)).rejects.toMatchObject(refused);
  expect(await forgotPassword(await staffAt(owner), input)).toEqual({ sent: true });
});

test("wrong links of one address do not keep a right link there from working", async () => {
  const { owner } = await makeMerchant(db);
  const at = publicContext(db, { address: "198.51.100.8" });
  await times(55, () => resetPassword(at, { token: "x".repeat(43), password: "a long new password" }));
  await expect(
    resetPassword(at, { token: "y".repeat(43), password: "a long new password" }),
  ).rejects.toMatchObject(refused);
  await forgotPassword(at, { email: owner.email });
  await runJobs(db, { mail_reset: mailReset });
  const token = /reset-password\/([\w-]+)/.exec(await textTo(owner.email))?.[1] ?? "";
  expect(await resetPassword(at, { token, password: "a long new password" })).toMatchObject({
    userId: owner.id,
  });
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
  expect(await sendCardCode.perform(stranger, async () => input, { secrets })).toEqual({ seconds: 300 });

  const mine = holderAt(email);
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

import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { listActivity } from "@/lib/activity/read-activity";
import type { User } from "@/lib/db/generated/client";
import { activityText } from "@/lib/i18n/activity";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { knownTo } from "@/lib/testing/devices";
import { contextOf, makeMerchant, PASSWORD, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { runJobs } from "@/lib/testing/jobs";
import { makePinCounter, PIN, signInByPin } from "@/lib/testing/pins";
import { mailFactorTries, mailPasswordTries } from "./attempts";
import { confirmTotp, startTotp } from "./factors/manage";
import { openSession } from "./session";
import { changePassword } from "./set-password";
import { confirmSignIn, signIn, stepUp } from "./sign-in";

const db = await testDb();
const WRONG_PIN = "739105";
const refusals = async (of: { id: string }) =>
  (await auditsOf(db, of.id))
    .filter(({ action }) => action === "session.refused")
    .map(({ actorId, after }) => ({ actorId, ...(after as object | null) }));
const told = async (of: { email: string }) => {
  await runJobs(db, { mail_password_tries: mailPasswordTries, mail_factor_tries: mailFactorTries });
  return db.email.findMany({ where: { recipient: of.email, subject: { contains: "wrong tries" } } });
};
async function times(count: number, attempt: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await attempt().catch(() => undefined);
}
const sessionOf = async (owner: User) => {
  const from = { userId: owner.id, userAgent: null, address: "a", now: new Date() };
  const { id: sessionId } = await openSession(db, from);
  return contextOf(db, owner, { actor: { sessionId } });
};

test("wrong passwords are written down with their reason, refusals by the limit are not, and one e-mail an hour tells", async () => {
  const { owner } = await makeMerchant(db);
  const wrong = { email: owner.email, password: "a wrong guess" };
  const from = (address: string) => publicContext(db, { address });
  await times(4, () => signIn(from("198.51.100.21"), wrong));
  expect(await told(owner)).toEqual([]);
  await times(5, () => signIn(from("198.51.100.21"), wrong));
  expect(await refusals(owner)).toEqual(
    Array.from({ length: 5 }, () => ({ actorId: null, reason: "password" })),
  );
  const [mail, ...more] = await told(owner);
  expect(more).toEqual([]);
  expect(mail?.text).toContain("Wrong passwords were entered");
  expect(mail?.text).toContain("198.51.100.21");
  // Another budget within the hour: of other addresses, and of known devices.
  await times(5, () => signIn(from("198.51.100.22"), wrong));
  const device = await knownTo(db, owner);
  await times(5, () => signIn(publicContext(db, { device }), wrong));
  expect(await told(owner)).toHaveLength(1);
  await db.rateLimit.updateMany({
    where: { key: `hourly-mail:${owner.id}` },
    data: { expire: new Date(Date.now() - 1000) },
  });
  await times(5, () => signIn(from("198.51.100.23"), wrong));
  expect(await told(owner)).toHaveLength(2);
});

test("an address without an account is mailed nothing", async () => {
  const email = uniqueEmail("nobody");
  await times(6, () => signIn(publicContext(db, { address: "198.51.100.24" }), { email, password: "wrong" }));
  expect(await told({ email })).toEqual([]);
});

test("wrong second factors are written down, at a sign-in and in a session, and their user is told", async () => {
  const { owner } = await makeMerchant(db);
  const { uri } = await startTotp(contextOf(db, owner), {});
  const app = new TOTP({ secret: new URL(uri).searchParams.get("secret") ?? "" });
  await confirmTotp(contextOf(db, owner), { code: app.generate() });
  const code = app.generate().startsWith("0") ? "999999" : "000000";
  const stranger = publicContext(db, { address: "198.51.100.25" });
  const { data } = await signIn(stranger, { email: owner.email, password: PASSWORD }).catch((error) => error);
  await times(7, () => confirmSignIn(stranger, { challenge: data.challenge, code }));
  expect(await refusals(owner)).toEqual(
    Array.from({ length: 5 }, () => ({ actorId: null, reason: "factor" })),
  );
  expect((await told(owner)).map(({ text }) => text)).toEqual([
    expect.stringContaining("second sign-in step"),
  ]);
  await times(1, async () => stepUp(await sessionOf(owner), { code }));
  expect((await refusals(owner)).at(-1)).toEqual({ actorId: owner.id, reason: "factor" });
});

test("wrong passwords of a session are written down as its user's", async () => {
  const { owner } = await makeMerchant(db);
  const ctx = await sessionOf(owner);
  await times(1, () => stepUp(ctx, { password: "wrong" }));
  await times(1, () => changePassword(ctx, { oldPassword: "wrong", newPassword: "a long new password" }));
  const own = { actorId: owner.id, reason: "password" };
  expect(await refusals(owner)).toEqual([own, own]);
});

test("wrong PINs are written down, and shown in words; those of a locked PIN are not", async () => {
  const { shop, worker, till, key } = await makePinCounter(db);
  for (let n = 0; n < 7; n += 1) await signInByPin(key, worker.id, WRONG_PIN);
  await signInByPin(key, worker.id, PIN);
  expect(await refusals(worker)).toEqual(Array.from({ length: 5 }, () => ({ actorId: null, reason: "pin" })));
  await signInByPin(key, "00000000-0000-4000-8000-000000000000", WRONG_PIN);
  expect(await refusals(till)).toEqual([{ actorId: null, reason: "pin" }]);
  const { results } = await listActivity(contextOf(db, shop.owner), { kind: "session", limit: 10 });
  const texts = results.map((one) => activityText("en", one).replaceAll(/[\u2068\u2069]/g, ""));
  expect(texts).toContain(
    `Someone who isn't signed in entered a wrong PIN for ${worker.firstName} ${worker.lastName}'s account.`,
  );
  expect(texts).toContain(`Someone who isn't signed in entered a wrong PIN for till ${till.name}.`);
  expect(results.map((one) => activityText("ar", one)).join()).toContain("إدخال رقم PIN خاطئ");
});

test("a PIN that is locked again within the hour is a notice, but no second e-mail", async () => {
  const { shop, worker, till, key } = await makePinCounter(db);
  const lock = async () => {
    for (let n = 0; n < 5; n += 1) await signInByPin(key, worker.id, WRONG_PIN);
    await db.pinTries.updateMany({ where: { tillId: till.id }, data: { lockedUntil: new Date(0) } });
  };
  await lock();
  await lock();
  expect(await db.notice.count({ where: { tillId: till.id, kind: "worker_pin_locked" } })).toBe(2);
  expect(await db.email.count({ where: { recipient: shop.owner.email, subject: { contains: "PIN" } } })).toBe(
    1,
  );
});

import { expect, test } from "vitest";
import { sendCode } from "@/lib/cards/sign-up";
import { getDb } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import { queueEmail } from "@/lib/email/queue";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeMerchant,
  makeWorker,
  PASSWORD,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { heldBack, holdUser } from "@/lib/testing/held-back";
import { runJobs } from "@/lib/testing/jobs";
import { changeOwnEmail, sendOwnEmailCodes } from "./change-own-email";
import { openSession } from "./session";
import { forgotPassword, mailReset } from "./set-password";
import { logIn } from "./sign-in";

const codesCall = handlerOf("POST", "auth/email/codes");
const changeCall = handlerOf("PUT", "auth/email");
const profile = handlerOf("GET", "profile");

const db = await testDb();

const mailsTo = (recipient: string) => db.email.findMany({ where: { recipient }, orderBy: { id: "desc" } });
const codeAt = async (address: string) =>
  /\b\d{6}\b/.exec((await mailsTo(address))[0]?.text ?? "")?.[0] ?? "none";

/** A signed-in context of a user, with the codes for a new address. */
async function asked(user: User, email = uniqueEmail("new")) {
  const from = { userId: user.id, userAgent: null, address: "127.0.0.1", now: new Date() };
  const session = await openSession(db, from);
  const ctx = contextOf(getDb(), user, { actor: { sessionId: session.id } });
  const sent = await sendOwnEmailCodes(ctx, { email });
  const [code, oldCode] = [await codeAt(email), await codeAt(user.email)];
  return { ctx, email, sent, code, oldCode, token: session.token };
}

test("both codes change the address; other sessions and mailed links end, and the old address hears of it", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const elsewhere = await tokenOf(db, worker);
  await forgotPassword(publicContext(getDb()), { email: worker.email });
  await runJobs(db, { mail_reset: mailReset });
  const token = await tokenOf(db, worker);
  const email = uniqueEmail("new");
  const codes = await call(codesCall, { method: "POST", token, body: { sEmail: email } });
  expect(codes).toMatchObject({ status: 200, data: { bBoth: true } });
  const body = { sEmail: email, sCode: await codeAt(email), sOldCode: await codeAt(worker.email) };
  const changed = await call(changeCall, { method: "PUT", token, body });
  expect(changed?.status).toBe(200);
  const { token: next } = changed.data as { token: string };
  expect((await call(profile, { token: next })).data).toMatchObject({ sEmail: email });
  for (const old of [token, elsewhere]) expect((await call(profile, { token: old })).status).toBe(417);
  expect(await db.passwordToken.count({ where: { userId: worker.id, usedAt: null } })).toBe(0);
  const [notified] = await mailsTo(worker.email);
  expect(notified?.subject).toBe("Your email was changed");
  expect(notified?.text).not.toContain(email);
  expect((await auditsOf(db, worker.id)).map(({ action }) => action)).toContain("profile.email");
  // The own-card rule still knows the old address.
  expect(await db.staffContact.count({ where: { userId: worker.id, kind: "email" } })).toBe(1);
  await logIn(publicContext(getDb()), { email, password: PASSWORD });
  await expect(
    logIn(publicContext(getDb()), { email: worker.email, password: PASSWORD }),
  ).rejects.toMatchObject({
    code: "invalid_credentials",
  });
});

test("one code is not enough, a wrong one names its field, and codes of another user are worth nothing", async () => {
  const shop = await makeMerchant(db);
  const [worker, other] = [await makeWorker(db, shop), await makeWorker(db, shop)];
  const { ctx, email, code, oldCode } = await asked(worker);
  await expect(changeOwnEmail(ctx, { email, code })).rejects.toMatchObject({
    code: "code_invalid",
    problems: [{ path: "oldCode" }],
  });
  const wrong = code === "000000" ? "000001" : "000000";
  await expect(changeOwnEmail(ctx, { email, code: wrong, oldCode })).rejects.toMatchObject({
    problems: [{ path: "code" }],
  });
  // The same address, asked for by another user, leaves the first one's codes alone.
  const second = await asked(other, email);
  await expect(changeOwnEmail(second.ctx, { email, code, oldCode: second.oldCode })).rejects.toMatchObject({
    code: "code_invalid",
  });
  await changeOwnEmail(ctx, { email, code, oldCode });
  // Proved as well, but it is taken now.
  await expect(
    changeOwnEmail(second.ctx, { email, code: second.code, oldCode: second.oldCode }),
  ).rejects.toMatchObject({ code: "email_taken" });
  await expect(sendOwnEmailCodes(second.ctx, { email: other.email })).rejects.toMatchObject({
    code: "no_change",
  });
});

test("of two changes at the same moment one is done", async () => {
  const shop = await makeMerchant(db);
  const { ctx, email, code, oldCode } = await asked(shop.owner);
  const both = await Promise.allSettled([1, 2].map(() => changeOwnEmail(ctx, { email, code, oldCode })));
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await db.user.findUniqueOrThrow({ where: { id: shop.owner.id } })).toMatchObject({ email });
});

/** A signed-up owner with an address that they never proved. */
async function unprovedOwner() {
  const email = uniqueEmail("typo");
  const shop = await makeMerchant(db, { email, status: "pending" });
  return db.user.update({ where: { id: shop.owner.id }, data: { email, emailProvedAt: null } });
}

test("a change of an unproved address takes along what waited for its proof, and no code mailed there meanwhile", async () => {
  const owner = await unprovedOwner();
  const { ctx, email, code } = await asked(owner);
  const params = { name: "Noor", at: new Date(), url: "https://wallet.example" };
  const waiting = await queueEmail(db, {
    to: owner.email,
    template: "password_changed" as const,
    params,
    locale: "en" as const,
  });
  const [changed] = await heldBack(
    db,
    holdUser(owner.id),
    () => changeOwnEmail(ctx, { email, code }),
    () => sendCode(publicContext(getDb()), { email: owner.email }),
  );
  expect(changed?.status).toBe("fulfilled");
  expect(await codeAt(owner.email)).toMatch(/^\d{6}$/);
  expect((await mailsTo(email)).map(({ id }) => id)).toContain(waiting);
  expect((await db.email.findUniqueOrThrow({ where: { id: waiting } })).nextTryAt.getTime()).toBeLessThan(
    Date.now() + 60_000,
  );
  expect(await mailsTo(email)).toHaveLength(2);
});

test("a reset link that is made while the address changes is mailed to nobody and opens nothing", async () => {
  const worker = await makeWorker(db, await makeMerchant(db));
  const { ctx, email, code, oldCode } = await asked(worker);
  await forgotPassword(publicContext(getDb()), { email: worker.email });
  const [changed, mailed] = await heldBack(
    db,
    holdUser(worker.id),
    () => changeOwnEmail(ctx, { email, code, oldCode }),
    () => runJobs(db, { mail_reset: mailReset }),
  );
  expect([changed?.status, mailed?.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(await db.passwordToken.count({ where: { userId: worker.id, usedAt: null } })).toBe(0);
  expect((await mailsTo(worker.email)).some(({ text }) => text.includes("/reset-password/"))).toBe(false);
});

test("a mistyped address that was never proved needs no code, gets no warning, and the merchant's address follows", async () => {
  const owner = await unprovedOwner();
  const { ctx, email, code, sent } = await asked(owner);
  expect(sent.both).toBe(false);
  await changeOwnEmail(ctx, { email, code });
  const row = await db.user.findUniqueOrThrow({ where: { id: owner.id } });
  expect(row).toMatchObject({ email, emailProvedAt: expect.any(Date) });
  expect(await db.merchant.findUniqueOrThrow({ where: { id: owner.merchantId ?? "" } })).toMatchObject({
    email,
  });
  expect(await mailsTo(owner.email)).toEqual([]);
});

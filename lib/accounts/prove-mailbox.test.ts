import { expect, test } from "vitest";
import { claimEmails } from "@/lib/email/outbox";
import { queueEmail } from "@/lib/email/queue";
import { decideMerchant } from "@/lib/merchants/decide-merchant";
import { signUpMerchant } from "@/lib/merchants/sign-up-merchant";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { runJobs } from "@/lib/testing/jobs";
import { confirmMailbox, mailboxOf, ownMailbox, sendMailboxLink } from "./prove-mailbox";
import { forgotPassword, mailReset, resetPassword } from "./set-password";
import { signIn } from "./sign-in";

const sendAgain = handlerOf("POST", "auth/confirm-email");

const db = await testDb();
const ctx = publicContext(db);
const PASSWORD = "a long new password 7";

async function signedUp() {
  const email = uniqueEmail("stranger");
  const { id } = await signUpMerchant(ctx, {
    businessName: "FREE MONEY visit-us",
    firstName: "Zzyzx",
    lastName: "Qwerty",
    email,
    phone: "+97455123456",
    password: PASSWORD,
    branch: { name: "Souq", city: "Doha" },
  });
  const mails = () => db.email.findMany({ where: { recipient: email }, orderBy: { id: "asc" } });
  /** What is sent now. */
  const due = async () =>
    (await mails()).filter(({ nextTryAt }) => nextTryAt <= new Date(Date.now() + 60_000));
  const token = /\/confirm-email\/(\S+)/.exec((await mails())[0]?.text ?? "")?.[1] ?? "";
  return { id, email, mails, due, token };
}

test("a sign-up mails a link with nothing that was typed, and the rest waits for it, approval included", async () => {
  const { id, email, due, mails, token } = await signedUp();
  const admin = contextOf(db, await makeAdmin(db));
  await decideMerchant(admin, { id, status: "approved" });
  // Signing in does not wait.
  expect((await signIn(ctx, { email, password: PASSWORD })).user.role).toBe("merchant_owner");
  const sent = await due();
  expect(sent).toHaveLength(1);
  for (const part of [sent[0]?.subject, sent[0]?.text, sent[0]?.html]) {
    expect(part).not.toMatch(/FREE MONEY|Zzyzx|Qwerty/);
  }
  const worker = await db.backgroundWorker.create({ data: { id: crypto.randomUUID() } });
  const claimed = await claimEmails(db, { lane: "account", owner: worker.id, limit: 1_000 });
  expect(claimed.filter(({ recipient }) => recipient === email)).toHaveLength(1);
  await db.email.updateMany({ where: { claimedBy: worker.id }, data: { claimedBy: null } });
  expect(await mailboxOf(ctx, { token })).toEqual({ proved: false });
  await expect(confirmMailbox(ctx, { token: `${token}x` })).rejects.toMatchObject({ code: "link_invalid" });
  await Promise.all([1, 2].map(() => confirmMailbox(ctx, { token })));
  expect(await mailboxOf(ctx, { token })).toEqual({ proved: true });
  const user = await db.user.findUniqueOrThrow({ where: { email } });
  const proofs = (await auditsOf(db, user.id)).filter(({ action }) => action === "profile.mailbox");
  expect(proofs).toMatchObject([
    { actorType: "user", actorId: user.id, merchantId: id, address: ctx.address },
  ]);
  const texts = (await due()).map(({ text }) => text).join();
  expect(texts).toContain("/customer/signup/");
  expect((await mails()).length).toBeGreaterThanOrEqual(3);
});

test("a used reset link proves the mailbox, and its e-mail carries nothing that was typed", async () => {
  const { email, due } = await signedUp();
  await forgotPassword(ctx, { email });
  await runJobs(db, { mail_reset: mailReset });
  const reset = (await due()).find(({ text }) => text.includes("/reset-password/"));
  expect(reset?.text).not.toMatch(/FREE MONEY|Zzyzx|Qwerty/);
  const token = /\/reset-password\/(\S+)/.exec(reset?.text ?? "")?.[1] ?? "";
  await resetPassword(ctx, { token, password: "another long password 8" });
  const user = await db.user.findUniqueOrThrow({ where: { email } });
  expect(user.emailProvedAt).not.toBeNull();
  expect((await due()).some(({ text }) => text.includes("/account-status"))).toBe(true);
});

test("a sign-up with a customer's e-mail holds back nothing of the customer's", async () => {
  const { email, due } = await signedUp();
  const customer = await makeCustomer(db, await makeMerchant(db), { email });
  const params = { name: "Layla", merchant: "Karak", url: "https://wallet.example/card" };
  await queueEmail(db, {
    to: email,
    template: "card_welcome",
    params,
    locale: "en",
    customerId: customer.id,
  });
  expect((await due()).some(({ text }) => text.includes(params.url))).toBe(true);
});

test("an e-mail that is written while the mailbox is proved is sent", async () => {
  for (let round = 0; round < 8; round++) {
    const { email, token, mails } = await signedUp();
    const params = { name: "Noor", at: new Date(), url: "https://wallet.example" };
    const write = () =>
      db.$transaction((tx) =>
        queueEmail(tx, { to: email, template: "password_changed", params, locale: "en" }),
      );
    await Promise.all([write(), confirmMailbox(ctx, { token }), write()]);
    for (const { nextTryAt } of await mails()) expect(nextTryAt.getTime()).toBeLessThan(Date.now() + 60_000);
  }
});

test("its user asks for the link again, a few times, until the mailbox is proved", async () => {
  const { email, mails, token } = await signedUp();
  const user = await db.user.findUniqueOrThrow({ where: { email } });
  const api = await tokenOf(db, user);
  const mine = contextOf(db, user);
  expect(await ownMailbox(mine, {})).toEqual({ email, proved: false });
  expect(await call(sendAgain, { method: "POST", token: api })).toMatchObject({ status: 200 });
  const links = (await mails()).filter(({ text }) => text.includes(token));
  expect(links).toHaveLength(2);
  expect(links[1]?.text).not.toMatch(/FREE MONEY|Zzyzx|Qwerty/);
  const more = await Promise.allSettled([1, 2, 3, 4].map(() => sendMailboxLink(mine, {})));
  expect(more.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(await call(sendAgain, { method: "POST", token: api })).toMatchObject({
    status: 429,
    code: "rate_limited",
  });
  await confirmMailbox(ctx, { token });
  expect(await ownMailbox(mine, {})).toEqual({ email, proved: true });
  await expect(sendMailboxLink(contextOf(db, (await makeMerchant(db)).owner), {})).rejects.toMatchObject({
    code: "no_change",
  });
  expect(await call(sendAgain, { method: "POST" })).toMatchObject({ status: 401 });
});

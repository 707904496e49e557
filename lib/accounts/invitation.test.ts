import { expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import { auditsOf } from "@/lib/testing/audits";
import { call } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeMerchant,
  publicContext,
  randomPhone,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { runJobs } from "@/lib/testing/jobs";
import { makePinCounter, PIN, signInByPin } from "@/lib/testing/pins";
import { makeTill } from "@/lib/testing/tills";
import { createWorker } from "@/lib/workers/workers";
import { resolveSession } from "./session";
import { acceptInvitation, forgotPassword, mailReset, viewPasswordLink } from "./set-password";

const reset = handlerOf("POST", "auth/reset-password");

const db = await testDb();
const PASSWORD = "a long new password";
const ANOTHER = "739105";

async function linkMailedTo(email: string): Promise<string> {
  const mails = await db.email.findMany({ where: { recipient: email }, orderBy: { id: "desc" } });
  return mails.flatMap(({ text }) => /reset-password\/([\w-]+)/.exec(text)?.[1] ?? [])[0] ?? "";
}

const subjectsTo = async (email: string) =>
  (await db.email.findMany({ where: { recipient: email } })).map(({ subject }) => subject);

/** An employee with an unopened invitation, and a till of their branch. */
async function invited() {
  const shop = await makeMerchant(db);
  const { id, email } = await createWorker(contextOf(db, shop.owner), {
    firstName: "Huda",
    lastName: "Saleh",
    email: uniqueEmail("huda"),
    phone: randomPhone(),
    branchId: shop.branch.id,
  });
  return { id, email, token: await linkMailedTo(email), ...(await makeTill(db, shop)) };
}

/** The link of somebody who forgot the password. */
async function linkOf(user: Pick<User, "email">): Promise<string> {
  await forgotPassword(publicContext(getDb()), { email: user.email });
  await runJobs(db, { mail_reset: mailReset });
  return linkMailedTo(user.email);
}

const accept = (token: string, pin = PIN) =>
  acceptInvitation(publicContext(getDb()), { token, password: PASSWORD, pin });

const post = (body: object) => call(reset, { method: "POST", body });

test("an employee accepts the invitation with a password and a PIN, and is signed in, also by PIN on the till", async () => {
  const { id, email, token, key } = await invited();
  const seen = await viewPasswordLink(publicContext(db), { token });
  expect(seen).toMatchObject({ first: true, employee: true, name: "Huda" });
  const session = await accept(token);
  expect(session.user).toMatchObject({ id, email, role: "branch_worker" });
  expect((await resolveSession(db, { token: session.token }, new Date())).state).toBe("live");
  expect((await signInByPin(key, id, PIN)).status).toBe(200);
  expect((await signInByPin(key, id, ANOTHER)).status).toBe(401);
  const actions = (await auditsOf(db, id)).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["password.reset", "worker.pin", "session.opened"]));
  const subjects = await subjectsTo(email);
  expect(subjects).toContain("A PIN was set on your account");
  expect(subjects.filter((subject) => /password/i.test(subject))).toEqual([]);
});

test("of many who accept one invitation at once the first does", async () => {
  const { id, token } = await invited();
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => accept(token)));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const answer of answers)
    if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "link_invalid" });
  expect(await db.session.count({ where: { userId: id } })).toBe(1);
  await expect(accept(token)).rejects.toMatchObject({ code: "link_invalid" });
});

test("a weak PIN is refused at its field, and the invitation stays", async () => {
  const { id, token } = await invited();
  await expect(accept(token, "123456")).rejects.toMatchObject({
    code: "weak_pin",
    problems: [{ path: "pin" }],
  });
  for (const sPin of ["12345", "1234567", "abcdef", ""]) {
    expect(await post({ sToken: token, sPassword: PASSWORD, sPin })).toMatchObject({
      status: 400,
      errors: [{ path: "sPin" }],
    });
  }
  expect(await post({ sToken: token, sPassword: PASSWORD, sPin: "111111" })).toMatchObject({
    status: 422,
    code: "weak_pin",
    errors: [{ path: "sPin" }],
  });
  expect(await db.user.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "invited" });
  await accept(token);
});

test("over the API an invitation sets a PIN in any digits, and opens no session", async () => {
  const { id, token, key } = await invited();
  expect(await post({ sToken: token, sPassword: PASSWORD, sPin: "٥٨٠٣١٤" })).toMatchObject({ status: 200 });
  expect(await db.session.count({ where: { userId: id } })).toBe(0);
  expect((await signInByPin(key, id, PIN)).status).toBe(200);
});

test("an employee's reset replaces the PIN by the given one, and removes it without", async () => {
  const { worker, key } = await makePinCounter(db);
  const { token } = (await signInByPin(key, worker.id, PIN)).data as { token: string };
  await post({ sToken: await linkOf(worker), sPassword: PASSWORD, sPin: ANOTHER });
  expect((await resolveSession(db, { token }, new Date())).state).toBe("ended");
  expect((await signInByPin(key, worker.id, PIN)).status).toBe(401);
  expect((await signInByPin(key, worker.id, ANOTHER)).status).toBe(200);
  expect(await subjectsTo(worker.email)).toEqual(
    expect.arrayContaining(["A PIN was set on your account", "Your password was changed"]),
  );
  await post({ sToken: await linkOf(worker), sPassword: `${PASSWORD} 2` });
  expect((await signInByPin(key, worker.id, ANOTHER)).status).toBe(401);
  expect(await db.workerPin.count({ where: { userId: worker.id } })).toBe(0);
});

test("a PIN of somebody who is no employee is refused, and their link stays", async () => {
  const shop = await makeMerchant(db);
  for (const user of [shop.owner, await makeAdmin(db)]) {
    const sToken = await linkOf(user);
    expect(await post({ sToken, sPassword: PASSWORD, sPin: PIN })).toMatchObject({
      status: 403,
      code: "forbidden",
    });
    expect(await db.workerPin.count({ where: { userId: user.id } })).toBe(0);
    expect(await post({ sToken, sPassword: PASSWORD })).toMatchObject({ status: 200 });
  }
});

test("a link that is no invitation of an employee signs nobody in", async () => {
  const { shop, worker } = await makePinCounter(db);
  for (const user of [worker, shop.owner]) {
    const token = await linkOf(user);
    await expect(accept(token, ANOTHER)).rejects.toMatchObject({ code: "link_invalid" });
    expect((await post({ sToken: token, sPassword: PASSWORD })).status).toBe(200);
  }
  await expect(accept("x".repeat(43))).rejects.toMatchObject({ code: "link_invalid" });
});

import { describe, expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeMerchant, makeWorker, PASSWORD, publicContext } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { heldBack, holdUser } from "@/lib/testing/held-back";
import { runJobs } from "@/lib/testing/jobs";
import { makePinCounter, PIN, signInByPin } from "@/lib/testing/pins";
import { makeTill, proofOf, type TillKey } from "@/lib/testing/tills";
import { removeWorkerPin, setPin } from "./pin";
import { resolveSession } from "./session";
import { forgotPassword, mailReset, resetPassword } from "./set-password";

const changePassword = handlerOf("PUT", "auth/change-password");
const signOut = handlerOf("POST", "auth/logout");

const db = await testDb();
const ANOTHER = "739105";

test("right PINs of several workers at once on one till all sign in", async () => {
  const { shop, worker, key } = await makePinCounter(db);
  const colleagues = await Promise.all(Array.from({ length: 5 }, () => makeWorker(db, shop)));
  for (const one of colleagues) await setPin(contextOf(db, one), { password: PASSWORD, pin: PIN });
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([worker, ...colleagues].map(({ id }) => signInByPin(key, id, PIN)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  }
});

describe("a new PIN", () => {
  test("ends the sessions that the old one opened, on every till, and no other", async () => {
    const { shop, worker, key } = await makePinCounter(db);
    const { key: other } = await makeTill(db, shop);
    const colleague = await makeWorker(db, shop);
    await setPin(contextOf(db, colleague), { password: PASSWORD, pin: PIN });
    const opened = async (at: TillKey, of: string) =>
      ((await signInByPin(at, of, PIN)).data as { token: string }).token;
    const [here, there] = [await opened(key, worker.id), await opened(other, worker.id)];
    const elsewhere = await opened(key, colleague.id);
    const panel = await tokenOf(db, worker);
    await setPin(contextOf(db, worker), { password: PASSWORD, pin: ANOTHER });
    const state = async (token: string) => (await resolveSession(db, { token }, new Date())).state;
    expect(await Promise.all([here, there, elsewhere, panel].map(state))).toEqual([
      ...["ended", "ended", "live", "live"],
    ]);
    const served = { method: "POST", token: here };
    expect((await call(signOut, { ...served, headers: await proofOf(key, served) })).status).toBe(417);
    expect((await auditsOf(db, worker.id)).at(-1)).toMatchObject({
      action: "worker.pin",
      after: { sessions: 2 },
    });
  });

  test("is not set with a password that is reset meanwhile", async () => {
    const { worker, key } = await makePinCounter(db);
    await forgotPassword(publicContext(getDb()), { email: worker.email });
    await runJobs(db, { mail_reset: mailReset });
    const mails = await db.email.findMany({ where: { recipient: worker.email } });
    const token = /\/reset-password\/([\w-]+)/.exec(mails.map(({ text }) => text).join())?.[1] ?? "";
    const [reset, pinned] = await heldBack(
      db,
      holdUser(worker.id),
      () => resetPassword(publicContext(getDb()), { token, password: "a quite new secret" }),
      () => setPin(contextOf(getDb(), worker), { password: PASSWORD, pin: ANOTHER }),
    );
    expect(reset?.status).toBe("fulfilled");
    expect(pinned).toMatchObject({ status: "rejected", reason: { code: "wrong_password" } });
    expect((await signInByPin(key, worker.id, ANOTHER)).status).toBe(401);
    expect(await db.workerPin.count({ where: { userId: worker.id } })).toBe(0);
  });

  test("is mailed to its worker", async () => {
    const { worker } = await makePinCounter(db);
    const mail = await db.email.findFirstOrThrow({ where: { recipient: worker.email } });
    expect(mail.subject).toBe("A PIN was set on your account");
    expect(mail.text).not.toContain(PIN);
  });
});

describe("a PIN that the owner removes", () => {
  test("signs nobody in, ends its sessions, is mailed to its worker, and only the worker sets another", async () => {
    const { shop, worker, key } = await makePinCounter(db);
    const { token } = (await signInByPin(key, worker.id, PIN)).data as { token: string };
    const panel = await tokenOf(db, worker);
    expect(await removeWorkerPin(contextOf(db, shop.owner), { id: worker.id })).toEqual({ removed: true });
    expect((await signInByPin(key, worker.id, PIN)).status).toBe(401);
    const state = async (of: string) => (await resolveSession(db, { token: of }, new Date())).state;
    expect([await state(token), await state(panel)]).toEqual(["ended", "live"]);
    expect(
      (await auditsOf(db, worker.id)).find(({ action }) => action === "worker.pin_removed"),
    ).toMatchObject({ after: { sessions: 1 }, actorId: shop.owner.id });
    const mails = await db.email.findMany({ where: { recipient: worker.email } });
    expect(mails.map(({ subject }) => subject)).toContain("Your till PIN was removed");
    await setPin(contextOf(db, worker), { password: PASSWORD, pin: ANOTHER });
    expect((await signInByPin(key, worker.id, ANOTHER)).status).toBe(200);
  });

  test("is mailed once, however often it is removed at once", async () => {
    const { shop, worker } = await makePinCounter(db);
    const owner = contextOf(getDb(), shop.owner);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => removeWorkerPin(owner, { id: worker.id })),
    );
    expect(answers.filter(({ removed }) => removed)).toHaveLength(1);
    const mails = await db.email.findMany({ where: { recipient: worker.email } });
    expect(mails.filter(({ subject }) => subject === "Your till PIN was removed")).toHaveLength(1);
  });

  test("opens no session that was asked for meanwhile", async () => {
    const { shop, worker, key } = await makePinCounter(db);
    const [removed, opened] = await heldBack(
      db,
      holdUser(worker.id),
      () => removeWorkerPin(contextOf(getDb(), shop.owner), { id: worker.id }),
      () => signInByPin(key, worker.id, PIN),
    );
    expect(removed?.status).toBe("fulfilled");
    expect(opened?.status).toBe("fulfilled");
    const live = { userId: worker.id, tillId: { not: null }, revokedAt: null };
    expect(await db.session.count({ where: live })).toBe(0);
  });

  test("stays with the owner of another merchant, and with the worker themselves", async () => {
    const { worker, key } = await makePinCounter(db);
    const { owner: stranger } = await makeMerchant(db);
    await expect(removeWorkerPin(contextOf(db, stranger), { id: worker.id })).rejects.toMatchObject({
      code: "worker_not_found",
    });
    await expect(removeWorkerPin(contextOf(db, worker), { id: worker.id })).rejects.toMatchObject({
      code: "forbidden",
    });
    expect((await signInByPin(key, worker.id, PIN)).status).toBe(200);
  });
});

describe("a PIN from before", () => {
  test("goes with a reset", async () => {
    const { worker, key } = await makePinCounter(db);
    await forgotPassword(publicContext(getDb()), { email: worker.email });
    await runJobs(db, { mail_reset: mailReset });
    const mails = await db.email.findMany({ where: { recipient: worker.email } });
    const token = /\/reset-password\/([\w-]+)/.exec(mails.map(({ text }) => text).join())?.[1] ?? "";
    await resetPassword(publicContext(getDb()), { token, password: "a quite new secret" });
    expect((await signInByPin(key, worker.id, PIN)).status).toBe(401);
    expect((await auditsOf(db, worker.id)).find(({ action }) => action === "password.reset")).toMatchObject({
      after: { pinRemoved: true },
    });
  });

  test.each([
    ["goes with a password change", undefined, 401],
    ["goes with a password change that says so", false, 401],
    ["stays with a password change that keeps it", true, 200],
  ])("%s", async (_what, bKeepPin, status) => {
    const { worker, key } = await makePinCounter(db);
    const { status: changed } = await call(changePassword, {
      method: "PUT",
      token: await tokenOf(db, worker),
      body: { sOldPassword: PASSWORD, sNewPassword: "a quite new secret", bKeepPin },
    });
    expect(changed).toBe(200);
    expect((await signInByPin(key, worker.id, PIN)).status).toBe(status);
  });
});

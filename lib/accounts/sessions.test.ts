import { describe, expect, test, vi } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, makeWorker, PASSWORD, PASSWORD_HASH, publicContext } from "@/lib/testing/factories";
import { runJobs } from "@/lib/testing/jobs";
import { claimWebSession, SESSION_COOKIE, sessionIdOf } from "./auth.config";
import { signOut } from "./own-sessions";
import { endSessions, openSession, resolveSession, SESSION_SECONDS } from "./session";
import { changePassword, forgotPassword, mailReset, resetPassword } from "./set-password";
import { signIn } from "./sign-in";

const db = await testDb();

async function ownerWithPassword() {
  const shop = await makeMerchant(db);
  const owner = await db.user.update({
    where: { id: shop.owner.id },
    data: { passwordHash: PASSWORD_HASH },
  });
  return { ...shop, owner };
}
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

test("sessions that are asked for at once share statements, and each question gets its own session", async () => {
  const shops = await Promise.all(Array.from({ length: 6 }, () => makeMerchant(db)));
  const sessions = await Promise.all(
    shops.map(({ owner }) =>
      openSession(db, { userId: owner.id, userAgent: null, address: "203.0.113.1", now: new Date() }),
    ),
  );
  const [ended] = sessions;
  await endSessions(db, { userId: shops[0]?.owner.id ?? "" }, new Date());
  const asked = vi.spyOn(db, "$queryRaw");
  const found = await Promise.all([
    ...sessions.map(({ token }) => resolveSession(db, { token }, new Date())),
    ...sessions.map(({ id }) => resolveSession(db, { id: id.toUpperCase() }, new Date())),
    resolveSession(db, { token: "nobody's" }, new Date()),
  ]);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(6);
  asked.mockRestore();
  const owners = shops.map(({ owner }) => owner.id);
  expect(found.map((one) => ("actor" in one ? one.actor.userId : one.state))).toEqual([
    ...owners,
    ...owners,
    "missing",
  ]);
  const states = found.map((one) => ("actor" in one && one.actor.sessionId === ended?.id ? one.state : null));
  expect(states.filter((state) => state === "ended")).toHaveLength(2);
});

describe("sign-in", () => {
  test("the correct password opens a session of its user", async () => {
    const { owner, merchant } = await ownerWithPassword();
    const session = await signIn(publicContext(db), { email: owner.email, password: PASSWORD });
    const found = await resolveSession(db, { token: session.token }, new Date());
    expect(found).toMatchObject({ state: "live", actor: { userId: owner.id, merchantId: merchant.id } });
  });

  test("a wrong password and an unknown account give the same answer", async () => {
    const { owner } = await ownerWithPassword();
    const ctx = publicContext(db, { address: "203.0.113.1" });
    await expect(signIn(ctx, { email: owner.email, password: "not the one" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    await expect(signIn(ctx, { email: "nobody@example.test", password: PASSWORD })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
  });

  test("five wrong passwords from one address block that address only", async () => {
    const { owner } = await ownerWithPassword();
    const stranger = publicContext(db, { address: "203.0.113.9" });
    const tries = Array.from({ length: 12 }, () =>
      signIn(stranger, { email: owner.email, password: "guess guess" }).catch(
        (error: { code: string }) => error.code,
      ),
    );
    const codes = await Promise.all(tries);
    expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(5);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(7);
    await expect(signIn(stranger, { email: owner.email, password: PASSWORD })).rejects.toMatchObject({
      code: "rate_limited",
    });
    const home = publicContext(db, { address: "198.51.100.7" });
    await expect(signIn(home, { email: owner.email, password: PASSWORD })).resolves.toBeDefined();
  });

  test("a web session is claimed once, and its token then stops working for the API", async () => {
    const { owner } = await ownerWithPassword();
    const session = await signIn(publicContext(db), { email: owner.email, password: PASSWORD });
    const claims = await Promise.all([1, 2, 3].map(() => claimWebSession(db, session.token, new Date())));
    expect(claims.filter((claim) => claim?.sessionId === session.id)).toHaveLength(1);
    expect(await resolveSession(db, { token: session.token }, new Date())).toEqual({ state: "missing" });
    expect(await resolveSession(db, { id: session.id }, new Date())).toMatchObject({ state: "live" });
  });
});

describe("a session", () => {
  test("stays live while it is used within 12 hours, and ends when it is not", async () => {
    const { owner } = await ownerWithPassword();
    const { token } = await signIn(publicContext(db), { email: owner.email, password: PASSWORD });
    expect((await resolveSession(db, { token }, later(SESSION_SECONDS - 60))).state).toBe("live");
    expect((await resolveSession(db, { token }, later(2 * SESSION_SECONDS - 120))).state).toBe("live");
    expect((await resolveSession(db, { token }, later(4 * SESSION_SECONDS))).state).toBe("ended");
  });

  test("ends at sign-out, and when its user is disabled", async () => {
    const shop = await ownerWithPassword();
    const worker = await makeWorker(db, shop, { passwordHash: PASSWORD_HASH });
    const first = await signIn(publicContext(db), { email: worker.email, password: PASSWORD });
    const second = await signIn(publicContext(db), { email: worker.email, password: PASSWORD });
    const found = await resolveSession(db, { token: first.token }, new Date());
    if (found.state !== "live") throw new Error("the session should live");
    await signOut({ ...publicContext(db), actor: found.actor }, {});
    expect((await resolveSession(db, { token: first.token }, new Date())).state).toBe("ended");
    await db.user.update({ where: { id: worker.id }, data: { status: "disabled" } });
    expect((await resolveSession(db, { token: second.token }, new Date())).state).toBe("ended");
  });
});

describe("passwords", () => {
  test("a change ends every session, and opens another one for whoever made it", async () => {
    const { owner } = await ownerWithPassword();
    const [mine, other] = [
      await signIn(publicContext(db), { email: owner.email, password: PASSWORD }),
      await signIn(publicContext(db), { email: owner.email, password: PASSWORD }),
    ];
    const found = await resolveSession(db, { token: mine.token }, new Date());
    if (found.state !== "live") throw new Error("the session should live");
    const ctx = { ...publicContext(db), actor: found.actor };
    await expect(
      changePassword(ctx, { oldPassword: "something else", newPassword: "a quite new secret" }),
    ).rejects.toMatchObject({ code: "wrong_password" });
    for (const weak of ["password123", owner.email]) {
      await expect(
        changePassword(ctx, { oldPassword: PASSWORD, newPassword: weak }),
        weak,
      ).rejects.toMatchObject({ code: "weak_password" });
    }
    const opened = new Date(Date.now() - 3_600_000);
    const steppedUpUntil = new Date(Date.now() + 60_000);
    await db.session.update({ where: { id: mine.id }, data: { createdAt: opened, steppedUpUntil } });
    const changed = await changePassword(ctx, { oldPassword: PASSWORD, newPassword: "a quite new secret" });
    expect(changed).toMatchObject({ ended: 1, cookie: null });
    for (const { token } of [mine, other]) {
      expect((await resolveSession(db, { token }, new Date())).state).toBe("ended");
    }
    const next = await resolveSession(db, { token: changed.token ?? "" }, new Date());
    if (next.state !== "live") throw new Error("the new session should live");
    expect(next.actor).toMatchObject({ userId: owner.id, panel: false, steppedUpUntil });
    expect(next.actor.sessionId).not.toBe(mine.id);
    expect(next.actor.handle).not.toBe(mine.handle);
    // It does not live longer than the sign-in before it.
    const row = await db.session.findUniqueOrThrow({ where: { id: next.actor.sessionId } });
    expect(row.createdAt).toEqual(opened);
    await expect(
      changePassword(ctx, { oldPassword: "a quite new secret", newPassword: "an even newer secret" }),
    ).rejects.toMatchObject({ code: "session_ended" });
  });

  test("a change on a panel gives its cookie another session, and no token", async () => {
    const { owner } = await ownerWithPassword();
    const { token } = await signIn(publicContext(db), { email: owner.email, password: PASSWORD });
    const claimed = await claimWebSession(db, token, new Date());
    const found = await resolveSession(db, { id: claimed?.sessionId ?? "" }, new Date());
    if (found.state !== "live") throw new Error("the session should live");
    const ctx = { ...publicContext(db), actor: found.actor };
    const changed = await changePassword(ctx, { oldPassword: PASSWORD, newPassword: "a quite new secret" });
    expect(changed.token).toBeNull();
    const id = await sessionIdOf((name) => (name === SESSION_COOKIE ? changed.cookie?.value : undefined));
    expect(id).not.toBe(claimed?.sessionId);
    const next = await resolveSession(db, { id: id ?? "" }, new Date());
    expect(next).toMatchObject({ state: "live", actor: { panel: true, userId: owner.id } });
  });

  test("who signs in with the old password while it changes has no session after it", async () => {
    const { owner } = await ownerWithPassword();
    const late = await db.$transaction(async (tx) => {
      const [{ pid } = { pid: 0 }] = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await tx.user.update({ where: { id: owner.id }, data: { passwordHash: "another" } });
      await endSessions(tx, { userId: owner.id }, new Date());
      let over = false;
      const trying = signIn(publicContext(db), { email: owner.email, password: PASSWORD })
        .then(
          ({ token }) => token,
          () => null,
        )
        .finally(() => {
          over = true;
        });
      const waits = () =>
        db.$queryRaw<unknown[]>`
          select 1 from pg_stat_activity where ${pid}::int = any (pg_blocking_pids(pid))`;
      await expect.poll(async () => over || (await waits()).length > 0).toBe(true);
      return { trying };
    });
    expect(await late.trying).toBe(null);
    expect(await db.session.count({ where: { userId: owner.id, revokedAt: null } })).toBe(0);
  });

  test("a reset link works once and ends every session, and an unknown address gets no mail", async () => {
    const { owner } = await ownerWithPassword();
    const session = await signIn(publicContext(db), { email: owner.email, password: PASSWORD });
    await expect(forgotPassword(publicContext(db), { email: "ghost@example.test" })).resolves.toEqual({
      sent: true,
    });
    await forgotPassword(publicContext(db), { email: owner.email });
    await runJobs(db, { mail_reset: mailReset });
    expect(await db.email.count({ where: { recipient: "ghost@example.test" } })).toBe(0);
    const mail = await db.email.findFirstOrThrow({ where: { recipient: owner.email } });
    const token = /\/reset-password\/([\w-]+)/.exec(mail.text)?.[1] ?? "";
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((n) => resetPassword(publicContext(db), { token, password: `a fresh secret ${n}` })),
    );
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
    expect((await resolveSession(db, { token: session.token }, new Date())).state).toBe("ended");
  });
});

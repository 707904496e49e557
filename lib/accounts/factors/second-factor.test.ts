import { TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeMerchant, PASSWORD, publicContext } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { heldBack, holdUser } from "@/lib/testing/held-back";
import { openSession, resolveSession } from "../session";
import { changePassword } from "../set-password";
import { confirmSignIn, signIn } from "../sign-in";
import { confirmTotp, listFactors, removeFactor, renewRecoveryCodes, startTotp } from "./manage";

const login = handlerOf("POST", "auth/login");
const secondFactor = handlerOf("POST", "auth/second-factor");

const db = await testDb();
const START = new Date("2026-11-22T09:00:05Z");
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const codeAt = (uri: string, when: Date) => parse(uri).generate({ timestamp: when.getTime() });

function parse(uri: string): TOTP {
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return new TOTP({ secret, digits: 6, period: 30, algorithm: "SHA1" });
}

/** An owner at this moment, and a way to be them later. */
async function owner() {
  const shop = await makeMerchant(db);
  const when = (seconds: number) => ({ clock: () => at(seconds) });
  return {
    user: shop.owner,
    ctx: (seconds: number, actor = {}) => contextOf(db, shop.owner, { ...when(seconds), actor }),
    stranger: (seconds: number, address = "203.0.113.5") => publicContext(db, { ...when(seconds), address }),
    credentials: { email: shop.owner.email, password: PASSWORD },
  };
}

async function withTotp() {
  const person = await owner();
  const { uri } = await startTotp(person.ctx(0), {});
  const enrolled = await confirmTotp(person.ctx(0), { code: codeAt(uri, at(0)) });
  return { ...person, uri, codes: enrolled.recoveryCodes ?? [], factorId: enrolled.id };
}

/** The challenge of a right password. */
async function challengeOf(person: Awaited<ReturnType<typeof owner>>, seconds: number, address?: string) {
  const error = await signIn(person.stranger(seconds, address), person.credentials).catch((one) => one);
  expect(error).toMatchObject({ code: "second_factor_required" });
  return error.data as { challenge: string; methods: string[]; options: { challenge: string } | null };
}

const plain = (code: string) => code.replaceAll("-", "");

describe("an authenticator app", () => {
  test("counts only after its first code, which brings ten recovery codes and an e-mail", async () => {
    const person = await owner();
    const { uri } = await startTotp(person.ctx(0), {});
    expect((await signIn(person.stranger(0), person.credentials)).token).toBeTruthy();
    await expect(confirmTotp(person.ctx(0), { code: "000000" })).rejects.toMatchObject({
      code: "second_factor_invalid",
    });
    const { recoveryCodes } = await confirmTotp(person.ctx(0), { code: codeAt(uri, at(0)), name: "Phone" });
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(recoveryCodes?.[0]).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    expect(await listFactors(person.ctx(1), {})).toMatchObject({
      factors: [{ kind: "totp", name: "Phone" }],
      recoveryCodes: 10,
    });
    const row = await db.secondFactor.findFirstOrThrow({ where: { userId: person.user.id } });
    expect(row.secret).not.toContain(parse(uri).secret.base32);
    const codes = await db.recoveryCode.findMany({ where: { userId: person.user.id } });
    for (const code of recoveryCodes ?? []) expect(JSON.stringify(codes)).not.toContain(plain(code));
    expect(
      await db.email.count({ where: { recipient: person.user.email, subject: { contains: "added" } } }),
    ).toBe(1);
    await expect(startTotp(person.ctx(2), {})).rejects.toMatchObject({ code: "conflict" });
  });

  test("the second step opens the session; a code is good once, also when it is sent ten times at once", async () => {
    const person = await withTotp();
    const { challenge, methods } = await challengeOf(person, 60);
    expect(methods).toEqual(["totp", "recovery"]);
    const code = codeAt(person.uri, at(60));
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, (_, n) =>
        confirmSignIn(person.stranger(60, `198.51.100.${n}`), { challenge, code }),
      ),
    );
    const opened = tries.filter((one) => one.status === "fulfilled");
    expect(opened).toHaveLength(1);
    const { token } = (opened[0] as PromiseFulfilledResult<{ token: string }>).value;
    expect(await resolveSession(db, { token }, at(61))).toMatchObject({
      state: "live",
      actor: { secondFactor: true },
    });
    const again = await challengeOf(person, 62);
    await expect(
      confirmSignIn(person.stranger(62), { challenge: again.challenge, code }),
    ).rejects.toMatchObject({ code: "second_factor_invalid" });
    await expect(
      confirmSignIn(person.stranger(95), { challenge: again.challenge, code: codeAt(person.uri, at(95)) }),
    ).resolves.toMatchObject({ user: { id: person.user.id } });
  });

  test("a code of the last or the next half minute is good, an older one is not", async () => {
    for (const [shift, good] of [
      [-30, true],
      [30, true],
      [-60, false],
      [60, false],
    ] as const) {
      const person = await withTotp();
      const { challenge } = await challengeOf(person, 300);
      const given = confirmSignIn(person.stranger(300), {
        challenge,
        code: codeAt(person.uri, at(300 + shift)),
      });
      if (good) await expect(given).resolves.toBeDefined();
      else await expect(given).rejects.toMatchObject({ code: "second_factor_invalid" });
    }
  });

  test("five wrong codes from one address block it there, and not at another address", async () => {
    const person = await withTotp();
    const { challenge } = await challengeOf(person, 60);
    const wrong = await Promise.all(
      Array.from({ length: 8 }, () =>
        confirmSignIn(person.stranger(60), { challenge, code: "000000" }).catch((error) => error.code),
      ),
    );
    expect(wrong.filter((code) => code === "second_factor_invalid")).toHaveLength(5);
    expect(wrong.filter((code) => code === "rate_limited")).toHaveLength(3);
    const code = codeAt(person.uri, at(60));
    await expect(confirmSignIn(person.stranger(60), { challenge, code })).rejects.toMatchObject({
      code: "rate_limited",
    });
    const elsewhere = person.stranger(60, "198.51.100.20");
    await expect(confirmSignIn(elsewhere, { challenge, code })).resolves.toBeDefined();
  });

  test("a challenge ends after five minutes, with its use, and with a new password", async () => {
    const person = await withTotp();
    const expired = await challengeOf(person, 60);
    await expect(
      confirmSignIn(person.stranger(361), {
        challenge: expired.challenge,
        code: codeAt(person.uri, at(361)),
      }),
    ).rejects.toMatchObject({ code: "challenge_expired" });
    const voided = await challengeOf(person, 400);
    const from = { userId: person.user.id, userAgent: null, address: "127.0.0.1", now: at(401) };
    const { id: sessionId } = await openSession(db, from);
    await changePassword(person.ctx(401, { sessionId }), {
      oldPassword: PASSWORD,
      newPassword: "quite another secret",
    });
    await expect(
      confirmSignIn(person.stranger(402), { challenge: voided.challenge, code: codeAt(person.uri, at(402)) }),
    ).rejects.toMatchObject({ code: "challenge_expired" });
  });

  test("who signs in while the first factor is being added is asked for it", async () => {
    const person = await owner();
    const { uri } = await startTotp(person.ctx(0), {});
    const [added, signedIn] = await heldBack(
      db,
      holdUser(person.user.id),
      () => confirmTotp(person.ctx(0), { code: codeAt(uri, at(0)) }),
      () => signIn(person.stranger(0), person.credentials),
    );
    expect(added?.status).toBe("fulfilled");
    expect(signedIn).toMatchObject({
      status: "rejected",
      reason: { code: "second_factor_required", data: { methods: ["totp", "recovery"] } },
    });
    expect(await db.session.count({ where: { userId: person.user.id } })).toBe(0);
  });

  test("who gives the old password while it changes gets no challenge", async () => {
    const person = await withTotp();
    const from = { userId: person.user.id, userAgent: null, address: "127.0.0.1", now: at(1) };
    const { id: sessionId } = await openSession(db, from);
    const passwords = { oldPassword: PASSWORD, newPassword: "quite another secret" };
    const [changed, signedIn] = await heldBack(
      db,
      holdUser(person.user.id),
      () => changePassword(person.ctx(1, { sessionId }), passwords),
      () => signIn(person.stranger(1), person.credentials),
    );
    expect(changed?.status).toBe("fulfilled");
    expect(signedIn).toMatchObject({ status: "rejected", reason: { code: "invalid_credentials" } });
    expect(await db.authChallenge.count({ where: { userId: person.user.id } })).toBe(0);
  });

  test("a recovery code is good once, is mailed, and new codes end the old ones", async () => {
    const person = await withTotp();
    const [first = "", second = ""] = person.codes.map(plain);
    const one = await challengeOf(person, 60);
    await confirmSignIn(person.stranger(60), { challenge: one.challenge, code: first });
    const two = await challengeOf(person, 61);
    const again = confirmSignIn(person.stranger(61), { challenge: two.challenge, code: first });
    await expect(again).rejects.toMatchObject({ code: "second_factor_invalid" });
    expect((await listFactors(person.ctx(62), {})).recoveryCodes).toBe(9);
    expect(
      await db.email.count({
        where: { recipient: person.user.email, subject: { contains: "recovery code" } },
      }),
    ).toBe(1);
    await renewRecoveryCodes(person.ctx(63), {});
    const old = confirmSignIn(person.stranger(64), { challenge: two.challenge, code: second });
    await expect(old).rejects.toMatchObject({ code: "second_factor_invalid" });
  });

  test("over the API: 401 with a challenge, then the token; without the factor the password alone again", async () => {
    const shop = await makeMerchant(db);
    const ctx = contextOf(db, shop.owner);
    const { uri } = await startTotp(ctx, {});
    const { id } = await confirmTotp(ctx, { code: codeAt(uri, new Date(Date.now() - 30_000)) });
    const body = { sEmail: shop.owner.email, sPassword: PASSWORD };
    const asked = await call(login, { method: "POST", body });
    expect(asked).toMatchObject({
      status: 401,
      code: "second_factor_required",
      data: { sChallenge: expect.any(String), aMethods: ["totp", "recovery"], jOptions: null },
    });
    expect(asked.data).not.toHaveProperty("sDemoCode");
    const { sChallenge } = asked.data as { sChallenge: string };
    const wrong = { sChallenge, sCode: "000000" };
    expect(await call(secondFactor, { method: "POST", body: wrong })).toMatchObject({
      status: 422,
      errors: [{ path: "sCode" }],
    });
    const sCode = codeAt(uri, new Date());
    const answered = await call(secondFactor, { method: "POST", body: { sChallenge, sCode } });
    expect(answered).toMatchObject({ status: 200, data: { token: expect.any(String) } });
    await removeFactor(ctx, { id });
    expect((await call(login, { method: "POST", body })).status).toBe(200);
    expect(await db.recoveryCode.count({ where: { userId: shop.owner.id } })).toBe(0);
  });
});

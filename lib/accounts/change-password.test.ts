import { expect, test } from "vitest";
import { claimWebSession, SESSION_COOKIE, sessionCookie, sessionIdOf } from "@/lib/accounts/auth.config";
import { resolveSession } from "@/lib/accounts/session";
import { readCookie } from "@/lib/secrets/cookies";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, PASSWORD, PASSWORD_HASH, publicContext } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { runJobs } from "@/lib/testing/jobs";
import { forgotPassword, mailReset, resetPassword } from "./set-password";

const profile = handlerOf("GET", "profile");
const change = handlerOf("PUT", "auth/change-password");

const db = await testDb();
const body = { sOldPassword: PASSWORD, sNewPassword: "a quite new secret" };

async function withPassword() {
  const { owner } = await makeMerchant(db);
  return db.user.update({ where: { id: owner.id }, data: { passwordHash: PASSWORD_HASH } });
}

test("a client goes on with the token of the answer, and the old one has ended", async () => {
  const token = await tokenOf(db, await withPassword());
  const { data } = await call(change, { method: "PUT", token, body });
  expect(await call(profile, { token })).toMatchObject({ status: 417, code: "session_ended" });
  const { token: next } = data as { token: string };
  expect(await call(profile, { token: next })).toMatchObject({ status: 200 });
});

test("a panel goes on with the cookie of the answer, which shows scripts no token", async () => {
  const claimed = await claimWebSession(db, await tokenOf(db, await withPassword()), new Date());
  if (!claimed) throw new Error("no session");
  const old = `${SESSION_COOKIE}=${(await sessionCookie(claimed)).value}`;
  const headers = { authorization: claimed.handle, cookie: old, "content-type": "application/json" };
  const url = "http://localhost:3000/api/auth/change-password";
  const request = new Request(url, { method: "PUT", headers, body: JSON.stringify(body) });
  const answer = await change(request, { params: {} });
  expect(answer.status).toBe(200);
  expect(Object.keys(((await answer.json()) as { data: object }).data)).toEqual(["expiresAt"]);
  const [line = ""] = answer.headers.getSetCookie();
  expect(line).toMatch(/HttpOnly; SameSite=Lax/);
  const jar = new Headers({ cookie: line.split(";")[0] ?? "" });
  const id = (await sessionIdOf((name) => readCookie(jar, name))) ?? "";
  const next = await resolveSession(db, { id }, new Date());
  if (next.state !== "live") throw new Error("the new session should live");
  expect(id).not.toBe(claimed.sessionId);
  expect(await call(profile, { token: claimed.handle, headers: { cookie: old } })).toMatchObject({
    status: 417,
  });
  const cookie = jar.get("cookie") ?? "";
  expect(await call(profile, { token: next.actor.handle, headers: { cookie } })).toMatchObject({
    status: 200,
  });
});

test("a reset link that was mailed before is void: whoever asked for it is out as well", async () => {
  const owner = await withPassword();
  await forgotPassword(publicContext(db), { email: owner.email });
  await runJobs(db, { mail_reset: mailReset });
  const mail = await db.email.findFirstOrThrow({ where: { recipient: owner.email } });
  const link = /reset-password\/([\w-]+)/.exec(mail.text)?.[1] ?? "";
  expect(link).not.toBe("");
  const token = await tokenOf(db, owner);
  expect(await call(change, { method: "PUT", token, body })).toMatchObject({ status: 200 });
  await expect(
    resetPassword(publicContext(db), { token: link, password: "taken over again" }),
  ).rejects.toMatchObject({ code: "link_invalid" });
});

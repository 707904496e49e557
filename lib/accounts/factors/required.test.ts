import { TOTP } from "otpauth";
import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  Object.assign(process.env, {
    APP_ENV: "production",
    APP_URL: "https://wallet.example",
    AUTH_SECRET: "dGhpcyBpcyBub3QgYSBzZWNyZXQgYnV0IGxvbmch",
    TRUSTED_PROXIES: "0",
    SMTP_URL: "smtp://localhost:1",
    S3_BUCKET: "wallet",
    S3_ENDPOINT: "https://s3.example",
  });
});

import { getDb } from "@/lib/db/client";
import { auditsOf } from "@/lib/testing/audits";
import { call } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeAdmin, makeMerchant, PASSWORD, publicContext } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { saveOwnLocale, updateProfile } from "../profile";
import { resolveSession } from "../session";

const login = handlerOf("POST", "auth/login");
const logout = handlerOf("POST", "auth/logout");
const merchants = handlerOf("GET", "merchants");
const profile = handlerOf("GET", "profile");
const begin = handlerOf("POST", "second-factors/totp");
const confirm = handlerOf("PUT", "second-factors/totp");

const db = await testDb();
const signIn = (email: string) =>
  call(login, { method: "POST", body: { sEmail: email, sPassword: PASSWORD } });

test("in production an administrator without a second factor can do nothing but set one", async () => {
  const admin = await makeAdmin(db);
  const { token } = (await signIn(admin.email)).data as { token: string };
  for (const handler of [merchants, profile]) {
    expect(await call(handler, { token })).toMatchObject({ status: 403, code: "enrolment_required" });
  }
  const { sUri } = (await call(begin, { method: "POST", token })).data as { sUri: string };
  const app = new TOTP({ secret: new URL(sUri).searchParams.get("secret") ?? "" });
  const body = { sCode: app.generate() };
  expect((await call(confirm, { method: "PUT", token, body })).status).toBe(200);
  expect((await call(merchants, { token })).status).toBe(200);
  expect(await signIn(admin.email)).toMatchObject({ status: 401, code: "second_factor_required" });
  expect((await call(logout, { method: "POST", token })).status).toBe(200);
});

test("in production an administrator without a second factor chooses the language of the page that asks for one", async () => {
  const admin = await makeAdmin(db, { locale: "en" });
  const { token } = (await signIn(admin.email)).data as { token: string };
  const found = await resolveSession(getDb(), { token }, new Date());
  if (found.state !== "live") throw new Error("the session should live");
  const ctx = { ...publicContext(getDb()), actor: found.actor };
  await expect(updateProfile(ctx, { locale: "ar" })).rejects.toMatchObject({ code: "enrolment_required" });
  await saveOwnLocale(ctx, { locale: "ar" });
  expect(await db.user.findUniqueOrThrow({ where: { id: admin.id } })).toMatchObject({ locale: "ar" });
  expect((await auditsOf(db, admin.id)).at(-1)).toMatchObject({
    action: "profile.changed",
    before: { locale: "en" },
    after: { locale: "ar" },
  });
});

test("an owner is not asked for one", async () => {
  const { owner } = await makeMerchant(db);
  const { token } = (await signIn(owner.email)).data as { token: string };
  expect((await call(profile, { token })).status).toBe(200);
});

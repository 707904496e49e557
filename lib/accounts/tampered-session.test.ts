import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { macOf } from "@/lib/secrets/secrets";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { panelOf } from "@/lib/testing/panels";
import { tampered } from "@/lib/testing/with-secrets";
import { SESSION_COOKIE } from "./auth.config";

const profile = handlerOf("GET", "profile");

const db = await testDb();
const statusFor = async (headers: Record<string, string>) => (await call(profile, { headers })).status;
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("a changed token is no session", async () => {
  const token = await tokenOf(db, (await makeMerchant(db)).owner);
  expect(await statusFor({ authorization: token })).toBe(200);
  for (const authorization of tampered(token))
    expect([authorization, await statusFor({ authorization })]).toEqual([authorization, 401]);
});

test("a panel's session needs its own cookie and its own handle together, and ends for both", async () => {
  const shop = await makeMerchant(db);
  const { id, handle, cookie } = await panelOf(db, shop.owner);
  const value = cookie.slice(cookie.indexOf("=") + 1);
  const other = await panelOf(db, await makeWorker(db, shop));
  expect(await statusFor({ authorization: handle, cookie })).toBe(200);
  const forged: Record<string, string>[] = [
    { authorization: handle },
    { authorization: handle, cookie: other.cookie },
    { authorization: other.handle, cookie },
    { cookie },
    { authorization: id },
    { authorization: `Bearer ${value}` },
  ];
  for (const headers of forged) expect([headers, await statusFor(headers)]).toEqual([headers, 401]);
  await db.session.update({ where: { id }, data: { revokedAt: new Date() } });
  await expect.poll(() => statusFor({ authorization: handle, cookie })).toBe(417);
});

test("a cookie that is changed, unsigned, or made with another key opens nothing", async () => {
  const { id, handle, cookie } = await panelOf(db, (await makeMerchant(db)).owner);
  const value = cookie.slice(cookie.indexOf("=") + 1);
  const claims = { sid: id, handle, role: "super_admin" };
  const otherKeys = [macOf("links", "cookies"), macOf("devices", "cookies")].map((key) =>
    key.toString("hex"),
  );
  const values = [
    ...tampered(value),
    `${base64url({ alg: "none" })}.${base64url(claims)}.`,
    `${base64url({ alg: "HS256" })}.${base64url(claims)}.${macOf("links", base64url(claims)).toString("base64url")}`,
    `${base64url({ alg: "dir", enc: "none" })}...${base64url(claims)}.`,
    `${base64url({ alg: "dir", enc: "A256GCM" })}.${value.split(".").slice(1).join(".")}`,
    ...(await Promise.all(
      [...otherKeys, "x", "a".repeat(64)].map((secret) =>
        encode({ token: claims, secret, salt: SESSION_COOKIE }),
      ),
    )),
  ];
  for (const forged of values) {
    const status = await statusFor({ authorization: handle, cookie: `${SESSION_COOKIE}=${forged}` });
    expect([forged, status]).toEqual([forged, 401]);
  }
});

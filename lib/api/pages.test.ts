import { randomInt, randomUUID } from "node:crypto";
import { NextRequest } from "next/server";
import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { openSession } from "@/lib/accounts/session";
import { addCardDevice } from "@/lib/cards/card-holder";
import { translator } from "@/lib/i18n/translate";
import { madeOnce } from "@/lib/observe/once";
import { knownDeviceValue } from "@/lib/secrets/known-device";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import ar from "@/messages/ar.json";
import middleware, { config } from "@/middleware";
import { PEER_HEADER } from "./address";
import { registerCallerLookup } from "./caller-lookup";
import { countRequest, countVisitor } from "./limits";

const db = await testDb();
registerCallerLookup();

const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
type Sent = { cookie?: string; method?: string; headers?: Record<string, string> };

function open(address: string, path = "/privacy", { cookie, method = "GET", headers = {} }: Sent = {}) {
  const all = { [PEER_HEADER]: address, ...(cookie ? { cookie } : {}), ...headers };
  return middleware(new NextRequest(`http://localhost:3000${path}`, { method, headers: all }));
}

/** Uses up what strangers of an address may open in a minute, but for `left` pages. */
async function usePages(key: string, left = 0): Promise<void> {
  for (let n = 1200; n > left; n -= 1) await countRequest("page", key);
}

async function sessionCookie(): Promise<{ cookie: string; id: string }> {
  const { owner } = await makeMerchant(db);
  const session = await openSession(db, { userId: owner.id, userAgent: null, address: "a", now: new Date() });
  const value = await encode({
    token: { sid: session.id, handle: session.handle, role: owner.role },
    secret: process.env.AUTH_SECRET ?? "",
    salt: SESSION_COOKIE,
  });
  return { cookie: `${SESSION_COOKIE}=${value}`, id: session.id };
}

test("every method and every path counts, whatever its suffix; the 1,201st page of a minute is refused", async () => {
  const matches = (path: string) => new RegExp(`^${config.matcher[0]}$`).test(path);
  for (const path of [
    ...["/", "/login", "/x.js", "/x.png", "/_next/image", "/_next/x.js", "/merchant/a.txt"],
  ])
    expect([path, matches(path)]).toEqual([path, true]);
  for (const path of ["/api/health", "/_next/static/chunks/a.js"])
    expect([path, matches(path)]).toEqual([path, false]);

  const address = newAddress();
  await usePages(address, 4);
  for (const [path, sent] of [
    ["/privacy", { method: "HEAD" }],
    ["/nothing.js", {}],
    ["/privacy", { method: "POST" }],
    ["/privacy", { headers: { "next-router-prefetch": "1" } }],
  ] as const)
    expect((await open(address, path, sent)).status).not.toBe(429);
  const refused = await open(address);
  expect([refused.status, refused.headers.get("ratelimit-limit")]).toEqual([429, "1200"]);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect((await open(address, "/nothing.js")).status).toBe(429);
});

test("a live session, a holder's cookie and a known device count for themselves, and so do their prefetches", async () => {
  const address = newAddress();
  await usePages(address);
  expect((await open(address)).status).toBe(429);
  const { cookie, id } = await sessionCookie();
  expect((await open(address, "/merchant/dashboard", { cookie })).status).toBe(200);
  const customer = await makeCustomer(db, await makeMerchant(db));
  const token = await db.$transaction((tx) => addCardDevice(tx, customer.id, new Date()));
  const holder = `wallet_card_${customer.id}=${token}`;
  expect((await open(address, "/privacy", { cookie: holder })).status).toBe(200);
  const device = `wallet_device=${knownDeviceValue(null, { email: uniqueEmail() })}`;
  expect((await open(address, "/privacy", { cookie: device })).status).toBe(200);

  await usePages(`session:${id}`, 2);
  // Anybody with a session can send the header.
  const prefetch = { cookie, headers: { "next-router-prefetch": "1" } };
  expect((await open(address, "/merchant/dashboard", prefetch)).status).toBe(200);
  expect((await open(address, "/merchant/dashboard", { cookie })).status).toBe(429);
});

test("all known devices of an address together have ten times a device's limit, apart from its strangers", async () => {
  const address = newAddress();
  const deviceCookie = () => `wallet_device=${knownDeviceValue(null, { email: uniqueEmail() })}`;
  const device = { id: randomUUID() };
  // Eleven devices, each within its own limit.
  for (let n = 0; n < 11_999; n += 1) {
    if (n % 1100 === 0) device.id = randomUUID();
    await countVisitor("page", { device, address });
  }
  expect((await open(address, "/privacy", { cookie: deviceCookie() })).status).toBe(200);
  expect((await open(address, "/privacy", { cookie: deviceCookie() })).status).toBe(429);
  expect((await open(address)).status).toBe(200);
  expect((await open(newAddress(), "/privacy", { cookie: deviceCookie() })).status).toBe(200);
});

test.each([
  [
    "an ended session",
    async () => {
      const { cookie, id } = await sessionCookie();
      await db.session.update({ where: { id }, data: { revokedAt: new Date() } });
      return cookie;
    },
  ],
  [
    "a holder's cookie that was never given out",
    async () => {
      const customer = await makeCustomer(db, await makeMerchant(db));
      return `wallet_card_${customer.id}=${"x".repeat(43)}`;
    },
  ],
  ["a forged device", async () => `wallet_device=${randomUUID()}.${"x".repeat(22)}`],
])("%s counts as a stranger", async (_what, cookieOf) => {
  const address = newAddress();
  await usePages(address);
  expect((await open(address, "/privacy", { cookie: await cookieOf() })).status).toBe(429);
});

test("a session is looked up once a minute, a stranger never", async () => {
  const { cookie } = await sessionCookie();
  const callers = madeOnce<{ lookup?: { session: (id: string) => Promise<boolean> } }>("callers");
  const lookup = callers?.lookup;
  let asked = 0;
  if (!lookup) throw new Error("no lookup");
  const original = lookup.session;
  lookup.session = (id) => {
    asked += 1;
    return original(id);
  };
  for (let n = 0; n < 5; n += 1) await open(newAddress(), "/merchant/dashboard", { cookie });
  for (let n = 0; n < 5; n += 1) await open(newAddress());
  lookup.session = original;
  expect(asked).toBe(1);
});

test("the page speaks the visitor's language, says when to come back, and comes back by itself", async () => {
  const address = newAddress();
  await usePages(address);
  const refused = await open(address, "/privacy?a=%22%3E%3Cscript%3E", {
    headers: { "accept-language": "ar" },
  });
  const page = await refused.text();
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain(ar.wait.title);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(page).toContain(translator("ar")("wait.seconds", { seconds }));
  expect(page).toContain(`<meta http-equiv="refresh" content="${seconds}">`);
  expect(page).not.toContain("<script");
  expect(page).not.toContain('"><script>');
});

test("login and a mailed link of somebody who is signed in: the wanted page, the link's own page, or home", async () => {
  const { cookie } = await sessionCookie();
  const led = async (path: string) => {
    const location = (await open(newAddress(), path, { cookie })).headers.get("location");
    return location === null ? null : location.slice("http://localhost:3000".length);
  };
  const topup = "/topup?customerId=a&src=apple";
  expect(await led(`/login?returnUrl=${encodeURIComponent(topup)}`)).toBe(topup);
  expect(await led("/login?from=%2Fmerchant%2Faccount%3Ftab%3Da")).toBe("/merchant/account?tab=a");
  expect(await led("/login?from=%2Fadmin%2Fcustomers")).toBe("/merchant/dashboard");
  expect(await led("/login?from=https%3A%2F%2Felsewhere.example")).toBe("/merchant/dashboard");
  expect(await led("/reset-password/a-link")).toBeNull();
  expect(await led("/signup")).toBe("/");
});

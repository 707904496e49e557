import { randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { NextRequest } from "next/server";
import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { POST as proveWork } from "@/app/api/proof-of-work/route";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { openSession } from "@/lib/accounts/session";
import { addCardDevice } from "@/lib/cards/card-holder";
import { knownDeviceValue } from "@/lib/secrets/known-device";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import middleware, { config } from "@/middleware";
import { PEER_HEADER } from "./address";
import { registerCallerLookup } from "./caller-lookup";
import { countRequest } from "./limits";

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
    ...["/texts/en", "/texts/fr/a.b.js", "/texts/en/a/b.js"],
  ])
    expect([path, matches(path)]).toEqual([path, true]);
  for (const path of ["/api/health", "/_next/static/chunks/a.js", "/texts/ar/a-_1b.c-_2d.js"])
    expect([path, matches(path)]).toEqual([path, false]);

  const address = newAddress();
  await usePages(address, 4);
  for (const [path, sent] of [
    ["/privacy", { method: "HEAD" }],
    ["/nothing.js", {}],
    ["/privacy", { method: "POST" }],
    // A header proves nothing: a stranger's prefetch is a page.
    ["/privacy", { headers: { "next-router-prefetch": "1" } }],
  ] as const)
    expect((await open(address, path, sent)).status).not.toBe(429);
  const refused = await open(address);
  expect([refused.status, refused.headers.get("ratelimit-limit")]).toEqual([429, "1200"]);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect((await open(address, "/nothing.js")).status).toBe(429);
});

test("a live session, a holder's cookie and a known device count for themselves, and their prefetches do not count", async () => {
  const address = newAddress();
  await usePages(address);
  expect((await open(address)).status).toBe(429);
  const { cookie, id } = await sessionCookie();
  expect((await open(address, "/merchant/dashboard", { cookie })).status).toBe(200);
  const customer = await makeCustomer(db, await makeMerchant(db));
  const token = await db.$transaction((tx) => addCardDevice(tx, customer.id, new Date()));
  const holder = `wallet_card_${customer.id}=${token}`;
  expect((await open(address, "/privacy", { cookie: holder })).status).toBe(200);
  const device = `wallet_device=${knownDeviceValue(null, uniqueEmail())}`;
  expect((await open(address, "/privacy", { cookie: device })).status).toBe(200);

  await usePages(`session:${id}`, 1);
  const prefetch = { cookie, headers: { "next-router-prefetch": "1" } };
  for (let n = 0; n < 3; n += 1)
    expect((await open(address, "/merchant/dashboard", prefetch)).status).toBe(200);
  const refused = await open(address, "/merchant/dashboard", { cookie });
  expect(refused.status).toBe(429);
  // A known caller is not asked for a proof of work.
  expect(await refused.text()).toContain('data-challenge="null"');
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
  ["a forged pass", async () => `wallet_pass=${randomUUID()}.9999999999.${"x".repeat(43)}`],
])("%s counts as a stranger", async (_what, cookieOf) => {
  const address = newAddress();
  await usePages(address);
  expect((await open(address, "/privacy", { cookie: await cookieOf() })).status).toBe(429);
});

test("a session is looked up once a minute, a stranger never", async () => {
  const { cookie } = await sessionCookie();
  const shared = globalThis as { walletCallers?: { session: (id: string) => Promise<boolean> } };
  const lookup = shared.walletCallers;
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

/** The challenge in the page that a stranger gets, as its script reads it. */
async function challengeAt(address: string): Promise<Challenge> {
  const page = await (await open(address)).text();
  const [, text = ""] = /data-challenge="([^"]*)"/.exec(page) ?? [];
  return JSON.parse(text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))) as Challenge;
}

function send(address: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json", [PEER_HEADER]: address };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return proveWork(new Request("http://localhost:3000/api/proof-of-work", init), {
    params: Promise.resolve({}),
  });
}

test("a stranger above the limit gets a challenge whose solution opens pages: once, at this address, for this client", async () => {
  const [address, other] = [newAddress(), newAddress()];
  await usePages(address);
  const challenge = await challengeAt(address);
  const solution = await solveChallenge({ challenge, deriveKey });
  expect(solution).not.toBeNull();
  expect((await send(other, { challenge, solution })).status).toBe(400);
  expect(
    (await send(address, { challenge, solution: { ...solution, derivedKey: "00".repeat(32) } })).status,
  ).toBe(400);
  const eased = { ...challenge, parameters: { ...challenge.parameters, cost: 1 } };
  expect((await send(address, { challenge: eased, solution })).status).toBe(400);
  // Of ten at the same time, one passes.
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(address, { challenge, solution })));
  const [good, ...more] = answers.filter(({ status }) => status === 200);
  expect(more).toEqual([]);
  const cookie = good?.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect(cookie).toMatch(/^wallet_pass=/);
  expect((await open(address, "/privacy", { cookie })).status).toBe(200);
  expect((await open(address)).status).toBe(429);
  await usePages(other);
  expect((await open(other, "/privacy", { cookie })).status).toBe(429);
  for (let n = 1; n < 300; n += 1) await open(address, "/privacy", { cookie });
  expect(await (await open(address, "/privacy", { cookie })).text()).toContain("parameters");
}, 60_000);

test("the longest challenge takes 800 steps, and the worker in public/ is the installed one", async () => {
  const address = newAddress();
  await usePages(address);
  for (let n = 0; n < 5; n += 1) {
    const solution = await solveChallenge({ challenge: await challengeAt(address), deriveKey });
    expect(solution?.counter).toBeLessThan(800);
  }
  const installed = readFileSync("node_modules/altcha/dist/workers/pbkdf2.js");
  expect(readFileSync("public/proof-of-work/worker.js").equals(installed)).toBe(true);
});

test("the page speaks the visitor's language, announces its state, and needs no action", async () => {
  const address = newAddress();
  await usePages(address);
  const refused = await open(address, "/privacy?a=%22%3E%3Cscript%3E", {
    headers: { "accept-language": "ar" },
  });
  const page = await refused.text();
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain('role="status"');
  expect(page).toContain("لحظة من فضلك");
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

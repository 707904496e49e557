import { randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { NextRequest } from "next/server";
import { encode } from "next-auth/jwt";
import { expect, test, vi } from "vitest";
import { POST as reportCsp } from "@/app/api/csp-report/route";
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
import { uploadOrigins } from "./content-policy";
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
  for (const path of ["/", "/login", "/x.js", "/x.png", "/_next/image", "/_next/x.js", "/merchant/a.txt"])
    expect([path, matches(path)]).toEqual([path, true]);
  for (const path of ["/api/health", "/_next/static/chunks/a.js"])
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

test("every answer has a policy: pages, files, redirects, refusals", async () => {
  const directives = (response: Response) => response.headers.get("content-security-policy") ?? "";
  const address = newAddress();
  for (const path of ["/privacy", "/login", "/a.js", "/a.png"]) {
    const response = await open(address, path);
    const script = /script-src ([^;]*)/.exec(directives(response))?.[1] ?? "";
    expect(script).toMatch(/'nonce-[A-Za-z0-9+/=]{40,}'/);
    expect(script).not.toMatch(/unsafe-inline|\*/);
    expect(directives(response)).toContain("report-uri /api/csp-report");
    // The page's renderer reads the nonce from the request.
    expect(response.headers.get("x-middleware-request-x-nonce")).toBeTruthy();
  }
  const nonces = await Promise.all([1, 2].map(async () => directives(await open(address))));
  expect(nonces[0]).not.toBe(nonces[1]);
  const redirect = await open(address, "/nowhere");
  expect([redirect.status, directives(redirect)]).toEqual([
    307,
    expect.stringContaining("default-src 'none'"),
  ]);
  await usePages(address).catch(() => undefined);
  for (const sent of [{}, { method: "POST" }, { headers: { rsc: "1" } }]) {
    const refused = await open(address, "/privacy", sent);
    expect([refused.status, directives(refused)]).toEqual([
      429,
      expect.stringContaining("default-src 'none'"),
    ]);
  }
});

test.each([
  [{}, []],
  [{ S3_BUCKET: "wallet", S3_REGION: "me-central-1" }, ["https://wallet.s3.me-central-1.amazonaws.com"]],
  [{ S3_BUCKET: "a.b", S3_REGION: "eu-west-1" }, ["https://s3.eu-west-1.amazonaws.com"]],
  [
    { S3_BUCKET: "wallet", S3_ENDPOINT: "https://store.example:9000/x" },
    ["https://wallet.store.example:9000"],
  ],
  [
    { S3_BUCKET: "wallet", S3_ENDPOINT: "http://store.localhost:9000", S3_FORCE_PATH_STYLE: "true" },
    ["http://store.localhost:9000"],
  ],
])("uploads go to one exact host: %j", (settings, origins) => {
  expect(uploadOrigins(settings)).toEqual(origins);
});

test("a violation is logged without personal data; anything but a small report is refused", async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const report = (body: string) =>
    reportCsp(
      new Request("http://localhost:3000/api/csp-report", {
        method: "POST",
        headers: { "content-type": "application/csp-report", [PEER_HEADER]: newAddress() },
        body,
      }),
      { params: Promise.resolve({}) },
    );
  const id = randomUUID();
  const good = await report(
    JSON.stringify({
      "csp-report": {
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/x.js?who=layla@customer.test",
        "document-uri": `https://wallet.example/customer/loyalty-card/${id}?code=048213`,
        "source-file": "inline",
        "line-number": 3,
        "script-sample": "alert('layla@customer.test')",
      },
    }),
  );
  const bad = [await report("no"), await report("{}"), await report(`{"a":"${"x".repeat(10_000)}"}`)];
  write.mockRestore();
  expect(good.status).toBe(204);
  expect(bad.map(({ status }) => status)).toEqual([400, 400, 413]);
  expect(lines.filter((line) => line.includes("csp_violation"))).toEqual([
    expect.stringContaining(
      "directive=script-src-elem blocked=https://evil.example/x.js page=https://wallet.example/customer/loyalty-card/… source=inline line=3",
    ),
  ]);
  expect(lines.join("")).not.toMatch(/layla|048213/);
});

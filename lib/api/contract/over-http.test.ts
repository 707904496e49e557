import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BuiltServer, FORMS, startBuilt, startHere } from "@/lib/testing/contract/built-servers";
import { type CheckedAnswer, exchange, newAddress, OPERATIONS } from "@/lib/testing/contract/exchange";
import { CRON_SECRET, PUBLIC_EXAMPLES } from "@/lib/testing/contract/public-examples";
import { STAFF_EXAMPLES } from "@/lib/testing/contract/staff-examples";
import { makeWorld, type World } from "@/lib/testing/contract/world";
import { testDb } from "@/lib/testing/database";
import { type PgBouncer, startPgBouncer } from "@/lib/testing/proxies";
import { ensureBuild } from "@/scripts/lib/build";
import { ensureProxies } from "@/scripts/lib/tools";
import { freePort } from "@/scripts/postgres/port";

// The deploy stage of npm test runs it against the built program, by our own server and by Next; without a build the own
// server stands in this process.
const isBuilt = process.env.CONTRACT_OVER_HTTP === "1";
if (isBuilt) await ensureBuild();
const isPooled = process.env.CONTRACT_POOLER === "1";
const lacksPooler = isPooled && ensureProxies("pgbouncer").length > 0;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" });
const EXAMPLES = { ...PUBLIC_EXAMPLES, ...STAFF_EXAMPLES };
// Next writes answers in parts, lengths decide about compression, and Next adds the names of its own request headers to
// Vary, which the API does not read.
const OF_THE_FORM = [
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "vary",
  "connection",
  "keep-alive",
  "date",
];
const headerNames = (headers: Headers) => [...headers.keys()].filter((name) => !OF_THE_FORM.includes(name));

/** Sends bytes. Answers all that comes back until the server closes; fails when it does not. */
async function sendRaw(base: string, bytes: string): Promise<{ status: number; answer: string }> {
  const socket = connect(Number(new URL(base).port), "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(Buffer.from(bytes, "latin1"));
  await new Promise((done) => socket.on("close", done));
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), answer };
}

const HOST = "Host: localhost\r\n";
const LOGIN = `POST /api/auth/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;
const END = "Connection: close\r\n\r\n";
/** Requests that no client sends. */
const MALFORMED: [string, string][] = [
  ["no request", "\0\0\0\0\r\n\r\n"],
  ["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["no host", "GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["two lengths", `${LOGIN}Content-Length: 5\r\nContent-Length: 6\r\n${END}hello!`],
  ["a length and chunks", `${LOGIN}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n${END}0\r\n\r\nX`],
  ["chunks in disguise", `${LOGIN}Transfer-Encoding: xchunked\r\n${END}0\r\n\r\n`],
  ["a chunk of a wrong size", `${LOGIN}Transfer-Encoding: chunked\r\n${END}zz\r\nhello\r\n0\r\n\r\n`],
  ["a negative length", `${LOGIN}Content-Length: -1\r\n${END}`],
  ["a header with a line break", `GET /api/health HTTP/1.1\r\n${HOST}X: a\rb\r\n${END}`],
  ["a space before the colon", `GET /api/health HTTP/1.1\r\n${HOST}Content-Length : 5\r\n${END}`],
  ["100 kB of headers", `GET /api/health HTTP/1.1\r\n${HOST}X: ${"y".repeat(100_000)}\r\n${END}`],
  ["5,000 headers", `GET /api/health HTTP/1.1\r\n${HOST}${"a: b\r\n".repeat(5_000)}${END}`],
  ["100 kB of path", `GET /${"x".repeat(100_000)} HTTP/1.1\r\n${HOST}${END}`],
  ["CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}${END}`],
  ["no JSON", `${LOGIN}Content-Length: 1\r\n${END}{`],
  ["a deep JSON", `${LOGIN}Content-Length: 60000\r\n${END}${"[".repeat(60_000)}`],
  ["a large JSON", `${LOGIN}Content-Length: 3000000\r\n${END}{"a":"${"x".repeat(2_999_992)}"}`],
  ["no UTF-8", `${LOGIN}Content-Length: 4\r\n${END}{"\u00ff}`],
];
const get = (target: string, more = "", host = HOST) => `GET ${target} HTTP/1.1\r\n${host}${more}${END}`;
const EVIL = "Host: evil.example\r\n";
/** Strange requests that Next answers, and from where each might fetch what it must not. */
const STRANGE: [string, string][] = [
  ["no version", "GET /\r\n\r\n"],
  ["a path that cannot be decoded", get("/%ff%00")],
  ["dots in the path", get("/../../../etc/passwd")],
  ["encoded dots", get("/%2e%2e%2f%2e%2e%2fetc/passwd")],
  ["a whole address", get("http://169.254.169.254/latest")],
  ["a foreign host", get("/login", "", EVIL)],
  ["a forwarded host", get("/", `X-Forwarded-${EVIL}`)],
  ["a foreign image", get("/_next/image?url=http%3A%2F%2F169.254.169.254%2F&w=64&q=75")],
];

let world: World;
let servers: BuiltServer[] = [];
/** The settings of servers behind PgBouncer in transaction mode, if this run wants one. */
let pooled: Record<string, string> = {};
let pooler: PgBouncer | undefined;

async function startPooler(): Promise<void> {
  const { DATABASE_URL = "" } = process.env;
  pooler = await startPgBouncer([DATABASE_URL]);
  pooled = {
    DATABASE_URL: pooler.through(DATABASE_URL),
    DATABASE_DIRECT_URL: DATABASE_URL,
    DATABASE_POOLER: "transaction",
    DATABASE_STATEMENTS: "",
  };
}

describe.skipIf(lacksPooler)("the API over HTTP", () => {
  beforeAll(async () => {
    vi.stubEnv("TRUSTED_PROXIES", "1");
    vi.stubEnv("CRON_SECRET", CRON_SECRET);
    vi.stubEnv("GOOGLE_WALLET_ISSUER_ID", "3388000000000000001");
    const account = { client_email: "wallet@project.iam.test", private_key: pem };
    vi.stubEnv("GOOGLE_WALLET_KEY", JSON.stringify(account));
    world = await makeWorld(await testDb());
    if (isPooled) await startPooler();
    servers = isBuilt
      ? await Promise.all(FORMS.map((form) => startBuilt(form, pooled)))
      : [await startHere()];
  }, 120_000);
  afterAll(async () => {
    await Promise.all(servers.map(({ stop }) => stop()));
    await pooler?.stop();
  });

  const named = OPERATIONS.map((operation) => [operation.name, operation] as const);
  test.each(named)("%s", async (name, operation) => {
    const answers: CheckedAnswer[] = [];
    for (const { base, form } of servers) {
      const { status = 200, data, as, ...call } = (await EXAMPLES[name]?.(world)) ?? {};
      const token = as ? world.tokens[as] : undefined;
      const found = await exchange(operation, { ...call, ...(token ? { token } : {}) }, base);
      expect([form, found.status, found.violations]).toEqual([form, status, []]);
      if (data !== undefined) expect(found.body?.data).toMatchObject(data as object);
      answers.push(found);
    }
    if (!isBuilt) return;
    const [own, next] = answers.map(({ headers }) => headerNames(headers).sort());
    expect(own).toEqual(next);
    // Only our own server knows the length of an answer before it sends it.
    const isJson = answers[0]?.headers.get("content-type") === "application/json";
    const lengths = answers.map(({ headers }) => headers.has("content-length"));
    if (isJson && !operation.spec.respond) expect(lengths).toEqual([true, false]);
    // The second list is longer than the first, and only a long answer may be compressed.
    const valuesOf = ({ headers }: CheckedAnswer) =>
      ["content-security-policy", "cache-control", "content-type", "x-frame-options"].map((header) =>
        headers.get(header)?.replace(", no-transform", ""),
      );
    const [first, ...others] = answers.map(valuesOf);
    for (const other of others) expect(other).toEqual(first);
  });

  const asked: [method: string, path: string][] = [
    ["HEAD", "/api/profile"],
    ["OPTIONS", "/api/profile"],
    ["DELETE", "/api/profile"],
    ["GET", "/api/nothing"],
    ["GET", "/api/profile/"],
    ["GET", "/api//profile"],
    ["GET", "/api/customer/%00/balance"],
    ["GET", "/api/customer/a%2Fb/balance"],
    ["GET", "/api/customer/..%2f..%2fprofile"],
    ["GET", "/api/auth/csrf"],
    ["GET", "/api/media/upload/none"],
    ["GET", "/api/Profile"],
  ];
  test.runIf(isBuilt).each(asked)("%s %s is answered alike", async (method, path) => {
    const answers = await Promise.all(
      servers.map(async ({ base }) => {
        const headers = { "x-forwarded-for": newAddress() };
        const answer = await fetch(base + path, { method, headers, redirect: "manual" });
        const { allow = null, location = null } = Object.fromEntries(answer.headers);
        return { status: answer.status, allow, location, names: headerNames(answer.headers).sort() };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test.runIf(isBuilt)(
    "a process has one pool, one set of limits and one registry of metrics",
    async () => {
      const port = await freePort();
      const server = await startBuilt("own", { ...pooled, METRICS_PORT: String(port), DATABASE_POOL: "2" });
      const address = newAddress();
      const headers = { authorization: world.tokens.worker, "x-forwarded-for": address };
      const ask = (method: string, path: string) => fetch(server.base + path, { method, headers });
      try {
        // Our own server answers GET; HEAD, an unknown path and pages go to Next.
        const left: number[] = [];
        for (const method of ["GET", "HEAD", "GET"]) {
          left.push(Number((await ask(method, "/api/profile")).headers.get("ratelimit-remaining")));
        }
        const [first = 0] = left;
        expect(left).toEqual([first, first - 1, first - 2]);
        expect((await ask("GET", "/api/nothing")).status).toBe(404);
        expect((await ask("DELETE", "/api/profile")).status).toBe(405);
        const many = Array.from({ length: 12 }, () => [
          ask("GET", "/api/recent-top-ups"),
          ask("HEAD", "/api/recent-top-ups"),
          ask("GET", "/customer/signup/unknown"),
        ]);
        await Promise.all(many.flat());
        const shown = await (await fetch(`http://127.0.0.1:${port}/api/metrics`)).text();
        const sum = (pattern: RegExp) =>
          shown.split("\n").reduce((total, line) => total + Number(pattern.exec(line)?.[1] ?? 0), 0);
        expect(sum(/^wallet_refusals_total\{code="not_found"\} (\d+)/)).toBe(1);
        expect(sum(/^wallet_refusals_total\{code="method_not_allowed"\} (\d+)/)).toBe(1);
        expect(
          sum(/^wallet_http_requests_total\{route="\/api\/profile",method="GET",status="200"\} (\d+)/),
        ).toBe(2);
        expect(
          sum(/^wallet_http_requests_total\{route="\/api\/profile",method="HEAD",status="200"\} (\d+)/),
        ).toBe(1);
        const connections = sum(/^wallet_pool_connections\{pool="queries",state="total"\} (\d+)/);
        expect(connections).toBeGreaterThan(0);
        expect(connections).toBeLessThanOrEqual(2);
      } finally {
        await server.stop();
      }
    },
    60_000,
  );

  test.each(MALFORMED)("%s is refused or closed, once, and the server goes on", async (_what, bytes) => {
    for (const { base } of servers) {
      const { status, answer } = await sendRaw(base, bytes);
      // No status: closed without an answer.
      expect(status || 400, answer.slice(0, 200)).toBeGreaterThanOrEqual(400);
      expect(status, answer.slice(0, 200)).toBeLessThan(500);
      expect((answer.match(/^HTTP\/1\.1/gm) ?? []).length).toBeLessThanOrEqual(1);
      expect((await fetch(`${base}/api/health`)).status).toBe(200);
    }
  });

  test.runIf(isBuilt).each(STRANGE)("%s shows nothing of the machine or of others", async (_what, bytes) => {
    for (const { base } of servers) {
      const { status, answer } = await sendRaw(base, bytes);
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
      expect(answer).not.toMatch(/root:x|ami-id|evil\.example/);
    }
  });

  test.runIf(isBuilt)("headers of Next's own and of ours skip no check of a panel", async () => {
    const skip = `x-middleware-subrequest: ${Array(5).fill("middleware").join(":")}\r\nx-wallet-path: /login\r\n`;
    for (const { base } of servers)
      expect((await sendRaw(base, get("/merchant/dashboard", skip))).status).toBe(307);
  });

  test("a body above the limit is 413, by a length or in parts", async () => {
    const token = world.tokens.worker;
    for (const { base } of servers) {
      const big = new Uint8Array(1_000_000);
      const parts = new Blob([big]).stream();
      for (const body of [big, parts]) {
        const headers = { authorization: token, "content-type": "application/json" };
        const init = { method: "POST", headers, body, duplex: "half" };
        expect((await fetch(`${base}/api/top-up-points`, init as RequestInit)).status).toBe(413);
      }
    }
  });
});

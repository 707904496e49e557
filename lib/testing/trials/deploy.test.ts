import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { httpServer } from "@/lib/testing/http-server";
import { s3Server } from "@/lib/testing/s3-server";
import { smtpServer } from "@/lib/testing/smtp-server";
import { until } from "@/lib/testing/until";
import { picture } from "@/lib/testing/upload-journey";
import { ensureBuild, serverFolder } from "@/scripts/lib/build";
import { folderUntilEnd, projectRoot, untilEnd } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import type { Guarded } from "@/scripts/postgres/guarded";
import { freePort } from "@/scripts/postgres/port";
import { ensureDatabase, startPostgres } from "@/scripts/postgres/server";

type Settings = Record<string, string>;
const ADMIN = { email: "first@wallet.example", password: "the first of all passwords" };

/** The environment of a container. It takes only the way to programs (PATH) from this machine. */
const machine = { PATH: process.env.PATH ?? "", NODE_ENV: "production" } as const;

// The standalone server alone in a folder, as in its image, in production on real services.
await ensureBuild();
const folder = folderUntilEnd("deploy");
const app = join(folder, "app");
cpSync(serverFolder, app, { recursive: true, verbatimSymlinks: true });
const postgres = await untilEnd(startPostgres({ dataDir: join(folder, "data"), throwaway: true }));
await ensureDatabase(postgres.ownerUrl("postgres"), "wallet");
const [store, mail] = [await untilEnd(s3Server()), await untilEnd(smtpServer())];
// The collector takes OTLP over HTTP, and keeps what it receives.
const collector = await untilEnd(httpServer(() => ({ status: 200, body: {} })));
const [port, metricsPort] = [await freePort(), await freePort()];
const base = `http://127.0.0.1:${port}`;
const secret = randomBytes(36).toString("base64");
const settings: Settings = {
  APP_ENV: "production",
  // Behind a proxy with TLS; here the requests go straight to the server.
  APP_URL: "https://wallet.example",
  MEDIA_BASE_URL: `${base}/api/media`,
  TRUSTED_PROXIES: "0",
  PORT: String(port),
  AUTH_SECRET: secret,
  DATABASE_URL: postgres.url("wallet"),
  SMTP_URL: mail.url,
  ...store.settings,
  METRICS_PORT: String(metricsPort),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_BSP_SCHEDULE_DELAY: "500",
};
const start = (given: Settings, onOutput?: (text: string) => void) =>
  serveBuilt({
    env: { ...machine, ...given },
    port: Number(given.PORT),
    host: "127.0.0.1",
    output: "keep",
    folder: app,
    onOutput,
  });
let printed = "";
const running = await untilEnd(
  start(settings, (text) => {
    printed = text;
  }),
);
const statusOf = async (path: string) => (await fetch(base + path, { redirect: "manual" })).status;

async function call<T>(method: string, path: string, body?: unknown, token = ""): Promise<T> {
  const headers = { "content-type": "application/json", ...(token ? { authorization: token } : {}) };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${base}/api/${path}`, { method, headers, ...content });
  const text = await answer.text();
  expect(answer.status, `${method} ${path}: ${text}`).toBe(200);
  return (JSON.parse(text) as { data: T }).data;
}

test("it is alive and not ready before the migrations, and ready after them", async () => {
  await expect.poll(() => statusOf("/api/ready")).toBe(503);
  expect(await statusOf("/api/health")).toBe(200);
  await migrate(postgres.ownerUrl("wallet"), { application: postgres.url("wallet") });
  await untilReady(base, running);
});

test.each([
  ["DATABASE_URL", /DATABASE_URL/],
  ["AUTH_SECRET", /AUTH_SECRET/],
  ["SMTP_URL", /RESEND_API_KEY or SMTP_URL/],
  ["S3_BUCKET", /S3_BUCKET/],
  ["TRUSTED_PROXIES", /TRUSTED_PROXIES/],
  ["APP_URL", /APP_URL/],
])("without %s it refuses to start and names it", async (missing, named) => {
  const { [missing]: _, ...rest } = settings;
  const server = await untilEnd(start({ ...rest, PORT: String(await freePort()) }));
  await expect.poll(server.ended).toBe(true);
  const said = await server.gone;
  expect(said).toMatch(named);
  expect(said, "no value is printed").not.toContain(secret);
});

const SAME = "cache-control content-type content-security-policy x-content-type-options".split(" ");

test("a page's scripts and styles come in Brotli, as Next would serve them", async () => {
  const page = await (await fetch(`${base}/login`)).text();
  const assets = [...page.matchAll(/"(\/_next\/static\/[^"\\]+\.(?:js|css))"/g)].map(([, path]) => path);
  expect(assets.length).toBeGreaterThan(1);
  for (const path of assets) {
    const take = async (accepted: string) => {
      const answer = await fetch(base + path, { headers: { "accept-encoding": accepted } });
      const { status, headers } = answer;
      const alike = { status, same: SAME.map((name) => headers.get(name)), text: await answer.text() };
      return { encoding: headers.get("content-encoding"), alike };
    };
    // A client that takes gzip only, such as a browser without TLS, is served by Next.
    const [brotli, gzip] = [await take("br, gzip"), await take("gzip")];
    expect([brotli.alike.status, brotli.encoding, gzip.encoding], path).toEqual([200, "br", "gzip"]);
    expect(brotli.alike, path).toEqual(gzip.alike);
    if (!path?.endsWith(".css")) expect(brotli.alike.text, path).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
  }
});

test("the middleware runs, and no page of the development server is there", async () => {
  const panel = await fetch(`${base}/merchant/dashboard`, { redirect: "manual" });
  expect(panel.status).toBe(307);
  expect(panel.headers.get("location")).toBe("/login?from=%2Fmerchant%2Fdashboard");
  expect(await statusOf("/dev/mailbox")).toBe(404);
});

let merchantId = "";

test("a merchant signs up with an image, which S3 keeps", async () => {
  const file = { fileName: "front.jpg", contentType: "image/jpeg", fileCategory: "image" };
  type Upload = { presignedUrl: string; key: string; fullUrl: string };
  const upload = await call<Upload>("POST", "auth/merchant/upload-url", file);
  const body = new Uint8Array(await picture(64, 48));
  const headers = { "content-type": file.contentType };
  expect((await fetch(upload.presignedUrl, { method: "PUT", headers, body })).status).toBe(200);
  const { _id } = await call<{ _id: string }>("POST", "auth/merchant/signup", {
    sBusinessName: "Souq Dates",
    sFirstName: "Hamad",
    sLastName: "Al Kuwari",
    sEmail: "owner@wallet.example",
    sPhoneNumber: "55123456",
    sPassword: "a password of the owner",
    sBusinessImage: upload.key,
    branch: { sBranchName: "Souq Waqif", sCity: "Doha" },
  });
  merchantId = _id;
  expect((await fetch(upload.fullUrl)).headers.get("content-type")).toBe("image/webp");
});

function createAdmin(): void {
  const args = ["--import", "tsx", join(projectRoot, "scripts/admin-create.ts")];
  const who = ["--email", ADMIN.email, "--first", "Sara", "--last", "Haddad"];
  const env = { ...machine, ...settings, ADMIN_PASSWORD: ADMIN.password };
  const made = spawnSync(process.execPath, [...args, ...who], { cwd: projectRoot, env, encoding: "utf8" });
  expect(made.status, made.stdout + made.stderr).toBe(0);
}

test("an administrator may do nothing before the second factor, and approves the merchant with it", async () => {
  createAdmin();
  const signIn = { sEmail: ADMIN.email, sPassword: ADMIN.password };
  const { token } = await call<{ token: string }>("POST", "auth/login", signIn);
  const refused = await fetch(`${base}/api/profile`, { headers: { authorization: token } });
  expect(refused.status).toBe(403);
  const { sUri } = await call<{ sUri: string }>("POST", "second-factors/totp", undefined, token);
  const totp = new TOTP({ secret: new URL(sUri).searchParams.get("secret") ?? "" });
  await call("PUT", "second-factors/totp", { sCode: totp.generate() }, token);
  // A code is good once; the next one is known already, and stays good when its step begins meanwhile.
  const sCode = totp.generate({ timestamp: Date.now() + 30_000 });
  await call("POST", "auth/step-up", { sCode }, token);
  expect(await call("GET", "profile", undefined, token)).toMatchObject({ eRole: "super_admin" });
  await call("PUT", `merchants/${merchantId}/approval`, { eStatus: "A" }, token);
});

test("a customer's code is mailed by SMTP", async () => {
  const sLogin = "layla@customer.example";
  await call("POST", "auth/send-otp", { sType: "EMAIL", sAuth: "REGISTER", sLogin, iMerchantId: merchantId });
  await expect.poll(() => mail.messages.map(({ to }) => to).join()).toContain(sLogin);
});

test("the metrics are on the internal port only, and count what was done", async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/api/metrics`)).text();
  for (const line of [
    /^wallet_http_requests_total\{route="\/api\/auth\/login",method="POST",status="200"\} [1-9]/m,
    /^wallet_http_requests_total\{route="\/api\/merchants\/:id\/approval",method="PUT",status="200"\} 1/m,
    /^wallet_http_requests_total\{route="\/login",method="GET",status="200"\} [1-9]/m,
    /^wallet_mails_total\{lane="account",outcome="sent"\} [1-9]/m,
    /^wallet_pool_connections\{pool="queries",state="total"\} [1-9]/m,
    /^wallet_queue_waiting\{lane="mail_account"\} \d/m,
    /^wallet_database_up 1$/m,
    /^nodejs_eventloop_lag_p99_seconds \d/m,
  ]) {
    expect(text).toMatch(line);
  }
  expect(await statusOf("/api/metrics")).toBe(404);
});

test("every request is a line of JSON with the id that its answer has, and names no person", async () => {
  for (const path of ["/login", "/api/health", "/api/nothing", "/login?email=layla%40customer.example"]) {
    const id = randomUUID();
    const answer = await fetch(base + path, { headers: { "x-request-id": id } });
    expect(answer.headers.get("x-request-id"), path).toBe(id);
    if (path === "/api/health") continue;
    const line = await until(`the line of ${path}`, () =>
      printed.split("\n").find((one) => one.includes(id) && one.includes('"event":"request"')),
    );
    const isUnknown = path === "/api/nothing";
    expect(JSON.parse(line)).toMatchObject(
      isUnknown ? { route: "unknown", status: 404 } : { route: "/login", status: 200 },
    );
  }
  const forged = await fetch(`${base}/login`, { headers: { "x-request-id": "layla@customer.example" } });
  expect(forged.headers.get("x-request-id"), "another form is replaced").toMatch(/^[\da-f-]{36}$/);
  expect(printed).not.toMatch(/@customer\.example|@wallet\.example|55123456/);
});

type Span = { traceId: string; name: string };
type Export = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };

test("one trace goes from a request to its statements to its e-mail, and no span names a person", async () => {
  const wanted = [/POST.*auth\/send-otp/, /^SQL INSERT$/, /^mail account$/];
  const names = await until("a trace from request to SQL to e-mail", () => {
    const spans = collector.calls
      .filter(({ path }) => path.endsWith("/v1/traces"))
      .flatMap(({ body }) => (JSON.parse(body) as Export).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans));
    const traced = Map.groupBy(spans, ({ traceId }) => traceId);
    const all = [...traced.values()].map((trace) => trace.map(({ name }) => name));
    return all.find((trace) => wanted.every((want) => trace.some((name) => want.test(name))));
  });
  const received = collector.calls.map(({ body }) => body).join("\n");
  expect(received).not.toMatch(/[\w.]+@wallet\.example|@customer\.example|55123456/);
  console.log(`${names.length} spans`);
});

test("nobody gets past a limit by a header: without proxies the socket's address counts", async () => {
  const ask = (n: number) =>
    fetch(`${base}/api/auth/merchant/email-exist`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": `192.0.2.${n}`,
        "x-wallet-peer": `192.0.2.${n}`,
      },
      body: JSON.stringify({ sEmail: "someone@wallet.example" }),
    });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answers[0]?.headers.get("ratelimit-limit")).toBe("30");
});

/** The processes of the server that has several. */
const COUNT = 2;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

/** How many readings of /api/health each process has counted, by its own metrics; undefined where none answers. */
const answered = () =>
  Promise.all(
    Array.from({ length: COUNT }, async (_, place) => {
      const url = `http://127.0.0.1:${metricsPort + place}/api/metrics`;
      const text = await (await fetch(url).catch(() => undefined))?.text();
      const counted = /http_requests_total\{route="\/api\/health",.*status="200"\} (\d+)/.exec(text ?? "");
      return text === undefined ? undefined : Number(counted?.[1] ?? 0);
    }),
  );

/** Asks once, over a new connection, which the system gives to any of the processes. */
const health = (): Promise<number | undefined> =>
  fetch(`${base}/api/health`, { headers: { connection: "close" }, signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Begins a request, asks the server to end, and sends the rest. Answers the status. */
async function answeredWhileEnding(server: Guarded): Promise<number | undefined> {
  const body = JSON.stringify({ sEmail: "someone@wallet.example" });
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    // The server says when the request has arrived.
    expect: "100-continue",
  };
  const begun = request(`${base}/api/auth/merchant/email-exist`, { method: "POST", headers });
  begun.flushHeaders();
  await once(begun, "continue");
  const ended = server.stop();
  await until("the port is closed", async () => (await health()) === undefined);
  begun.end(body);
  const [answer] = (await once(begun, "response")) as [{ statusCode?: number; resume(): void }];
  answer.resume();
  await ended;
  return answer.statusCode;
}

test("of two processes each answers, a killed one is replaced, and both end after their answers", async () => {
  await running.stop();
  const server = await untilEnd(start({ ...settings, SERVER_PROCESSES: String(COUNT) }));
  await untilReady(base, server);
  await until("each process answers", async () => {
    await health();
    return (await answered()).every((count) => count !== undefined && count > 0);
  });
  const parent = await server.pid;
  const before = childrenOf(parent);
  expect(before).toHaveLength(COUNT);
  const [killed = 0, other = 0] = before;
  process.kill(killed, "SIGKILL");
  await until("another takes its place", async () => {
    expect(existsSync(`/proc/${other}`), "the other one is not touched").toBe(true);
    return (await answered()).every((count) => count !== undefined) && !childrenOf(parent).includes(killed);
  });
  for (let n = 0; n < 2 * COUNT; n++) expect(await health()).toBe(200);
  const all = [parent, ...childrenOf(parent)];
  expect(await answeredWhileEnding(server)).toBe(200);
  expect(all.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});

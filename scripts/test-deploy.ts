import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { type HttpStandIn, httpServer } from "@/lib/testing/http-server";
import { s3Server } from "@/lib/testing/s3-server";
import { smtpServer } from "@/lib/testing/smtp-server";
import { until } from "@/lib/testing/until";
import { picture } from "@/lib/testing/upload-journey";
import { ensureBuild, serverFolder } from "./lib/build";
import { folderUntilEnd, projectRoot, runCommand, untilEnd } from "./lib/command";
import { migrate } from "./lib/migrate";
import { serveBuilt, untilReady } from "./lib/serve";
import type { Guarded } from "./postgres/guarded";
import { freePort } from "./postgres/port";
import { ensureDatabase, startPostgres } from "./postgres/server";

type Settings = Record<string, string>;
const ADMIN = { email: "first@wallet.example", password: "the first of all passwords" };
const NEEDED: [missing: string, named: RegExp][] = [
  ["DATABASE_URL", /DATABASE_URL/],
  ["AUTH_SECRET", /AUTH_SECRET/],
  ["SMTP_URL", /RESEND_API_KEY or SMTP_URL/],
  ["S3_BUCKET", /S3_BUCKET/],
  ["TRUSTED_PROXIES", /TRUSTED_PROXIES/],
  ["APP_URL", /APP_URL/],
];

/** The environment of a container. It takes only the way to programs (PATH) from this machine. */
const machine = { PATH: process.env.PATH ?? "", NODE_ENV: "production" } as const;

const start = (folder: string, settings: Settings, onOutput?: (text: string) => void) =>
  serveBuilt({
    env: { ...machine, ...settings },
    port: Number(settings.PORT),
    host: "127.0.0.1",
    output: "keep",
    folder,
    onOutput,
  });

/** Without a setting it ends at once, by itself, and names it. */
async function refuses(folder: string, settings: Settings): Promise<void> {
  for (const [missing, named] of NEEDED) {
    const { [missing]: _, ...rest } = settings;
    const printed = await start(folder, rest).gone;
    assert.match(printed, named, `without ${missing}: ${printed}`);
    assert.ok(!printed.includes(settings.AUTH_SECRET ?? "?"), "no value is printed");
    console.log(`  without ${missing} it refuses to start and names it`);
  }
}

function createAdmin(settings: Settings): void {
  const args = ["--import", "tsx", join(projectRoot, "scripts/admin-create.ts")];
  const who = ["--email", ADMIN.email, "--first", "Sara", "--last", "Haddad"];
  const env = { ...machine, ...settings, ADMIN_PASSWORD: ADMIN.password };
  const made = spawnSync(process.execPath, [...args, ...who], { cwd: projectRoot, env, encoding: "utf8" });
  assert.equal(made.status, 0, made.stdout + made.stderr);
}

const SAME = "cache-control content-type content-security-policy x-content-type-options".split(" ");

function client(base: string) {
  return async function call<T>(method: string, path: string, body?: unknown, token = ""): Promise<T> {
    const headers = { "content-type": "application/json", ...(token ? { authorization: token } : {}) };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${base}/api/${path}`, { method, headers, ...content });
    const text = await answer.text();
    assert.equal(answer.status, 200, `${method} ${path}: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };
}

/** A page with its script and style, a merchant with an uploaded image, a sign-in, an approval, an e-mail. */
async function plays(base: string, mails: { to: string; data: string }[]): Promise<void> {
  const call = client(base);
  const page = await (await fetch(`${base}/login`)).text();
  const assets = [...page.matchAll(/"(\/_next\/static\/[^"\\]+\.(?:js|css))"/g)].map(([, path]) => path);
  assert.ok(assets.length > 1);
  // A client that takes gzip only, such as a browser without TLS, is served by Next.
  for (const path of assets) {
    const take = (accepted: string) => fetch(base + path, { headers: { "accept-encoding": accepted } });
    const [brotli, gzip] = [await take("br, gzip"), await take("gzip")];
    const encodings = [brotli, gzip].map(({ status, headers }) => [status, headers.get("content-encoding")]);
    assert.deepEqual(encodings.map(String), ["200,br", "200,gzip"], path);
    const text = await brotli.text();
    assert.equal(text, await gzip.text(), path);
    assert.ok(text.startsWith("//# allFunctionsCalledOnLoad\n") || path?.endsWith(".css"), path);
    for (const name of SAME) {
      assert.equal(brotli.headers.get(name), gzip.headers.get(name), `${name} of ${path}`);
    }
  }
  const panel = await fetch(`${base}/merchant/dashboard`, { redirect: "manual" });
  assert.deepEqual(
    [panel.status, panel.headers.get("location")],
    [307, "/login?from=%2Fmerchant%2Fdashboard"],
    "the middleware runs",
  );
  assert.equal((await fetch(`${base}/dev/mailbox`, { redirect: "manual" })).status, 404);

  const file = { fileName: "front.jpg", contentType: "image/jpeg", fileCategory: "image" };
  type Upload = { presignedUrl: string; key: string; fullUrl: string };
  const upload = await call<Upload>("POST", "auth/merchant/upload-url", file);
  const bytes = new Uint8Array(await picture(64, 48));
  const headers = { "content-type": file.contentType };
  assert.equal((await fetch(upload.presignedUrl, { method: "PUT", headers, body: bytes })).status, 200);
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
  const image = await fetch(upload.fullUrl);
  assert.equal(image.headers.get("content-type"), "image/webp");

  const signIn = { sEmail: ADMIN.email, sPassword: ADMIN.password };
  const { token } = await call<{ token: string }>("POST", "auth/login", signIn);
  // Production lets an administrator do nothing before the second factor.
  const refused = await fetch(`${base}/api/profile`, { headers: { authorization: token } });
  assert.equal(refused.status, 403);
  const { sUri } = await call<{ sUri: string }>("POST", "second-factors/totp", undefined, token);
  const app = new TOTP({ secret: new URL(sUri).searchParams.get("secret") ?? "" });
  await call("PUT", "second-factors/totp", { sCode: app.generate() }, token);
  // A code is good once; the next one is known already, and stays good when its step begins meanwhile.
  const sCode = app.generate({ timestamp: Date.now() + 30_000 });
  await call("POST", "auth/step-up", { sCode }, token);
  assert.equal((await call<{ eRole: string }>("GET", "profile", undefined, token)).eRole, "super_admin");
  await call("PUT", `merchants/${_id}/approval`, { eStatus: "A" }, token);
  const otp = { sType: "EMAIL", sAuth: "REGISTER", sLogin: "layla@customer.example", iMerchantId: _id };
  await call("POST", "auth/send-otp", otp);
  await until("the code is mailed", () => mails.some(({ to }) => to.includes(otp.sLogin)));
}

/** Nobody gets past a limit by writing another address into a header: without proxies the socket's counts. */
async function limits(base: string): Promise<void> {
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
  assert.equal(refused.length, 10);
  assert.ok(Number(refused[0]?.headers.get("retry-after")) > 0);
  assert.equal(answers[0]?.headers.get("ratelimit-limit"), "30");
}

type Span = { traceId: string; name: string };
type Export = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };

/** The spans that a collector received. */
function spansOf(collector: HttpStandIn): Span[] {
  return collector.calls
    .filter(({ path }) => path.endsWith("/v1/traces"))
    .flatMap(({ body }) => (JSON.parse(body) as Export).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);
}

/** One trace goes from a request to its statements to the e-mail that it caused, and no span contains a secret. */
async function traces(collector: HttpStandIn): Promise<void> {
  const wanted = [/POST.*auth\/send-otp/, /^SQL INSERT$/, /^mail account$/];
  const names = await until("a trace from request to SQL to e-mail", () => {
    const traced = Map.groupBy(spansOf(collector), ({ traceId }) => traceId);
    const all = [...traced.values()].map((spans) => spans.map(({ name }) => name));
    return all.find((trace) => wanted.every((want) => trace.some((name) => want.test(name))));
  });
  const received = collector.calls.map(({ body }) => body).join("\n");
  assert.ok(!/[\w.]+@wallet\.example|@customer\.example|55123456/.test(received), "no person in a span");
  console.log(`  one trace has ${names.length} spans, from the request to SQL to the e-mail`);
}

/** The metrics are on the internal port only, and count what was done. */
async function metrics(base: string, port: number): Promise<void> {
  const text = await (await fetch(`http://127.0.0.1:${port}/api/metrics`)).text();
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
    assert.match(text, line);
  }
  assert.equal((await fetch(`${base}/api/metrics`)).status, 404, "the public port has no metrics");
}

/** Pages and calls answer with the id of the request; every request is a line of JSON with that id and its trace. */
async function logs(base: string, printed: () => string): Promise<void> {
  for (const path of ["/login", "/api/health", "/api/nothing", "/login?email=layla%40customer.example"]) {
    const id = randomUUID();
    const answer = await fetch(base + path, { headers: { "x-request-id": id } });
    assert.equal(answer.headers.get("x-request-id"), id, path);
    if (path === "/api/health") continue;
    const line = await until(`the line of ${path}`, () =>
      printed()
        .split("\n")
        .find((one) => one.includes(id) && one.includes('"event":"request"')),
    );
    const { route, status } = JSON.parse(line) as { route: string; status: number };
    assert.deepEqual([route, status], path === "/api/nothing" ? ["unknown", 404] : ["/login", 200]);
  }
  const forged = await fetch(`${base}/login`, { headers: { "x-request-id": "layla@customer.example" } });
  assert.match(forged.headers.get("x-request-id") ?? "", /^[\da-f-]{36}$/, "another form is replaced");
  assert.ok(!/@customer\.example|@wallet\.example|55123456/.test(printed()), "no person in the log");
}

/** The processes of the server that has several. */
const COUNT = 2;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

/** How many readings of /api/health each process has counted, by its own metrics; undefined where none answers. */
const answered = (metricsPort: number) =>
  Promise.all(
    Array.from({ length: COUNT }, async (_, place) => {
      const url = `http://127.0.0.1:${metricsPort + place}/api/metrics`;
      const text = await (await fetch(url).catch(() => undefined))?.text();
      const counted = /http_requests_total\{route="\/api\/health",.*status="200"\} (\d+)/.exec(text ?? "");
      return text === undefined ? undefined : Number(counted?.[1] ?? 0);
    }),
  );

/** Asks once, over a new connection, which the system gives to any of the processes. */
const health = (base: string): Promise<number | undefined> =>
  fetch(`${base}/api/health`, { headers: { connection: "close" }, signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Begins a request, asks the server to end, and sends the rest. Answers the status. */
async function answeredWhileEnding(base: string, server: Guarded): Promise<number | undefined> {
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
  await until("the port is closed", async () => (await health(base)) === undefined);
  begun.end(body);
  const [answer] = (await once(begun, "response")) as [{ statusCode?: number; resume(): void }];
  answer.resume();
  await ended;
  return answer.statusCode;
}

/**
 * A server of several processes: each answers and counts, the place of a killed one is taken while the other answers on,
 * and SIGTERM ends all, after what they had begun.
 */
async function several(base: string, metricsPort: number, server: Guarded): Promise<void> {
  await untilReady(base, server);
  await until("each process answers", async () => {
    await health(base);
    return (await answered(metricsPort)).every((count) => count !== undefined && count > 0);
  });
  const parent = await server.pid;
  const before = childrenOf(parent);
  assert.equal(before.length, COUNT);
  const [killed = 0, other = 0] = before;
  process.kill(killed, "SIGKILL");
  await until("another takes its place", async () => {
    assert.ok(existsSync(`/proc/${other}`), "the other one is not touched");
    return (
      (await answered(metricsPort)).every((count) => count !== undefined) &&
      !childrenOf(parent).includes(killed)
    );
  });
  for (let n = 0; n < 2 * COUNT; n++) assert.equal(await health(base), 200);
  const all = childrenOf(parent);
  assert.equal(await answeredWhileEnding(base, server), 200, "what was begun is answered");
  for (const pid of [parent, ...all]) assert.ok(!existsSync(`/proc/${pid}`), "none is left");
  console.log("  two processes: each counts, a killed one is replaced, both end after their answers");
}

// npm run test:deploy: the standalone server alone in a folder, as in its image, in production on real services.
await runCommand(async () => {
  await ensureBuild();
  const folder = folderUntilEnd("deploy");
  const server = join(folder, "app");
  cpSync(serverFolder, server, { recursive: true, verbatimSymlinks: true });
  const postgres = await untilEnd(startPostgres({ dataDir: join(folder, "data"), throwaway: true }));
  const [store, mail] = [await untilEnd(s3Server()), await untilEnd(smtpServer())];
  // The collector takes OTLP over HTTP, and keeps what it receives.
  const collector = await untilEnd(httpServer(() => ({ status: 200, body: {} })));
  const [port, metricsPort] = [await freePort(), await freePort()];
  const base = `http://127.0.0.1:${port}`;
  const settings: Settings = {
    APP_ENV: "production",
    // Behind a proxy with TLS; here the requests go straight to the server.
    APP_URL: "https://wallet.example",
    MEDIA_BASE_URL: `${base}/api/media`,
    TRUSTED_PROXIES: "0",
    PORT: String(port),
    AUTH_SECRET: randomBytes(36).toString("base64"),
    DATABASE_URL: postgres.url("wallet"),
    SMTP_URL: mail.url,
    ...store.settings,
    METRICS_PORT: String(metricsPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "500",
  };
  await refuses(server, settings);
  await ensureDatabase(postgres.ownerUrl("postgres"), "wallet");
  let printed = "";
  const keep = (text: string) => {
    printed = text;
  };
  const running = await untilEnd(start(server, settings, keep));
  const readiness = () => fetch(`${base}/api/ready`).catch(() => undefined);
  await until("it starts without migrations", async () => (await readiness())?.status === 503);
  assert.equal((await fetch(`${base}/api/health`)).status, 200);
  console.log("  before the migrations it is alive and not ready: 503");
  await migrate(postgres.ownerUrl("wallet"), { application: postgres.url("wallet") });
  createAdmin(settings);
  await untilReady(base, running);
  await plays(base, mail.messages);
  await metrics(base, metricsPort);
  await logs(base, () => printed);
  await traces(collector);
  await limits(base);
  console.log("  an image in S3, a sign-in, an approval, an e-mail by SMTP: all good; limits hold");
  await running.stop();
  await several(base, metricsPort, start(server, { ...settings, SERVER_PROCESSES: String(COUNT) }));
  return 0;
});

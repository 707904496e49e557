import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startMetricsServer } from "@/lib/api/metrics-server";
import { observeRequests } from "@/lib/api/observe-requests";
import { RecipientRefused, type Transport } from "@/lib/email/message";
import { runDue } from "@/lib/jobs/run-due";
import { madeOnce } from "@/lib/observe/once";
import { TASKS } from "@/lib/tasks";
import { exchange, OPERATIONS } from "@/lib/testing/contract/exchange";
import { makeWorld, type World } from "@/lib/testing/contract/world";
import { testDb } from "@/lib/testing/database";
import { uniqueEmail } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";

const topUp = handlerOf("POST", "top-up-points");

const db = await testDb();
const world: World = await makeWorld(db);
const operation = (name: string) => {
  const found = OPERATIONS.find((one) => one.name === name);
  if (!found) throw new Error(name);
  return found;
};

/** A transport that delivers, fails or refuses, by the recipient. */
const transport: Transport = {
  name: "smtp",
  connections: { account: 1, receipt: 1 },
  async send({ recipient }) {
    if (recipient.startsWith("late")) throw new Error("451 try again later");
    if (recipient.startsWith("never")) throw new RecipientRefused("550 no such user");
  },
};

type Sample = { labels: Record<string, string>; value: number };
const exposed = new Map<string, Sample[]>();

/** Real traffic: requests over a socket, postings, refusals, jobs, e-mails with each outcome, a ledger check. */
async function traffic(): Promise<void> {
  const stopObserving = observeRequests();
  const server = createServer(async (request, response) => {
    if (request.url !== "/api/top-up-points") return response.writeHead(500).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await topUp(
      new Request(`http://localhost${request.url}`, {
        method: "POST",
        headers: { ...(request.headers as Record<string, string>) },
        body: Buffer.concat(chunks),
      }),
      { params: {} },
    );
    return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { id } = await world.customer(0);
  const post = (points: number) =>
    fetch(`${base}/api/top-up-points`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: world.tokens.worker },
      body: JSON.stringify({ customerId: id, sPoints: points, iBranchId: world.shop.branch.id }),
    });
  expect((await post(30)).status).toBe(200);
  expect((await post(999_999_999)).status).toBeGreaterThanOrEqual(400);
  expect((await fetch(`${base}/login`)).status).toBe(500);
  for (const name of ["late", "never", "fine"]) {
    const body = {
      sType: "EMAIL",
      sAuth: "REGISTER",
      sLogin: uniqueEmail(name),
      iMerchantId: world.shop.merchant.id,
    };
    expect((await exchange(operation("post /auth/send-otp"), { body })).status).toBe(200);
  }
  const login = { sEmail: world.users.owner.email, sPassword: "not the password" };
  expect((await exchange(operation("post /auth/login"), { body: login })).status).toBe(401);
  expect(
    (await exchange(operation("post /ledger/verify"), { token: world.tokens.owner, body: {} })).status,
  ).toBe(200);
  await runDue({ db, transport }, TASKS);
  await new Promise((down) => server.close(down));
  stopObserving();
}

async function scrape(): Promise<string> {
  const server = startMetricsServer({ port: 0, host: "127.0.0.1" });
  if (!server.listening) await new Promise((up) => server.once("listening", up));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(base)).status).toBe(404);
  expect((await fetch(`${base}/api/metrics`, { method: "POST" })).status).toBe(404);
  const answer = await fetch(`${base}/api/metrics`);
  expect(answer.headers.get("content-type")).toContain("text/plain");
  return answer.text();
}

beforeAll(async () => {
  await traffic();
  const text = await scrape();
  for (const line of text.split("\n")) {
    const [, name, labels = "", value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (!name) continue;
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]);
    exposed.set(name, [
      ...(exposed.get(name) ?? []),
      { labels: Object.fromEntries(pairs), value: Number(value) },
    ]);
  }
});

afterAll(() => {
  madeOnce<{ close(): void }>("metrics server")?.close();
});

const sampleOf = (name: string, labels: Record<string, string> = {}) =>
  exposed
    .get(name)
    ?.find((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))?.value;

test("the metrics count what was done", () => {
  const route = "/api/top-up-points";
  expect(sampleOf("wallet_http_requests_total", { route, method: "POST", status: "200" })).toBe(1);
  expect(sampleOf("wallet_http_request_duration_seconds_count", { route, method: "POST" })).toBe(2);
  expect(sampleOf("wallet_http_requests_total", { route: "/login", status: "500" })).toBe(1);
  expect(sampleOf("wallet_postings_total", { type: "TOP_UP", outcome: "posted" })).toBe(1);
  expect(sampleOf("wallet_posting_batch_rows_sum", { lane: "fast" })).toBeGreaterThan(0);
  expect(sampleOf("wallet_refusals_total", { code: "invalid_credentials" })).toBe(1);
  expect(sampleOf("wallet_mails_total", { lane: "account", outcome: "sent" })).toBe(1);
  expect(sampleOf("wallet_mails_total", { lane: "account", outcome: "failed" })).toBe(1);
  expect(sampleOf("wallet_mails_total", { lane: "account", outcome: "refused" })).toBe(1);
  expect(sampleOf("wallet_jobs_total", { task: "check_ledger", outcome: "done" })).toBe(1);
  expect(sampleOf("wallet_database_up")).toBe(1);
  expect(sampleOf("wallet_ledger_wrong_merchants")).toBe(0);
  expect(sampleOf("wallet_ledger_check_age_seconds")).toBeLessThan(60);
  expect(sampleOf("wallet_queue_waiting", { lane: "postings" })).toBe(0);
  for (const pool of ["queries", "posting_fast", "jobs"]) {
    expect(sampleOf("wallet_pool_connections", { pool, state: "total" }), pool).toBeGreaterThan(0);
  }
});

const read = (file: string) =>
  readFileSync(new URL(`../../../docs/operate/${file}`, import.meta.url), "utf8");
type Dashboard = { panels: { title: string; targets: { expr: string; legendFormat: string }[] }[] };
const dashboard = JSON.parse(read("dashboard.json")) as Dashboard;
const queries = [
  ...[...read("alerts.yml").matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map(([, name, expr]) => [
    name,
    expr,
  ]),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => [
      title,
      `${expr} by (${[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label).join()})`,
    ]),
  ),
] as [string, string][];

/** The labels that Prometheus itself adds to every sample, and the metric that it makes. */
const OF_PROMETHEUS = ["job", "instance"];

test.each(queries)("%s asks for metrics and labels that exist", (_, expr) => {
  const selectors = [...expr.matchAll(/\b(wallet_\w+|nodejs_\w+|process_\w+)(?:\{([^}]*)\})?/g)];
  if (!/\bup\{/.test(expr)) expect(selectors.length).toBeGreaterThan(0);
  for (const [, name = "", matchers = ""] of selectors) {
    const samples = exposed.get(name);
    expect(samples, name).toBeDefined();
    const known = new Set([
      ...OF_PROMETHEUS,
      ...(samples ?? []).flatMap(({ labels }) => Object.keys(labels)),
    ]);
    for (const [, labels = ""] of expr.matchAll(/\b(?:by|ignoring) \(([^)]*)\)/g)) {
      for (const label of labels
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean)) {
        expect([...known], `${name} by ${label}`).toContain(label);
      }
    }
    for (const [, label = "", operator = "", value = ""] of matchers.matchAll(/(\w+)(=~|=)"([^"]*)"/g)) {
      const wanted = operator === "=" ? [value] : value.split("|");
      for (const one of wanted) {
        const matching = (samples ?? []).filter(({ labels }) =>
          new RegExp(`^(?:${one})$`).test(labels[label] ?? ""),
        );
        // Codes and outcomes that did not occur have no sample yet.
        if (label !== "code" && one !== "error")
          expect(matching.length, `${name} ${label}=${one}`).toBeGreaterThan(0);
      }
    }
  }
});

test("every alert is explained", () => {
  const guide = read("README.md");
  const alerts = [...read("alerts.yml").matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? "");
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts) expect(guide).toContain(`\`${alert}\``);
});

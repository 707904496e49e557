import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type HttpStandIn, httpServer } from "@/lib/testing/http-server";

/** A loopback collector of OTLP over HTTP, which keeps what it receives. */
export const otlpCollector = (): Promise<HttpStandIn> => httpServer(() => ({ status: 200, body: {} }));

/** The settings that turn metrics and traces on. */
export const observedSettings = (collector: HttpStandIn, metricsPort: number): Record<string, string> => ({
  METRICS_PORT: String(metricsPort),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_BSP_SCHEDULE_DELAY: "500",
});

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

/** Asks every 100 ms, 30 seconds at most, until the answer is neither undefined nor false. Answers it. */
export async function eventually<T>(
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (let left = 300; left > 0; left -= 1) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${what}: not in time`);
}

/** One trace goes from a request to its statements to the e-mail that it caused, and no span contains a secret. */
async function traces(collector: HttpStandIn): Promise<void> {
  const wanted = [/POST.*auth\/send-otp/, /^SQL INSERT$/, /^mail account$/];
  const names = await eventually("a trace from request to SQL to e-mail", () => {
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
    const line = await eventually(`the line of ${path}`, () =>
      printed()
        .split("\n")
        .find((one) => one.includes(id) && one.includes('"event":"request"')),
    );
    const { route, status } = JSON.parse(line) as { route: string; status: number };
    assert.deepEqual([route, status], path === "/api/nothing" ? ["unknown", 404] : ["/login", 200]);
  }
  const forged = await fetch(`${base}/login`, { headers: { "x-request-id": "layla@customer.example" } });
  assert.match(
    forged.headers.get("x-request-id") ?? "",
    /^[\da-f-]{36}$/,
    "an id of another form is replaced",
  );
  assert.ok(!/@customer\.example|@wallet\.example|55123456/.test(printed()), "no person in the log");
}

/** Logs, metrics and traces of the running server, after it was used. */
export async function observed(
  base: string,
  { collector, metricsPort, printed }: { collector: HttpStandIn; metricsPort: number; printed(): string },
): Promise<void> {
  await metrics(base, metricsPort);
  await logs(base, printed);
  await traces(collector);
}

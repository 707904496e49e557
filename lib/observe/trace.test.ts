import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import * as api from "@opentelemetry/api";
import { expect, test } from "vitest";
import { mailTransport } from "@/lib/email/transports";
import { runDue } from "@/lib/jobs/run-due";
import { TASKS } from "@/lib/tasks";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { enableTracing, inSpan, isTracing, traceparent } from "./trace";

const startCheck = handlerOf("POST", "ledger/verify");
const topUp = handlerOf("POST", "top-up-points");

type Recorded = { name: string; traceId: string; attributes: api.Attributes; ended: boolean };
const spans: Recorded[] = [];
const ids = (bytes: number) => randomBytes(bytes).toString("hex");

/** A tracer and a context manager in place of the SDK's. */
function registerRecorder(): void {
  const storage = new AsyncLocalStorage<api.Context>();
  api.context.setGlobalContextManager({
    active: () => storage.getStore() ?? api.ROOT_CONTEXT,
    with: (context, run, self, ...args) => storage.run(context, () => run.call(self as never, ...args)),
    bind: (_context, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  const startSpan: api.Tracer["startSpan"] = (name, options = {}, context = api.context.active()) => {
    const traceId = api.trace.getSpanContext(context)?.traceId ?? ids(16);
    const recorded: Recorded = { name, traceId, attributes: options.attributes ?? {}, ended: false };
    spans.push(recorded);
    const span = api.trace.wrapSpanContext({ traceId, spanId: ids(8), traceFlags: 1 });
    return Object.assign(span, {
      end: () => {
        recorded.ended = true;
      },
    });
  };
  api.trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as api.Tracer });
}

test("without tracing a span is the work alone, and there is no trace to pass on", async () => {
  expect(isTracing()).toBe(false);
  expect(await inSpan("nothing", {}, async () => 7)).toBe(7);
  expect(traceparent()).toBeNull();
});

test("one trace goes from a request to SQL, to its job and to its receipt", async () => {
  registerRecorder();
  // Before the first connection, as at a server's start.
  enableTracing(api);
  const db = await testDb();
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const token = await tokenOf(db, shop.owner);
  spans.length = 0;
  const root = api.trace.getTracer("test").startSpan("request");
  const traceId = root.spanContext().traceId;
  await api.context.with(api.trace.setSpan(api.ROOT_CONTEXT, root), async () => {
    const body = { customerId: customer.id, sPoints: 40, iBranchId: shop.branch.id };
    expect((await call(topUp, { method: "POST", token, body })).status).toBe(200);
    expect((await call(startCheck, { method: "POST", token, body: {} })).status).toBe(200);
  });
  await runDue({ db, transport: mailTransport() }, TASKS);
  expect(spans.filter((span) => span.traceId !== traceId)).toEqual([]);
  const names = new Set(spans.map(({ name }) => name));
  for (const name of ["post batch", "SQL SELECT", "SQL INSERT", "job check_ledger", "mail receipt"]) {
    expect([...names]).toContain(name);
  }
  expect(spans.filter(({ ended, name }) => !ended && name !== "request")).toEqual([]);
  const recorded = JSON.stringify(spans);
  for (const value of [customer.id, token, shop.owner.email]) expect(recorded).not.toContain(value);
});

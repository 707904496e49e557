import type { Attributes, Link, SpanKind } from "@opentelemetry/api";
import { oncePerProcess } from "./once";

type Api = typeof import("@opentelemetry/api");

// Without an API, nothing of OpenTelemetry is loaded.
const tracing = oncePerProcess("tracing", (): { api?: Api } => ({}));

/** Turns tracing on for this process, through the API whose SDK was registered. */
export function enableTracing(api: Api): void {
  tracing.api = api;
}

/** Whether this process records traces. */
export const isTracing = (): boolean => tracing.api !== undefined;

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

function spanContextOf(traceparent: string | null | undefined) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** The W3C traceparent of the current span, for work that continues the trace later; null when nothing is traced. */
export function traceparent(): string | null {
  const span = tracing.api?.trace.getActiveSpan()?.spanContext();
  if (!span) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, "0")}`;
}

/** The ids of the current trace, for log lines; nothing when nothing is traced. */
export function traceIds(): { traceId?: string; spanId?: string } {
  const span = tracing.api?.trace.getActiveSpan()?.spanContext();
  return span ? { traceId: span.traceId, spanId: span.spanId } : {};
}

type SpanOptions = {
  attributes?: Attributes;
  kind?: keyof typeof SpanKind;
  /** The traceparent of what caused this work, instead of the current span. */
  from?: string | null;
  /** The traceparents of other causes. */
  also?: (string | null)[];
  /** Whether the span begins a trace where nothing caused it. */
  root?: boolean;
};

/** Runs `work` in a span, which also records its failure. Without tracing, or without a cause, it only runs it. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const api = tracing.api;
  if (!api) return work();
  const { attributes = {}, kind = "INTERNAL", from, also = [], root = false } = options;
  const cause = spanContextOf(from);
  if (!root && !cause && (from !== undefined || !api.trace.getActiveSpan())) return work();
  const parent = cause ? api.trace.setSpanContext(api.ROOT_CONTEXT, cause) : api.context.active();
  const links: Link[] = also.flatMap((other) => {
    const context = spanContextOf(other);
    return context ? [{ context }] : [];
  });
  const span = api.trace
    .getTracer("loyalty-wallet")
    .startSpan(name, { attributes, kind: api.SpanKind[kind], links }, parent);
  try {
    return await api.context.with(api.trace.setSpan(parent, span), work);
  } catch (error) {
    // The name only: a message may contain what a person typed.
    span.setStatus({
      code: api.SpanStatusCode.ERROR,
      message: error instanceof Error ? error.name : "Error",
    });
    throw error;
  } finally {
    span.end();
  }
}

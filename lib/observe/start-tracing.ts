import * as api from "@opentelemetry/api";
import { type Configuration, registerOTel } from "@vercel/otel";
import { scrub } from "./log";
import { enableTracing } from "./trace";

type Processor = Exclude<NonNullable<Configuration["spanProcessors"]>[number], string>;

/** Removes queries and personal data from a span before it is sent: Next records addresses that contain mailed links. */
const scrubbing: Processor = {
  onStart() {},
  onEnd(span) {
    for (const [key, value] of Object.entries(span.attributes)) {
      if (typeof value !== "string") continue;
      const plain = /^(http\.(target|url)|url\.|next\.span_name)/.test(key)
        ? value.replace(/\?.*$/s, "")
        : value;
      span.attributes[key] = scrub(plain);
    }
    // Messages of exceptions may contain what a person typed.
    span.events.length = 0;
  },
  forceFlush: async () => {},
  shutdown: async () => {},
};

/**
 * Starts the recording of traces: Next's own spans, and those of `inSpan`. They go to OTEL_EXPORTER_OTLP_ENDPOINT. Call
 * it before the first connection to the database is opened.
 */
export function startTracing(): void {
  registerOTel({
    serviceName: "loyalty-wallet",
    // The addresses of outgoing requests contain the tokens of devices.
    instrumentations: [],
    spanProcessors: [scrubbing, "auto"],
  });
  enableTracing(api);
}

import * as api from "@opentelemetry/api";
import { type Configuration, registerOTel } from "@vercel/otel";
import { scrub } from "./log";
import { enableTracing } from "./trace";

type SpanParts = { attributes: Record<string, unknown>; events: unknown[] };
type Processor = Exclude<NonNullable<Configuration["spanProcessors"]>[number], string>;

const IDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Removes queries, ids in addresses and personal data from a span: Next records the addresses of cards and mailed links. */
export function scrubSpan({ attributes, events }: SpanParts): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value !== "string") continue;
    const plain = /^(http\.(target|url)|url\.|next\.span_name)/.test(key)
      ? value.replace(/\?.*$/s, "").replace(IDS, "(id)")
      : value;
    attributes[key] = scrub(plain);
  }
  // Messages of exceptions may contain what a person typed.
  events.length = 0;
}

const scrubbing: Processor = {
  onStart() {},
  onEnd: scrubSpan,
  forceFlush: async () => {},
  shutdown: async () => {},
};

/** Records Next's spans and those of `inSpan`. Call it before the first connection to the database. */
export function startTracing(): void {
  registerOTel({
    serviceName: "loyalty-wallet",
    // The addresses of outgoing requests contain the tokens of devices.
    instrumentations: [],
    spanProcessors: [scrubbing, "auto"],
  });
  enableTracing(api);
}

import { formatWithOptions } from "node:util";
import { pino } from "pino";
import { env } from "@/lib/env";
import { oncePerProcess } from "./once";
import { currentRequest } from "./request";
import { traceIds } from "./trace";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A random token has letters of both cases and digits; file names and identifiers rarely have all three. */
function hideToken(run: string): string {
  const random = /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run);
  return random && !UUID.test(run) ? "(secret)" : run;
}

/**
 * Removes what no log may contain from a text: e-mail addresses, phone numbers, six-digit codes, tokens, and passwords in
 * connection strings. Ids (UUIDs), error codes and stack traces stay readable.
 */
export function scrub(text: string): string {
  return (
    text
      .replace(/(?<=\/\/)[^\s/:@]*:[^\s/@]+(?=@)/g, "(secret)")
      // The lookbehind keeps the time linear: a match starts only at the beginning of a run.
      .replace(
        /(?<![\p{L}\p{N}_.+%'-])[\p{L}\p{N}_.+%'-]+(?:@|%40)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/giu,
        "(address)",
      )
      .replace(/(?<![\w-])[\w-]{32,}(?![\w-])/g, hideToken)
      .replace(/(?<!\w)(?:\+|00|%2B)\p{Nd}(?:[\s()-]?\p{Nd}){7,14}(?!\w)/gu, "(phone)")
      .replace(/(?<!\w|\w-|\d[.:])(?:974[\s-]?)?\p{Nd}{4}[\s-]?\p{Nd}{4}(?!\w|[.:-]\w)/gu, "(phone)")
      .replace(/(?<!\w|\w-|\d[.:])\p{Nd}{6}(?!\w|[.:-]\w)/gu, "(code)")
  );
}

/** Keys whose values are never logged, whatever they contain. */
const HIDDEN =
  /passw|passphrase|secret|token|authori[sz]ation|cookie|e-?mail|phone|otp|recipient|login|codeHash/i;
const MAX_DEPTH = 8;

/** A value for the log without hidden keys and with scrubbed texts. Errors keep name, message, code, stack and cause. */
export function scrubValue(value: unknown, key = "", depth = 0): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value;
  if (HIDDEN.test(key)) return "(hidden)";
  if (typeof value === "number") return /code$/i.test(key) && value > 99_999 ? "(code)" : value;
  if (typeof value === "string") return scrub(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || depth >= MAX_DEPTH) return scrub(String(value));
  if (value instanceof Date) return value.toJSON();
  if (value instanceof Error) {
    const { name, message, stack, cause, code } = value as Error & { code?: unknown };
    return scrubFields({ name, message, code, stack, cause }, depth);
  }
  if (Array.isArray(value)) return value.map((one) => scrubValue(one, key, depth + 1));
  return scrubFields(value, depth);
}

function scrubFields(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, scrubValue(value, key, depth + 1)]),
  );
}

type LogLevel = "debug" | "info" | "warn" | "error";
type Line = { time: string; level: string; event: string } & Record<string, unknown>;

// Written synchronously, so that the last lines before a crash are not lost.
const write = (line: string) => void process.stdout.write(line);

function writeReadable(json: string): void {
  const { time, level, event, ...facts } = JSON.parse(json) as Line;
  const stacks: string[] = [];
  const shown = Object.entries(facts).map(([key, value]) => {
    if (value && typeof value === "object" && "stack" in value) stacks.push(String(value.stack));
    const text = value && typeof value === "object" && "message" in value ? value.message : value;
    return `${key}=${typeof text === "string" ? text : JSON.stringify(text)}`;
  });
  const line = [time.slice(11, 23), level.toUpperCase().padEnd(5), event, ...shown].join(" ");
  write(`${[line, ...stacks].join("\n")}\n`);
}

function settings(): { level: string; json: boolean } {
  try {
    const { LOG_LEVEL, APP_ENV } = env();
    const quiet = APP_ENV === "demo" || APP_ENV === "test";
    return { level: LOG_LEVEL ?? (quiet ? "warn" : "info"), json: APP_ENV === "production" };
  } catch {
    // A command that has only some of the settings.
    return { level: "info", json: false };
  }
}

function makeLogger() {
  const { level, json } = settings();
  const options = {
    level,
    base: undefined,
    messageKey: "event",
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => ({ requestId: currentRequest()?.id, ...traceIds() }),
  };
  // No transport: its worker thread does not survive bundling, and a container collects standard output.
  return pino(options, { write: json ? write : writeReadable });
}

/** Writes one line, JSON in production, with request and trace ids, without personal data and secrets. */
export function log(level: LogLevel, event: string, facts: Record<string, unknown> = {}): void {
  // Global, because the server's start and its routes are bundled separately.
  const logger = oncePerProcess("logger", makeLogger);
  if (logger.isLevelEnabled(level)) logger[level](scrubValue(facts) as object, scrub(event));
}

const LEVELS = { error: "error", warn: "warn", info: "info", log: "info", debug: "debug" } as const;

/** Node's error for a request whose client closed the connection. Next and next-auth print it although nothing failed. */
const CLIENT_LEFT = /\bError: aborted\b|\bat abortIncoming \(node:_http_server/;
/** Node prints its warnings with console.error: no request failed. */
const NODE_WARNING = /^\(node:\d+\) (?:\[\w+\] )?\w*Warning: /;

const levelOf = (text: string, level: LogLevel): LogLevel =>
  CLIENT_LEFT.test(text) ? "debug" : NODE_WARNING.test(text) ? "warn" : level;

/** Sends what libraries print to the scrubbing log: Next prints whole errors. Call it once, at the start. */
export function captureConsole(): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(console, {
      [method]: (...parts: unknown[]) => {
        const text = formatWithOptions({ colors: false, depth: 6 }, ...parts);
        log(levelOf(text, level), "console", { text });
      },
    });
  }
}

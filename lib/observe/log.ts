import { formatWithOptions } from "node:util";
import { pino } from "pino";
import { env } from "@/lib/env";
import { oncePerProcess } from "./once";
import { currentRequest } from "./request";
import { scrub, scrubValue } from "./scrub";
import { traceIds } from "./trace";

type LogLevel = "debug" | "info" | "warn" | "error";
type Line = { time: string; level: string; event: string } & Record<string, unknown>;

// Global, because the server's start and its routes are bundled separately.

// Written synchronously, so that the last lines before a crash are not lost.
const write = (line: string) => void process.stdout.write(line);

/**
 * Writes a line for people: time, level, event, then the facts. An error's stack follows on separate lines.
 */
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

/**
 * Writes one line to standard output, with the id of the request in progress and of its trace: JSON in production,
 * readable text elsewhere. Addresses, phone numbers, codes, tokens and passwords are removed. Errors keep their stack and
 * cause.
 */
export function log(level: LogLevel, event: string, facts: Record<string, unknown> = {}): void {
  const logger = oncePerProcess("logger", makeLogger);
  if (logger.isLevelEnabled(level)) logger[level](scrubValue(facts) as object, scrub(event));
}

const LEVELS = { error: "error", warn: "warn", info: "info", log: "info", debug: "debug" } satisfies Record<
  string,
  LogLevel
>;

/** Node's error for a request whose client closed the connection. Next and next-auth print it although nothing failed. */
const CLIENT_LEFT = /\bError: aborted\b|\bat abortIncoming \(node:_http_server/;
/** Node prints its warnings with console.error: no request failed. */
const NODE_WARNING = /^\(node:\d+\) (?:\[\w+\] )?\w*Warning: /;

const levelOf = (text: string, level: LogLevel): LogLevel =>
  CLIENT_LEFT.test(text) ? "debug" : NODE_WARNING.test(text) ? "warn" : level;

/**
 * Sends what libraries print with `console` to the log, where personal data and secrets are removed: Next prints the
 * whole error of a page that fails. Call it once, at a server's start.
 */
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

import { formatWithOptions } from "node:util";
import { type LogLevel, log } from "./log";

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

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isDatabaseUnavailable } from "@/lib/db/faults";
import { PANELS } from "@/lib/domain/panels";
import { isPathUnder, KNOWN_PATHS } from "@/lib/domain/paths";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import {
  currentRequest,
  enterRequest,
  REQUEST_ID_HEADER,
  type RequestRecord,
  requestIdOf,
} from "@/lib/observe/request";
import { RETRY_SECONDS } from "./reply";

const CLIENT_CLOSED = 499;
/** Requests that supervisors repeat, and files of the build: in the log only at level debug. */
const FREQUENT = /^\/(?:api\/(?:health|ready)$|_next$)/;

const isApi = (path: string) => path.startsWith("/api/");

/** Pages by the paths of the menus, and below them "/*": ids, tokens and invented paths must not become labels. */
const PAGES = Object.values(PANELS)
  .flatMap(({ menu, dashboard }) => [dashboard, ...menu.map(({ href }) => href)])
  .concat(KNOWN_PATHS)
  .sort((a, b) => b.length - a.length);

function pagePattern(path: string): string {
  if (path === "/") return path;
  if (path.startsWith("/_next/")) return "/_next";
  const page = PAGES.find((one) => isPathUnder(path, one));
  if (isApi(path) || !page) return "unknown";
  return page === path ? page : `${page}/*`;
}

function record(request: IncomingMessage, response: ServerResponse, known: RequestRecord, started: number) {
  const [path = "/"] = (request.url ?? "/").split("?", 1);
  const { method = "GET" } = request;
  const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED;
  const seconds = (performance.now() - started) / 1000;
  const route = known.route ?? pagePattern(path);
  const { requests, requestSeconds } = metrics();
  requests.inc({ route, method, status });
  requestSeconds.observe({ route, method }, seconds);
  const level = FREQUENT.test(route) && status < 500 ? "debug" : "info";
  log(level, "request", { requestId: known.id, method, route, status, ms: Math.round(seconds * 1000) });
}

/** Makes the answer a 503 with Retry-After when the record says so: Next itself knows no such answer of a page. */
function answerUnavailable(response: ServerResponse, known: RequestRecord): void {
  const write = response.writeHead as (...given: unknown[]) => ServerResponse;
  const writeHead = (status: number, ...rest: unknown[]): ServerResponse => {
    if (known.retryAfter === undefined || response.headersSent) return write.call(response, status, ...rest);
    response.setHeader("Retry-After", String(known.retryAfter));
    return write.call(response, 503, ...rest.filter((given) => typeof given !== "string"));
  };
  Object.assign(response, { writeHead });
}

/** Marks the request in progress if this error of its page means that the database is away. */
export function markUnavailable(error: unknown): void {
  const request = currentRequest();
  // By its code: each bundle has its own class of domain errors.
  const { code, params } = error as { code?: unknown; params?: { seconds?: unknown } };
  const refused = code === "unavailable" || code === "outcome_unknown";
  if (!request || !(refused || isDatabaseUnavailable(error))) return;
  request.retryAfter = Number(params?.seconds ?? RETRY_SECONDS);
}

/** Gives requests an id; counts, times and logs them; none to `internalPort`. Answers what stops it. */
export function observeRequests(internalPort?: number): () => void {
  const observe = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (internalPort !== undefined && request.socket.localPort === internalPort) return;
    const known: RequestRecord = { id: requestIdOf(request.headers[REQUEST_ID_HEADER]) };
    request.headers[REQUEST_ID_HEADER] = known.id;
    // Routes of the API set it themselves; Next would add a second one.
    if (!isApi(request.url ?? "")) {
      response.setHeader(REQUEST_ID_HEADER, known.id);
      answerUnavailable(response, known);
    }
    enterRequest(known);
    const started = performance.now();
    response.once("close", () => record(request, response, known, started));
  };
  subscribe("http.server.request.start", observe);
  return () => void unsubscribe("http.server.request.start", observe);
}

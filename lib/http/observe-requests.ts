import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PANELS } from "@/lib/domain/panels";
import { isPathUnder, KNOWN_PATHS } from "@/lib/domain/paths";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import { enterRequest, REQUEST_ID_HEADER, type RequestRecord, requestIdOf } from "@/lib/observe/request";

/** The status of a request whose caller left before the answer was complete. */
const CLIENT_CLOSED = 499;
/** Requests that supervisors repeat, and files of the build: in the log only at level debug. */
const FREQUENT = /^\/(?:api\/(?:health|ready)$|_next$)/;

const isApi = (path: string) => path.startsWith("/api/");

/** Pages by the paths of the menus, and below them "/*": ids, tokens and invented paths must not become labels. */
const PAGES = [
  ...new Set(
    Object.values(PANELS).flatMap(({ menu, dashboard }) => [dashboard, ...menu.map(({ href }) => href)]),
  ),
]
  .concat(KNOWN_PATHS)
  .sort((a, b) => b.length - a.length);

/** The pattern of a path outside the API. */
function pagePattern(path: string): string {
  if (path === "/") return path;
  if (path.startsWith("/_next/")) return "/_next";
  const page = PAGES.find((one) => isPathUnder(path, one));
  if (isApi(path) || !page) return "unknown";
  return page === path ? page : `${page}/*`;
}

/** The status as callers saw it. */
const statusOf = (response: ServerResponse) =>
  response.writableFinished ? response.statusCode : CLIENT_CLOSED;

function record(request: IncomingMessage, response: ServerResponse, known: RequestRecord, started: number) {
  const [path = "/"] = (request.url ?? "/").split("?", 1);
  const { method = "GET" } = request;
  const [status, seconds] = [statusOf(response), (performance.now() - started) / 1000];
  const route = known.route ?? pagePattern(path);
  const { requests, requestSeconds } = metrics();
  requests.inc({ route, method, status });
  requestSeconds.observe({ route, method }, seconds);
  const level = FREQUENT.test(route) && status < 500 ? "debug" : "info";
  log(level, "request", { requestId: known.id, method, route, status, ms: Math.round(seconds * 1000) });
}

/**
 * Gives every request of this process an id before any handler runs (X-Request-Id, also of the answer), and counts, times
 * and logs it when its answer ended. Requests to `internalPort` are left out. Answers a function that ends it.
 */
export function observeRequests(internalPort?: number): () => void {
  const observe = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (internalPort !== undefined && request.socket.localPort === internalPort) return;
    const known: RequestRecord = { id: requestIdOf(request.headers[REQUEST_ID_HEADER]) };
    request.headers[REQUEST_ID_HEADER] = known.id;
    // Routes of the API set it themselves; Next would add a second one.
    if (!isApi(request.url ?? "")) response.setHeader(REQUEST_ID_HEADER, known.id);
    enterRequest(known);
    const started = performance.now();
    response.once("close", () => record(request, response, known, started));
  };
  subscribe("http.server.request.start", observe);
  return () => void unsubscribe("http.server.request.start", observe);
}

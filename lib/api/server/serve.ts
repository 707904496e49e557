import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createGzip, gzip } from "node:zlib";
import { FastResponse, NodeRequest, sendNodeResponse } from "srvx/node";
import { log } from "@/lib/observe/log";
import { currentRequest, enterRequest, type RequestRecord, requestIdOf } from "@/lib/observe/request";
import { inSpan, isTracing } from "@/lib/observe/trace";
import { ClientLeft } from "../body";
import { API_POLICIES, BUILD_POLICY, SECURITY_HEADERS } from "../content-policy";
import { type ApiCall, type Match, matcherOf } from "../match";

const PREFIX = "/_next/static/";
const ENDING = ".br";
const TYPES: Record<string, string> = { ".js": "application/javascript", ".css": "text/css" };
const BROTLI = /(?:^|,)\s*br\s*(?:,|$)/;

/**
 * Serves scripts and styles from memory, as the build compressed them with Brotli (scripts/lib/build.ts):
 * Next's gzip is a sixth more. Answers false for other files and clients without Brotli.
 */
export function staticFiles(folder: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const files = new Map<string, { body: Buffer; type: string }>();
  // A CDN may serve them, and then the server has none.
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  for (const name of names) {
    const path = name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : "";
    const type = TYPES[extname(path)];
    if (type) files.set(`${PREFIX}${path}`, { body: readFileSync(join(folder, name)), type });
  }
  return (request, response) => {
    const { method, headers, url = "" } = request;
    if (!url.startsWith(PREFIX) || (method !== "GET" && method !== "HEAD")) return false;
    const file = files.get(url.split("?", 1)[0] ?? "");
    if (!file || headers.range !== undefined || !BROTLI.test(headers["accept-encoding"] ?? "")) return false;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    response.writeHead(200, {
      "Content-Security-Policy": BUILD_POLICY,
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Type": `${file.type}; charset=UTF-8`,
      "Content-Encoding": "br",
      "Content-Length": file.body.byteLength,
      Vary: "Accept-Encoding",
    });
    response.end(method === "HEAD" ? undefined : file.body);
    return true;
  };
}

const zip = promisify(gzip);
/** Bytes; compressing a shorter text costs more than it saves. */
const MIN_LENGTH = 1024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|problem\+json|xml)|image\/svg\+xml)/i;

/** Whether a client takes gzip. Deflate alone, which no browser sends, is answered uncompressed. */
function takesGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) return false;
  return accepted.split(",").some((part) => {
    const [name = "", ...params] = part.trim().toLowerCase().split(";");
    return (name === "gzip" || name === "*") && !params.some((one) => /^\s*q=0(?:\.0*)?\s*$/.test(one));
  });
}

/** Whether to compress for this client; sets Vary where another client would get another form. */
function compresses(request: IncomingMessage, response: ServerResponse, headers: Headers): boolean {
  if (!COMPRESSIBLE.test(headers.get("content-type") ?? "") || headers.has("content-encoding")) return false;
  if (/\bno-transform\b/.test(headers.get("cache-control") ?? "")) return false;
  response.appendHeader("Vary", "Accept-Encoding");
  if (!takesGzip(request.headers["accept-encoding"])) return false;
  response.setHeader("Content-Encoding", "gzip");
  return true;
}

function setHead(response: ServerResponse, status: number, headers: Headers): void {
  response.statusCode = status;
  for (const [name, value] of headers) {
    if (name === "vary" || name === "set-cookie") response.appendHeader(name, value);
    else if (name !== "content-length") response.setHeader(name, value);
  }
}

/** Sends a streamed answer compressed if its client takes gzip. Answers whether it did; if not, nothing was sent. */
async function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<boolean> {
  const { body, headers, status } = answer;
  if (body === null || !compresses(request, response, headers)) return false;
  setHead(response, status, headers);
  // Each part is sent as it comes, so that a long export is seen to run.
  const stream = createGzip({ flush: constants.Z_SYNC_FLUSH });
  await pipeline(Readable.fromWeb(body as never), stream, response).catch(() => response.destroy());
  return true;
}

/** Takes a request, or answers false: then nothing was done, and Next answers it. */
export type OwnServer = {
  take: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Answers when the work after the answers so far is done. */
  settled: () => Promise<void>;
};

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** An answer that a handler made of a text, so that it can be sent without a stream. */
type Made = { answer: Response; text: string; status: number; headers: Headers };

async function sendText(request: IncomingMessage, response: ServerResponse, made: Made): Promise<void> {
  const { text, status, headers } = made;
  const isZipped = text.length >= MIN_LENGTH && compresses(request, response, headers);
  const body = isZipped ? await zip(text) : text;
  setHead(response, status, headers);
  response.setHeader("Content-Length", typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);
  response.end(body);
}

/** The content security policy of an API path; the last that matches counts, as in Next. */
function policyOf(path: string): string {
  const found = API_POLICIES.findLast(({ source }) => path.startsWith(source.replace(":path*", "")));
  return found?.policy ?? API_POLICIES[0].policy;
}

/** Reads a body whole. Undefined above `limit` bytes: the rest is discarded, so that the caller can read the answer. */
function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void) => {
      request.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      finish();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit) return;
      settle(() => done(undefined));
      request.resume();
    };
    const onEnd = () => settle(() => done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    const onError = (error: Error) => settle(() => fail(new ClientLeft(error)));
    const onClose = () => settle(() => fail(new ClientLeft()));
    request.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
    if (request.readableEnded) onEnd();
    else if (request.destroyed) onClose();
  });
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  log("error", "request failed", { error });
  if (response.headersSent) response.destroy();
  else {
    response.statusCode = 500;
    response.end("Internal Server Error");
  }
}

// Everything else (escapes, empty segments, dots) is rare, and Next decides what it means.
const PLAIN = /^\/api(?:\/[\w~-][\w.~-]*)+$/;

/** The API by its table, served without Next, in the same way. `takeFile` gets every other request. */
export function ownServer(
  calls: readonly ApiCall[],
  { internalPort, takeFile }: { internalPort?: number | undefined; takeFile?: OwnServer["take"] } = {},
): OwnServer {
  const match = matcherOf(calls);
  // Paths without parameters are found without a search.
  const fixed = new Map(
    calls
      .filter(({ path }) => !path.includes("{"))
      .map(({ path }) => [`/api/${path}`, match(path.split("/"))]),
  );
  const find = (path: string) =>
    fixed.get(path) ?? (PLAIN.test(path) ? match(path.split("/").slice(2)) : undefined);
  const pending = new Set<Promise<void>>();

  const after = (response: ServerResponse) => (work: () => Promise<void>) => {
    const run = new Promise<void>((done) => response.once("close", done)).then(work);
    const ended = run.catch((error: unknown) => log("error", "after an answer", { error }));
    pending.add(ended);
    void ended.finally(() => pending.delete(ended));
  };

  async function answer(request: IncomingMessage, response: ServerResponse, match: Match): Promise<void> {
    const { handlers, params } = match;
    const record: RequestRecord = currentRequest() ?? { id: requestIdOf(request.headers["x-request-id"]) };
    record.route = match.route;
    let made: Made | undefined;
    record.served = {
      answer: (text, init) => {
        const answer = new FastResponse(text, init);
        made = { answer, text, ...init };
        return answer;
      },
      read: (limit) => readBody(request, limit),
      after: after(response),
    };
    enterRequest(record);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    response.setHeader("Content-Security-Policy", policyOf(request.url ?? ""));
    // Of repeated headers the first counts, as in Next. What the server wrote replaces the client's values.
    request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((one) => [name, one]),
    );
    const handle = handlers[request.method ?? ""];
    const reply = await handle?.(new NodeRequest({ req: request, res: response }), { params });
    if (!reply) throw new Error("no handler");
    if (response.destroyed) return void reply.body?.cancel();
    if (made?.answer === reply) return sendText(request, response, made);
    if (!(await sendCompressed(request, response, reply))) await sendNodeResponse(response, reply);
  }

  return {
    take(request, response) {
      const { method = "", url = "" } = request;
      if (internalPort !== undefined && request.socket.localPort === internalPort) return false;
      if (!url.startsWith("/api/")) return takeFile?.(request, response) ?? false;
      if (!METHODS.has(method)) return false;
      const query = url.indexOf("?");
      const match = find(query < 0 ? url : url.slice(0, query));
      if (!match?.handlers[method]) return false;
      const work = () => answer(request, response, match);
      const cause = request.headers.traceparent;
      const span = {
        root: true,
        kind: "SERVER",
        ...(typeof cause === "string" ? { from: cause } : {}),
        attributes: { "http.request.method": method, "http.route": match.route },
      } as const;
      const run = isTracing() ? inSpan(`${method} ${match.route}`, span, work) : work();
      run.catch((error: unknown) => fail(response, error));
      return true;
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createGzip, gzip } from "node:zlib";

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

/** Whether an answer may be compressed for somebody, as far as its headers say. */
const mayCompress = (headers: Headers): boolean =>
  COMPRESSIBLE.test(headers.get("content-type") ?? "") &&
  !/\bno-transform\b/.test(headers.get("cache-control") ?? "") &&
  !headers.has("content-encoding");

/** Whether to compress for this client; sets Vary where another client would get another form. */
function compresses(request: IncomingMessage, response: ServerResponse, headers: Headers): boolean {
  if (!mayCompress(headers)) return false;
  response.appendHeader("Vary", "Accept-Encoding");
  if (!takesGzip(request.headers["accept-encoding"])) return false;
  response.setHeader("Content-Encoding", "gzip");
  return true;
}

/** A text as it is sent to this client: compressed where it is long enough and the client takes gzip. */
export async function compressed(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Headers,
  text: string,
): Promise<string | Buffer> {
  return text.length >= MIN_LENGTH && compresses(request, response, headers) ? zip(text) : text;
}

/** Sends a streamed answer compressed if its client takes gzip. Answers whether it did; if not, nothing was sent. */
export async function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<boolean> {
  const { body, headers, status } = answer;
  if (body === null || !compresses(request, response, headers)) return false;
  response.statusCode = status;
  for (const [name, value] of headers) {
    if (name === "vary" || name === "set-cookie") response.appendHeader(name, value);
    else if (name !== "content-length") response.setHeader(name, value);
  }
  // Each part is sent as it comes, so that a long export is seen to run.
  const stream = createGzip({ flush: constants.Z_SYNC_FLUSH });
  await pipeline(Readable.fromWeb(body as never), stream, response).catch(() => response.destroy());
  return true;
}

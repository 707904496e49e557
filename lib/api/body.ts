import { DomainError } from "@/lib/domain/errors";
import { currentRequest } from "@/lib/observe/request";

const MAX_BYTES = 64 * 1024;

/** The raw body of a request. Throws too_large (413) above `limit` bytes, and ClientLeft when it never comes. */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const served = currentRequest()?.served;
  if (served) {
    const bytes = await served.read(limit);
    if (!bytes) throw new DomainError("too_large");
    return bytes;
  }
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body.values({ preventCancel: true })) {
      size += chunk.byteLength;
      if (size > limit) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new ClientLeft(cause);
  }
  if (size <= limit) return Buffer.concat(chunks);
  // The rest is read and dropped, as far as it comes. Otherwise the client's next request on the connection gets no answer.
  void request.body.pipeTo(new WritableStream()).catch(() => undefined);
  throw new DomainError("too_large");
}

/** Looks at the bytes of a body before they are parsed, and throws to refuse them. */
export type CheckBytes = (bytes: Buffer) => void;

// Postgres cannot store NUL characters. After a backslash that is escaped itself, "u0000" is text.
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** The JSON object in a body; an empty body answers an empty object. Throws unsupported_type, too_large, malformed. */
export async function readJson(request: Request, check?: CheckBytes): Promise<Record<string, unknown>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const bytes = await readBytes(request, MAX_BYTES);
  check?.(bytes);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() === "") return {};
    if (type !== "application/json") throw new DomainError("unsupported_type");
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !NUL.test(text))
      return value as Record<string, unknown>;
  } catch (cause) {
    throw cause instanceof DomainError ? cause : new DomainError("malformed", {}, [], { cause });
  }
  throw new DomainError("malformed");
}

/** The client closed its connection, or took too long, before its request was whole. */
export class ClientLeft extends Error {
  override readonly name = "ClientLeft";

  constructor(cause?: unknown) {
    super("the client left before its request was whole", { cause });
  }
}

/** Whether a client that left caused this error, by its name: start and routes are bundles with a class each. */
export const isClientLeft = (error: unknown): boolean =>
  error instanceof Error && error.name === "ClientLeft";

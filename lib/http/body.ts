import { DomainError } from "@/lib/domain/errors";
import { currentRequest } from "@/lib/observe/request";

const MAX_BYTES = 64 * 1024;

/** The raw body of a request. Throws too_large (413) above `limit` bytes. */
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
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new DomainError("too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readText(request: Request): Promise<string> {
  const bytes = await readBytes(request, MAX_BYTES);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DomainError("malformed", {}, [], { cause });
  }
}

/**
 * The JSON object in a request's body; an empty body answers an empty object.
 * Throws unsupported_type (415), too_large above 64 KiB (413), malformed (400) for anything but a JSON object.
 */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const text = await readText(request);
  if (text.trim() === "") return {};
  if (type !== "application/json") throw new DomainError("unsupported_type");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DomainError("malformed", {}, [], { cause });
  }
  // Postgres cannot store NUL characters.
  if (typeof value !== "object" || value === null || Array.isArray(value) || text.includes("\\u0000")) {
    throw new DomainError("malformed");
  }
  return value as Record<string, unknown>;
}

import type { Parts } from "@/lib/calls/bind";
import { type Names, toDomainNames } from "@/lib/calls/names";
import { DomainError } from "@/lib/domain/errors";
import { type CheckBytes, readBytes, readJson } from "./body";

/** The parameters in a path. One that takes all further segments is a list. */
export type Params = Readonly<Record<string, string | string[]>>;

/** The shape of a route's input: the names of its fields, and its parts. */
type InputSpec = {
  params?: Names;
  query?: Names;
  body?: Names;
  raw?: { limit: number };
  idempotent: boolean;
  more?: (parts: Parts) => object;
};

// Postgres cannot store NUL characters.
const containsNul = (values: Record<string, unknown>) =>
  Object.values(values)
    .flat()
    .some((value) => typeof value === "string" && value.includes("\0"));

/** The query parameters. Throws malformed (400) for a NUL character. */
function readQuery(request: Request): Record<string, string> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  if (containsNul(query)) throw new DomainError("malformed");
  return query;
}

/** The path parameters; a catch-all parameter is joined by "/". Throws not_found (404) for a NUL character. */
function readParams(params: Params): Record<string, string> {
  const found = Object.entries(params).map(([name, value]) => [name, [value].flat().join("/")]);
  const parts = Object.fromEntries(found) as Record<string, string>;
  if (containsNul(parts)) throw new DomainError("not_found");
  return parts;
}

/** A key as draft 07 of the IETF writes it, in quotes, is the same as the key without them. */
const unquoted = (key: string): string =>
  /^"(?:[^"\\]|\\["\\])*"$/.test(key) ? key.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : key;

/**
 * The input of a request under the operation's names. Throws malformed, not_found, too_large, unsupported_type,
 * validation.
 */
export async function readInput(
  spec: InputSpec,
  request: Request,
  params: Params,
  /** Refuses bytes before they are parsed. */
  check?: CheckBytes,
) {
  const { headers } = request;
  const path = readParams(params);
  const query = spec.query ? readQuery(request) : {};
  const body = spec.body ? await readJson(request, check) : {};
  const bytes = spec.raw ? await readBytes(request, spec.raw.limit) : Buffer.alloc(0);
  const key = headers.get("idempotency-key");
  return {
    ...spec.more?.({ headers, params: path, bytes }),
    ...toDomainNames(spec.params, path),
    ...toDomainNames(spec.query, query),
    ...toDomainNames(spec.body, body),
    ...(spec.idempotent && key !== null ? { idempotencyKey: unquoted(key) } : {}),
  };
}

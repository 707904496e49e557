import { DomainError, type FieldProblem } from "@/lib/domain/errors";

// Without zod: every page that calls the API loads this file first.

/** The meaning of one API name in an operation's input. */
export type Named<Field extends string> =
  | Field
  /** A field whose values also have API names, as the keys of `values`. */
  | { field: Field; values: Readonly<Record<string, string>> }
  /** An object whose fields have API names. */
  | { field: Field; names: Readonly<Record<string, string>> }
  /** Not a field: the API requires this constant. */
  | { always: string };

/** A part of a request (path, query or body): the API's name of each field of the operation's input. */
export type Names<Field extends string = string> = Readonly<Record<string, Named<Field>>>;

/** The header that makes a repeated request safe, and the field of the input that it fills. */
export const KEY_NAMES = { "Idempotency-Key": "idempotencyKey" } as const satisfies Names;

/** Names for fields that are called the same in the API. */
export function same<const Field extends string>(...fields: Field[]): { [F in Field]: F } {
  return Object.fromEntries(fields.map((field) => [field, field])) as { [F in Field]: F };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toDomainValue(named: Exclude<Named<string>, string | { always: string }>, value: unknown): unknown {
  if ("names" in named) return isObject(value) ? toDomainNames(named.names, value) : value;
  // A value without an API name becomes null, which no enum accepts, even if the operation knows the value.
  return typeof value === "string" && Object.hasOwn(named.values, value) ? named.values[value] : null;
}

/** Renames the fields of a request from API names to the operation's names, and drops unknown ones. Throws validation. */
export function toDomainNames(
  names: Names | undefined,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const [name, named] of Object.entries(names ?? {})) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (typeof named === "object" && "always" in named) {
      if (value !== named.always) problems.push({ path: name, message: "validation.invalid" });
    } else if (value !== undefined) {
      if (typeof named === "string") input[named] = value;
      else input[named.field] = toDomainValue(named, value);
    }
  }
  if (problems.length > 0) throw new DomainError("validation", {}, problems);
  return input;
}

function toWireValue(named: Exclude<Named<string>, string | { always: string }>, value: unknown): unknown {
  if ("names" in named) return isObject(value) ? encodeNames(named.names, value) : value;
  return Object.keys(named.values).find((key) => named.values[key] === value) ?? value;
}

/** Renames the fields of an operation's input to API names. It is toDomainNames in the other direction. */
export function encodeNames(
  names: Names | undefined,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const [name, named] of Object.entries(names ?? {})) {
    if (typeof named === "string") sent[name] = input[named];
    else sent[name] = "always" in named ? named.always : toWireValue(named, input[named.field]);
    if (sent[name] === undefined) delete sent[name];
  }
  return sent;
}

/** The path of a field in an operation's input, from its path in a request. */
export function domainPath(names: Names, path: string): string {
  const [first = "", ...rest] = path.split(".");
  const named = names[first];
  if (named === undefined || (typeof named === "object" && "always" in named)) return path;
  if (typeof named === "string") return [named, ...rest].join(".");
  const inner = "names" in named && rest.length > 0 ? [domainPath(named.names, rest.join("."))] : rest;
  return [named.field, ...inner].join(".");
}

function wirePath(names: Names, [first = "", ...rest]: string[]): string[] {
  for (const [name, named] of Object.entries(names)) {
    if (named === first) return [name, ...rest];
    if (typeof named === "string" || "always" in named || named.field !== first) continue;
    return [name, ...("names" in named && rest.length > 0 ? wirePath(named.names, rest) : rest)];
  }
  return [first, ...rest];
}

/** Renames the fields of a DomainError to the API names that the caller used. */
export function toWireNames(error: unknown, names: Names): unknown {
  if (!(error instanceof DomainError) || error.problems.length === 0) return error;
  const { code, params, problems, cause } = error;
  const named = problems.map(({ path, message }) => ({
    path: wirePath(names, path.split(".")).join("."),
    message,
  }));
  return new DomainError(code, params, named, { cause });
}

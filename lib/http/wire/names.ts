import { z } from "zod";
import { DomainError, type FieldProblem } from "@/lib/domain/errors";

/** What one name of the API stands for in an operation's input. */
type Named<Field extends string> =
  | Field
  /** A field whose values have other names too: the API's before the colon. */
  | { field: Field; values: Readonly<Record<string, string>> }
  /** An object whose own fields have other names. */
  | { field: Field; names: Readonly<Record<string, string>> }
  /** No field: the API asks for this very value. */
  | { always: string };

/** A part of a request (path, query or body): the API's name of each field of the operation's input. */
export type Names<Field extends string = string> = Readonly<Record<string, Named<Field>>>;

/** Fields that have the same name in the API. */
export function same<const Field extends string>(...fields: Field[]): { [F in Field]: F } {
  return Object.fromEntries(fields.map((field) => [field, field])) as { [F in Field]: F };
}

type Shape = Record<string, z.ZodType>;

/** The fields of an operation's schema, before any transformation of the whole. */
export function shapeOf(schema: z.ZodType | undefined): Shape {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? (schema.shape as Shape) : {};
}

const isOptional = (schema: z.ZodType | undefined) => schema?.safeParse(undefined).success ?? false;

/** A part of a request under the API's names, for its document. Its fields are those of the operation's schema. */
export function wireSchema(input: z.ZodType, names: Names): z.ZodObject {
  const shape = shapeOf(input);
  const of = (named: Named<string>): z.ZodType => {
    if (typeof named === "string") return shape[named] ?? z.unknown();
    if ("always" in named) return z.literal(named.always);
    const field = shape[named.field];
    const renamed =
      "values" in named ? z.enum(Object.keys(named.values)) : wireSchema(field ?? z.unknown(), named.names);
    return isOptional(field) ? renamed.optional() : renamed;
  };
  return z.object(Object.fromEntries(Object.entries(names).map(([name, named]) => [name, of(named)])));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function translated(named: Exclude<Named<string>, string | { always: string }>, value: unknown): unknown {
  if ("names" in named) return isObject(value) ? toDomainNames(named.names, value) : value;
  // A value that has no name here is none, even where the operation knows it: null fits no list of values.
  return typeof value === "string" && Object.hasOwn(named.values, value) ? named.values[value] : null;
}

/** What a caller sent under the API's names, as the operation names it; what has no name here is left out. */
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
      else input[named.field] = translated(named, value);
    }
  }
  if (problems.length > 0) throw new DomainError("validation", {}, problems);
  return input;
}

function wirePath(names: Names, [first = "", ...rest]: string[]): string[] {
  for (const [name, named] of Object.entries(names)) {
    if (named === first) return [name, ...rest];
    if (typeof named === "string" || "always" in named || named.field !== first) continue;
    return [name, ...("names" in named && rest.length > 0 ? wirePath(named.names, rest) : rest)];
  }
  return [first, ...rest];
}

/** A refusal with its fields under the names that the caller sent them by. */
export function toWireNames(error: unknown, names: Names): unknown {
  if (!(error instanceof DomainError) || error.problems.length === 0) return error;
  const { code, params, problems, cause } = error;
  const named = problems.map(({ path, message }) => ({
    path: wirePath(names, path.split(".")).join("."),
    message,
  }));
  return new DomainError(code, params, named, { cause });
}

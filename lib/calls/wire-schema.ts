import { z } from "zod";
import type { Named, Names } from "./names";

type Shape = Record<string, z.ZodType>;

/** The fields of an operation's schema, before a transformation of the whole object. */
export function shapeOf(schema: z.ZodType | undefined): Shape {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? (schema.shape as Shape) : {};
}

const isOptional = (schema: z.ZodType | undefined) => schema?.safeParse(undefined).success ?? false;

/** The schema of a part of a request under the API's names, derived from the operation's schema for openapi.json. */
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

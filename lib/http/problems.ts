import { z } from "zod";
import { DomainError, type ErrorParams, type FieldProblem } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";

type Issue = z.core.$ZodIssue;

function keyOf(issue: Issue): string {
  if (issue.message.startsWith("validation.") || issue.message.startsWith("errors.")) return issue.message;
  // zod reports a missing value only in the text of its message.
  if (issue.code === "invalid_type") {
    if (issue.message.endsWith("received undefined")) return "validation.required";
    return issue.expected === "int" || issue.expected === "number"
      ? "validation.number.type"
      : "validation.type";
  }
  if (issue.code === "too_big") return "validation.tooLong";
  if (issue.code === "too_small") return "validation.required";
  return "validation.invalid";
}

function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? unwrapped(schema.in as z.ZodType) : schema;
}

/** The bounds of the number at a path of the schema: what its issue says is only the one that was crossed. */
function boundsAt(schema: z.ZodType, path: PropertyKey[]): ErrorParams {
  const found = path.reduce<z.ZodType | undefined>((at, part) => {
    const inner = unwrapped(at);
    return inner instanceof z.ZodObject ? (inner.shape[String(part)] as z.ZodType | undefined) : undefined;
  }, schema);
  const number = unwrapped(found);
  if (!(number instanceof z.ZodNumber)) return {};
  const { minValue, maxValue } = number;
  const bounded = (bound: number | null): bound is number =>
    bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return {
    ...(bounded(minValue) ? { min: minValue } : {}),
    ...(bounded(maxValue) ? { max: maxValue } : {}),
  };
}

/** A problem with a number outside its bounds, or null for any other issue. */
function numberProblem(issue: Issue, schema: z.ZodType): Pick<FieldProblem, "message" | "params"> | null {
  if (issue.code !== "too_big" && issue.code !== "too_small") return null;
  if (issue.origin !== "number" && issue.origin !== "int") return null;
  if (issue.message.startsWith("validation.")) return null;
  const params = boundsAt(schema, issue.path);
  if ("min" in params && "max" in params) return { message: "validation.number.between", params };
  return issue.code === "too_small"
    ? { message: "validation.number.least", params: { min: Number(issue.minimum) } }
    : { message: "validation.number.most", params: { max: Number(issue.maximum) } };
}

/** Converts a zod error of this schema to a DomainError with a field and a catalogue key per issue. */
export function validationError(error: z.ZodError, schema: z.ZodType): DomainError {
  const problems = error.issues.map((issue) => ({
    path: issue.path.join("."),
    message: keyOf(issue),
    ...(issue.code === "custom" && issue.params ? { params: issue.params as ErrorParams } : {}),
    ...numberProblem(issue, schema),
  }));
  return new DomainError("validation", {}, problems);
}

/** Translates a catalogue key into the reader's language. Any other text stays unchanged. */
export function translateKey(locale: Locale, key: string, params: ErrorParams = {}): string {
  const t = translator(locale);
  return t.has(key as never) ? t(key as never, params as never) : key;
}

/** The invalid fields with their messages in the reader's language. */
export function readableProblems(locale: Locale, problems: FieldProblem[]): FieldProblem[] {
  return problems.map(({ path, message, params }) => ({
    path,
    message: translateKey(locale, message, params),
  }));
}

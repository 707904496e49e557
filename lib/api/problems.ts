import { z } from "zod";
import { DomainError, type FieldProblem } from "@/lib/domain/errors";
import { betweenMessage, fieldMessage, parseFieldMessage } from "@/lib/domain/field-message";
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
function boundsAt(schema: z.ZodType, path: PropertyKey[]): { min?: number; max?: number } {
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

/** The message of a number outside its bounds, or null for any other issue. */
function numberMessage(issue: Issue, schema: z.ZodType): string | null {
  if (issue.code !== "too_big" && issue.code !== "too_small") return null;
  if (issue.origin !== "number" && issue.origin !== "int") return null;
  if (issue.message.startsWith("validation.")) return null;
  const { min, max } = boundsAt(schema, issue.path);
  if (min !== undefined && max !== undefined) return betweenMessage(min, max);
  return issue.code === "too_small"
    ? fieldMessage("validation.number.least", { min: Number(issue.minimum) + (issue.inclusive ? 0 : 1) })
    : fieldMessage("validation.number.most", { max: Number(issue.maximum) - (issue.inclusive ? 0 : 1) });
}

/** Converts a zod error of this schema to a DomainError with a field and a message per issue. */
export function validationError(error: z.ZodError, schema: z.ZodType): DomainError {
  const problems = error.issues.map((issue) => ({
    path: issue.path.join("."),
    message: numberMessage(issue, schema) ?? keyOf(issue),
  }));
  return new DomainError("validation", {}, problems);
}

/** Translates a catalogue key into the reader's language. Any other text stays unchanged. */
export function translateKey(locale: Locale, key: string): string {
  const t = translator(locale);
  const message = parseFieldMessage(key);
  return message && t.has(message.key as never) ? t(message.key as never, message.numbers as never) : key;
}

/** The invalid fields with their messages in the reader's language. */
export function readableProblems(locale: Locale, problems: FieldProblem[]): FieldProblem[] {
  return problems.map(({ path, message }) => ({ path, message: translateKey(locale, message) }));
}

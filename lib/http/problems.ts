import type { z } from "zod";
import { DomainError, type FieldProblem } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";

type Issue = z.core.$ZodIssue;

function keyOf(issue: Issue): string {
  if (issue.message.startsWith("validation.") || issue.message.startsWith("errors.")) return issue.message;
  // zod reports a missing value only in the text of its message.
  if (issue.code === "invalid_type") {
    return issue.message.endsWith("received undefined") ? "validation.required" : "validation.type";
  }
  if (issue.code === "too_big") return "validation.tooLong";
  if (issue.code === "too_small") return "validation.required";
  return "validation.invalid";
}

/** Converts a zod error to a DomainError with a field and a catalogue key per issue. */
export function validationError(error: z.ZodError): DomainError {
  const problems = error.issues.map((issue) => ({ path: issue.path.join("."), message: keyOf(issue) }));
  return new DomainError("validation", {}, problems);
}

/** Translates a catalogue key into the reader's language. Any other text stays unchanged. */
export function translateKey(locale: Locale, key: string): string {
  const t = translator(locale);
  return t.has(key as never) ? t(key as never) : key;
}

/** The invalid fields with their messages in the reader's language. */
export function readableProblems(locale: Locale, problems: FieldProblem[]): FieldProblem[] {
  return problems.map(({ path, message }) => ({ path, message: translateKey(locale, message) }));
}

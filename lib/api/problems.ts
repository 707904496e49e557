import type { FieldProblem } from "@/lib/domain/errors";
import { parseFieldMessage } from "@/lib/domain/field-message";
import type { Locale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";

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

import type { Writer } from "@/lib/calls/bind";
import { type FieldProblem, parseFieldMessage } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { imageUrl, signupUrl } from "@/lib/files/media-url";
import { customerNameOf, translator } from "@/lib/i18n/translate";

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

/** Answers the functions of the server that the replies of calls use, for a reader of this language. */
export const writerOf = (locale: Locale): Writer => ({
  locale,
  actorName: ({ type, name }) => name || translateKey(locale, `movements.actors.${type}`),
  customerName: (movement) => customerNameOf(movement, locale),
  whyKept: (code) => translateKey(locale, `offline.why.${code}`),
  imageUrl,
  signupUrl,
});

import { createTranslator } from "next-intl";
import type { DomainError } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { TIME_ZONE } from "@/lib/domain/time";
import ar from "@/messages/ar.json" with { type: "json" };
import en from "@/messages/en.json" with { type: "json" };

export type Messages = typeof en;
export const CATALOGUES: Record<Locale, Messages> = { en, ar: ar as Messages };

/** A translator for places without a request: e-mails, PDFs, passes, jobs. */
export function translator(locale: Locale) {
  return createTranslator({ locale, messages: CATALOGUES[locale], timeZone: TIME_ZONE });
}

// Up to here a wait is said in seconds.
const SHORT_WAIT = 120;

/** Nobody reckons with 3,600 seconds: the minutes of a long wait, rounded up, 0 for a short one. */
function minutesOf(seconds: number): number {
  return seconds > SHORT_WAIT ? Math.ceil(seconds / 60) : 0;
}

/** The sentence a person reads for a refusal, in their language. */
export function errorText(locale: Locale, error: Pick<DomainError, "code" | "params">): string {
  const minutes = minutesOf(Number(error.params.seconds ?? 0));
  return translator(locale)(`errors.${error.code}`, { ...error.params, minutes });
}

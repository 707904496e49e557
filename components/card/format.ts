import type { Locale } from "@/lib/domain/roles";

const tag = (locale: Locale) => (locale === "ar" ? "ar-QA-u-nu-latn" : "en-GB");

/** A day in Doha, as the card prints it. */
export function cardDay(locale: Locale, at: string | Date): string {
  const format = { day: "numeric", month: "short", year: "numeric", timeZone: "Asia/Qatar" } as const;
  return new Intl.DateTimeFormat(tag(locale), format).format(new Date(at));
}

/** A moment in Doha. */
export function cardMoment(locale: Locale, at: string | Date): string {
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Qatar" } as const;
  return new Intl.DateTimeFormat(tag(locale), format).format(new Date(at));
}

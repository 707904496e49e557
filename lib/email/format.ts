import type { Locale } from "@/lib/domain/roles";

/** A moment in Doha's time, in the reader's language. */
export function qatarTime(locale: Locale, at: Date): string {
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Qatar" } as const;
  return new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, format).format(at);
}

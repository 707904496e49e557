import type { Locale } from "./roles";

export const TIME_ZONE = "Asia/Qatar";

export type AgeUnit = "s" | "m" | "h" | "d";

/** How long ago a moment was, in the largest whole unit of seconds, minutes, hours or days; the future counts as now. */
export function ageOf(moment: Date, now: Date): { count: number; unit: AgeUnit } {
  const seconds = Math.max(0, Math.floor((now.getTime() - moment.getTime()) / 1000));
  if (seconds < 60) return { count: seconds, unit: "s" };
  if (seconds < 3600) return { count: Math.floor(seconds / 60), unit: "m" };
  if (seconds < 86_400) return { count: Math.floor(seconds / 3600), unit: "h" };
  return { count: Math.floor(seconds / 86_400), unit: "d" };
}

function formatted(moment: Date, locale: Locale, options: Intl.DateTimeFormatOptions): string {
  const tag = locale === "ar" ? "ar-u-nu-latn" : "en-GB";
  return new Intl.DateTimeFormat(tag, { timeZone: TIME_ZONE, ...options }).format(moment);
}

// Spelt out: in Arabic the short form is digits and slashes, which turn about beside other digits.
const DAY = { day: "numeric", month: "short", year: "numeric" } as const;

/** Day and time in Qatar: "21 Nov 2026, 09:05", in Arabic of twelve hours: "9:05 ص". */
export function exactTime(moment: Date, locale: Locale): string {
  return formatted(moment, locale, {
    ...DAY,
    hour: locale === "ar" ? "numeric" : "2-digit",
    minute: "2-digit",
  });
}

/** The day in Qatar: "21 Nov 2026". */
export function exactDay(moment: Date, locale: Locale): string {
  return formatted(moment, locale, DAY);
}

/** A calendar day given as YYYY-MM-DD, short: "21 Nov". */
export function shortDay(day: string, locale: Locale): string {
  return formatted(new Date(`${day}T12:00:00+03:00`), locale, { day: "numeric", month: "short" });
}

/** A calendar day given as YYYY-MM-DD, as dates of birth are shown: DD/MM/YYYY. What is no such day stays as it is. */
export function slashedDay(day: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(day);
  return match ? `${match[3]}/${match[2]}/${match[1]}` : day;
}

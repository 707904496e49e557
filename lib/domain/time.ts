import type { Locale } from "./roles";

const DAY = 86_400_000;
/** Asia/Qatar is three hours ahead of UTC, and has no summer time. */
const QATAR = 3 * 3_600_000;

/** A moment in Asia/Qatar as spreadsheets read it: 2026-11-21 10:52:33. */
export function qatarTimestamp(at: Date): string {
  return new Date(at.getTime() + QATAR).toISOString().slice(0, 19).replace("T", " ");
}

/** The day of a moment in Asia/Qatar, as YYYY-MM-DD. */
export function qatarDay(at: Date): string {
  return new Date(at.getTime() + QATAR).toISOString().slice(0, 10);
}

/** The moment a day (YYYY-MM-DD) begins in Asia/Qatar. */
export function dayStart(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - QATAR);
}

/** The day so many days later (earlier when negative). */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

/** So many days in a row, the given one last. */
export function lastDays(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(day, index - count + 1));
}

/** The first day of the day's month. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** When the day of a moment began in Qatar. */
export function qatarMidnight(at: Date): Date {
  return new Date(Math.floor((at.getTime() + QATAR) / DAY) * DAY - QATAR);
}

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
const DAY_PARTS = { day: "numeric", month: "short", year: "numeric" } as const;

/** Day and time in Qatar: "21 Nov 2026, 09:05", in Arabic of twelve hours: "9:05 ص". */
export function exactTime(moment: Date, locale: Locale): string {
  return formatted(moment, locale, {
    ...DAY_PARTS,
    hour: locale === "ar" ? "numeric" : "2-digit",
    minute: "2-digit",
  });
}

/** The day in Qatar: "21 Nov 2026". */
export function exactDay(moment: Date, locale: Locale): string {
  return formatted(moment, locale, DAY_PARTS);
}

/** A calendar day given as YYYY-MM-DD, short: "21 Nov". */
export function shortDay(day: string, locale: Locale): string {
  return formatted(dayStart(day), locale, { day: "numeric", month: "short" });
}

/** A calendar day given as YYYY-MM-DD, as dates of birth are shown: DD/MM/YYYY. What is no such day stays as it is. */
export function slashedDay(day: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(day);
  return match ? `${match[3]}/${match[2]}/${match[1]}` : day;
}

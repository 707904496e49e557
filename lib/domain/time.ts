import { toLatinDigits } from "./money";
import type { Locale } from "./roles";

const DAY = 86_400_000;
/** The offset of Asia/Qatar from UTC, in milliseconds. Qatar has no daylight saving time. */
const QATAR_OFFSET = 3 * 3_600_000;

/** The time in Asia/Qatar in a form that spreadsheets parse: 2026-11-21 10:52:33. */
export function qatarTimestamp(at: Date): string {
  return new Date(at.getTime() + QATAR_OFFSET).toISOString().slice(0, 19).replace("T", " ");
}

/** The day in Asia/Qatar, as YYYY-MM-DD. */
export function qatarDay(at: Date): string {
  return new Date(at.getTime() + QATAR_OFFSET).toISOString().slice(0, 10);
}

/** When a day (YYYY-MM-DD) begins in Asia/Qatar. */
export function dayStart(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - QATAR_OFFSET);
}

/** The day `count` days later, or earlier when `count` is negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

/** `count` consecutive days that end with the given one. */
export function lastDays(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(day, index - count + 1));
}

/** The same time a day earlier. */
export const dayBefore = (at: Date): Date => new Date(at.getTime() - DAY);

/** The first day of the day's month. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The Sunday on which a day's week began. */
export const weekStart = (day: string): string => addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay());

/** When the current day of this time began in Asia/Qatar. */
export const qatarMidnight = (at: Date): Date => dayStart(qatarDay(at));

export const TIME_ZONE = "Asia/Qatar";

export type AgeUnit = "s" | "m" | "h" | "d";

/** The age in the largest whole unit of seconds, minutes, hours or days. A time in the future has age 0. */
export function relativeAge(moment: Date, now: Date): { count: number; unit: AgeUnit } {
  const seconds = Math.max(0, Math.floor((now.getTime() - moment.getTime()) / 1000));
  if (seconds < 60) return { count: seconds, unit: "s" };
  if (seconds < 3600) return { count: Math.floor(seconds / 60), unit: "m" };
  if (seconds < 86_400) return { count: Math.floor(seconds / 3600), unit: "h" };
  return { count: Math.floor(seconds / 86_400), unit: "d" };
}

// The month is a word: Arabic's numeric form reorders its digits next to other digits.
const DAY_PARTS = { day: "numeric", month: "short", year: "numeric" } as const;
// The same clock in both languages: a receipt has both.
const TIME_PARTS = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

const STYLES = {
  dateTime: { ...DAY_PARTS, ...TIME_PARTS },
  time: TIME_PARTS,
} satisfies Record<string, Intl.DateTimeFormatOptions>;

type Style = keyof typeof STYLES;

// A formatter takes fifty times as long to make as to use.
const formatters: Partial<Record<`${Locale} ${Style}`, Intl.DateTimeFormat>> = {};

function formatterOf(locale: Locale, style: Style): Intl.DateTimeFormat {
  const [key, tag] = [`${locale} ${style}` as const, locale === "ar" ? "ar-u-nu-latn" : "en-GB"];
  formatters[key] ??= new Intl.DateTimeFormat(tag, { timeZone: TIME_ZONE, ...STYLES[style] });
  return formatters[key];
}

/** Date and time in Asia/Qatar: "21 Nov 2026, 09:05". */
export function formatDateTime(moment: Date, locale: Locale): string {
  return formatterOf(locale, "dateTime").format(moment);
}

/** The time of the day in Asia/Qatar: "09:05". */
export function formatTime(moment: Date, locale: Locale): string {
  return formatterOf(locale, "time").format(moment);
}

/** When something ends: the time of the day in Asia/Qatar, with the date if it is another day than `now`'s. */
export function formatUntil(moment: Date, now: Date, locale: Locale): string {
  return (qatarDay(moment) === qatarDay(now) ? formatTime : formatDateTime)(moment, locale);
}

// Locale data as ICU has it. A browser's first formatter takes an eighth of the scripts' time on a card (Lighthouse).
const MONTHS = {
  en: "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec",
  ar: "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
} satisfies Record<Locale, string>;

/** The short form of a day (YYYY-MM-DD): "21 Nov". */
export function formatShortDate(day: string, locale: Locale): string {
  return `${Number(day.slice(8, 10))} ${MONTHS[locale].split(" ")[Number(day.slice(5, 7)) - 1]}`;
}

/** The short form of a day, with its year if that is not today's in Asia/Qatar: "21 Nov", "21 Nov 2027". */
export function formatDay(day: string, locale: Locale, today = qatarDay(new Date())): string {
  const [year, thisYear] = [day.slice(0, 4), today.slice(0, 4)];
  return year === thisYear ? formatShortDate(day, locale) : `${formatShortDate(day, locale)} ${year}`;
}

/** The date in Asia/Qatar: "21 Nov 2026". */
export function formatDate(moment: Date, locale: Locale): string {
  const day = qatarDay(moment);
  return `${formatShortDate(day, locale)} ${day.slice(0, 4)}`;
}

/** The DD/MM/YYYY form of a day (YYYY-MM-DD), as for dates of birth. Any other text stays unchanged. */
export function formatNumericDate(day: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(day);
  return match ? `${match[3]}/${match[2]}/${match[1]}` : day;
}

/** The YYYY-MM-DD form of a day as people type it: "21/03/1994", "21.3.1994", "21031994". Any other text stays unchanged. */
export function toIsoDay(typed: string): string {
  const text = toLatinDigits(typed.trim());
  const match =
    /^(\d{2})(\d{2})(\d{4})$/.exec(text) ?? /^(\d{1,2})[/.\s-]+(\d{1,2})[/.\s-]+(\d{4})$/.exec(text);
  if (!match) return text;
  const [, day = "", month = "", year = ""] = match;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

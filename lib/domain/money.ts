import type { Locale } from "./roles";

/** Why an amount is invalid: the last part of its catalogue key `validation.points.<problem>`. */
type PointsProblem = "required" | "whole" | "positive" | "tooLarge";
export type ParsedPoints = { ok: true; points: number } | { ok: false; problem: PointsProblem };

/** The text with Arabic-Indic and Persian digits replaced by 0-9. */
export function toLatinDigits(text: string): string {
  // The last hexadecimal digit of their code is their value.
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16));
}

/** A bill number to store: one line, 0-9, no half character (the server refuses it); undefined if blank. */
export function cleanSaleRef(text: string): string | undefined {
  return toLatinDigits(text.replace(/[\p{Cc}\p{Surrogate}]+/gu, " ").trim()) || undefined;
}

/** Parses a whole number above 0, or its text in Latin, Arabic-Indic or Persian digits. No decimals, exponents or signs. */
export function parsePoints(input: unknown): ParsedPoints {
  if (typeof input === "number") return checkPoints(input);
  if (typeof input !== "string" || input.trim() === "") return { ok: false, problem: "required" };
  const text = toLatinDigits(input.trim());
  if (/^-\d+$/.test(text)) return { ok: false, problem: "positive" };
  if (!/^\d+$/.test(text)) return { ok: false, problem: "whole" };
  return checkPoints(Number(text));
}

function checkPoints(points: number): ParsedPoints {
  if (Number.isFinite(points) && !Number.isInteger(points)) return { ok: false, problem: "whole" };
  if (Number.isNaN(points)) return { ok: false, problem: "required" };
  if (points <= 0) return { ok: false, problem: "positive" };
  return Number.isSafeInteger(points) ? { ok: true, points } : { ok: false, problem: "tooLarge" };
}

/** The value of points in QAR with two decimals ("350.00"), computed in whole numbers without floats. */
export function cashValue(points: number | bigint, dirhamsPerPoint: number): string {
  const dirhams = BigInt(points) * BigInt(dirhamsPerPoint);
  const size = dirhams < 0n ? -dirhams : dirhams;
  const fraction = (size % 100n).toString().padStart(2, "0");
  return `${dirhams < 0n ? "-" : ""}${size / 100n}.${fraction}`;
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A whole number grouped by thousands, in Latin digits in both languages ("1,250"). */
export const formatCount = (count: number | bigint): string => groupThousands(BigInt(count).toString());

// A word here and not in the catalogues, so that a page that shows amounts needs no translator.
const UNITS: Record<Locale, Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }> = {
  en: { one: "pt", other: "pts" },
  ar: { few: "نقاط", other: "نقطة" },
};
const RULES = { en: new Intl.PluralRules("en"), ar: new Intl.PluralRules("ar") };

/** The unit of a number of points: "pt" or "pts", "نقاط" for 3 to 10 and "نقطة" for the rest. */
export function pointsUnit(points: number | bigint, locale: Locale): string {
  return UNITS[locale][RULES[locale].select(Math.abs(Number(points)))] ?? UNITS[locale].other;
}

/** Points with their unit: "1 pt", "1,250 pts", "نقطة واحدة", "نقطتان", "5 نقاط", "1,250 نقطة". */
export function formatPoints(points: number | bigint, locale: Locale): string {
  if (locale === "ar" && Number(points) === 1) return "نقطة واحدة";
  if (locale === "ar" && Number(points) === 2) return "نقطتان";
  return `${formatCount(points)} ${pointsUnit(points, locale)}`;
}

// Isolation keeps the sign before the digits inside right-to-left text.
const isolate = (number: string) => `\u2066${number}\u2069`;

/** Points with unit and leading sign, in both writing directions: "+100 pts", "−40 pts". */
export function formatSignedPoints(points: number, locale: Locale): string {
  const digits = formatSignedCount(points);
  return `${locale === "ar" ? isolate(digits) : digits} ${pointsUnit(points, locale)}`;
}

function partsOf(amount: string, plus: boolean): { sign: string; digits: string } {
  const negative = amount.startsWith("-");
  const [whole = "0", fraction = "00"] = (negative ? amount.slice(1) : amount).split(".");
  const digits = `${groupThousands(whole)}.${fraction}`;
  return { digits, sign: negative ? "−" : plus && /[1-9]/.test(digits) ? "+" : "" };
}

/** A QAR amount of cashValue: "QAR 1,250.00", "1,250.00 ر.ق", in both with a leading minus; `plus` signs amounts above 0. */
export function formatQar(amount: string, locale: Locale, plus = false): string {
  const { sign, digits } = partsOf(amount, plus);
  if (locale !== "ar") return `${sign}QAR ${digits}`;
  return `${sign ? isolate(sign + digits) : digits} ر.ق`;
}

/** The QAR value of a part of these points, which are not 0, at the rate that made `value` of them. */
export function partValue(part: number, points: number, value: string): string {
  return cashValue(part, Number(BigInt(value.replace(".", "")) / BigInt(points)));
}

/** Points by their worth, for a sentence: "QAR 350.00 (350 pts)". `rate` is dirhams per point. */
export function formatMoney(points: number, rate: number, locale: Locale): string {
  return `${formatQar(cashValue(points, rate), locale)} (${formatPoints(points, locale)})`;
}

/** A QAR amount without its unit, for columns of a table, to be set left to right: "1,250.00", "−40.00". */
export function formatAmount(amount: string, plus = false): string {
  const { sign, digits } = partsOf(amount, plus);
  return sign + digits;
}

/** A whole number with its sign, for columns of a table, to be set left to right: "+1,250", "−40", "0". */
export function formatSignedCount(count: number): string {
  return `${count > 0 ? "+" : count < 0 ? "−" : ""}${formatCount(Math.abs(count))}`;
}

/** The change of a number in whole percent of the earlier one, which is not 0. */
export const percentChange = (now: number, before: number): number =>
  Math.round(((now - before) / Math.abs(before)) * 100);

/** percentChange with its sign and without a percent sign: "+25", "−9", "0". */
export const signedPercent = (now: number, before: number): string =>
  formatSignedCount(percentChange(now, before));

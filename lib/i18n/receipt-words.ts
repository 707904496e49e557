import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { translator } from "./translate";

/** An amount as receipts say it, mailed or printed: the points, and their value at this rate (dirhams a point). */
export function worthOf(locale: Locale, points: number, rate: number): [points: string, value: string] {
  return [formatPoints(points, locale), formatQar(cashValue(points, rate), locale)];
}

/** The paid and the bonus part of an amount, as receipts say it; null without bonus. */
export function pocketWords(locale: Locale, { paid, bonus }: { paid: number; bonus: number }): string | null {
  if (bonus === 0) return null;
  return translator(locale)("email.receipt.pockets", {
    paid: formatPoints(Math.abs(paid), locale),
    bonus: formatPoints(Math.abs(bonus), locale),
  });
}

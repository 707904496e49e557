import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { translator } from "./translate";

/** An amount as receipts say it, mailed or printed: the value at this rate (dirhams a point), and the points. */
export function worthOf(locale: Locale, points: number, rate: number): [value: string, points: string] {
  return [formatQar(cashValue(points, rate), locale), formatPoints(points, locale)];
}

/** The paid and the bonus part of an amount in QAR, as receipts say it; null without bonus. */
export function pocketWords(
  locale: Locale,
  { paid, bonus, rate }: { paid: number; bonus: number; rate: number },
): string | null {
  if (bonus === 0) return null;
  return translator(locale)("email.receipt.pockets", {
    paid: worthOf(locale, Math.abs(paid), rate)[0],
    bonus: worthOf(locale, Math.abs(bonus), rate)[0],
  });
}

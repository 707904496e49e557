import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import type { MerchantRef } from "@/lib/domain/localized-names";
import { addDays, monthStart } from "@/lib/domain/time";
import { daySchema, type MovementType } from "@/lib/ledger/model/movements";

/** Two days (Asia/Qatar, both included), and a merchant chosen by a super_admin. */
const periodSchema = z.object({ from: daySchema, to: daySchema, merchantId: idSchema.optional() });
export type PeriodQuery = z.output<typeof periodSchema>;

export const liabilitySchema = periodSchema.refine(({ from, to }) => from <= to, {
  path: ["to"],
  error: "validation.invalid",
});
export const liabilityReportSchema = liabilitySchema.safeExtend({
  format: z.enum(["json", "csv"]).optional(),
});

/** The query of the liability page; the default is the current month. */
export const liabilityPageSchema = periodSchema.partial();

type Period = { from: string; to: string };

/** The days of the page: as given, or from the first day of the current month until today. */
export function liabilityPeriod(given: Partial<Period>, today: string): Period {
  return { from: given.from ?? monthStart(today), to: given.to ?? today };
}

/** The periods that the page offers. `key` is their text in the catalogue. */
export function liabilityPeriods(
  today: string,
): (Period & { key: "thisMonth" | "lastMonth" | "thisYear" })[] {
  const month = monthStart(today);
  const lastMonth = addDays(month, -1);
  return [
    { key: "thisMonth", from: month, to: today },
    { key: "lastMonth", from: monthStart(lastMonth), to: lastMonth },
    { key: "thisYear", from: `${today.slice(0, 4)}-01-01`, to: today },
  ];
}

/** How many days a daily series covers at most: a leap year. */
export const SERIES_DAYS = 366;
/** The points that customers held at the end of a day (YYYY-MM-DD, Asia/Qatar). */
export type LiabilityDay = { day: string } & PocketSums;

/** Points in the two pockets, signed. */
export type PocketSums = { paid: number; bonus: number };
/** Dirhams in the two pockets, signed. */
export type Worth = { paid: bigint; bonus: bigint };

/** The line under which each type of movement is reported, in the order of the report. */
export const LINE_OF = {
  TOP_UP: "toppedUp",
  BONUS: "bonusGiven",
  REDEEM: "redeemed",
  EXPIRY: "expired",
  REFUND: "refunded",
  REVERSAL: "reversed",
  ADJUSTMENT: "adjusted",
  IMPORT: "imported",
} as const satisfies Record<MovementType, string>;
export type LiabilityLine = (typeof LINE_OF)[MovementType];
export const LIABILITY_LINES: readonly LiabilityLine[] = Object.values(LINE_OF);

/**
 * The points of customers before the first day (opening) and after the last (closing), and the movements in between. For
 * each pocket, the opening and all lines add up exactly to the closing. `worth` values opening and closing at the rate in
 * force at the time and movements at their own rates; the remaining difference is the revaluation.
 */
export type LiabilityFigures = {
  opening: PocketSums;
  lines: Record<LiabilityLine, PocketSums>;
  closing: PocketSums;
  worth: { opening: Worth; moved: Worth; revaluation: Worth; closing: Worth };
};
export type MerchantLiability = LiabilityFigures & { merchant: MerchantRef };

export type Liability = {
  from: string;
  to: string;
  /** The sum within the reader's reach. */
  total: LiabilityFigures;
  /** How many points of the balances open holds reserve at this moment: a part of what is owed. */
  held: number;
  /** Sorted by name. */
  merchants: MerchantLiability[];
};

const noPoints = (): PocketSums => ({ paid: 0, bonus: 0 });
const noWorth = (): Worth => ({ paid: 0n, bonus: 0n });

export function emptyFigures(): LiabilityFigures {
  return {
    opening: noPoints(),
    lines: Object.fromEntries(LIABILITY_LINES.map((line) => [line, noPoints()])) as LiabilityFigures["lines"],
    closing: noPoints(),
    worth: { opening: noWorth(), moved: noWorth(), revaluation: noWorth(), closing: noWorth() },
  };
}

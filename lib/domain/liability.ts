import { z } from "zod";
import { idSchema } from "./ids";
import { MOVEMENT_TYPES } from "./movements";

const day = z.iso.date("validation.date");

/** Two days (Asia/Qatar, both included), and a merchant where a super_admin names one. */
export const liabilitySchema = z
  .object({ from: day, to: day, merchantId: idSchema.optional() })
  .refine(({ from, to }) => from <= to, { path: ["to"], error: "validation.invalid" });
export type LiabilityQuery = z.output<typeof liabilitySchema>;

/** As liabilitySchema, and how it is answered. */
export const liabilityReportSchema = z
  .object({ from: day, to: day, merchantId: idSchema.optional(), format: z.enum(["json", "csv"]).optional() })
  .refine(({ from, to }) => from <= to, { path: ["to"], error: "validation.invalid" });
export type LiabilityReportQuery = z.output<typeof liabilityReportSchema>;

/** Points in the two pockets, signed. */
export type Pockets = { paid: number; bonus: number };
/** Dirhams in the two pockets, signed. */
export type Worth = { paid: bigint; bonus: bigint };

export const LIABILITY_LINES = [
  "toppedUp",
  "bonusGiven",
  "redeemed",
  "expired",
  "refunded",
  "reversed",
  "adjusted",
  "imported",
] as const;
export type LiabilityLine = (typeof LIABILITY_LINES)[number];

/** The line under which each type of movement is reported. */
export const LINE_OF = {
  TOP_UP: "toppedUp",
  BONUS: "bonusGiven",
  REDEEM: "redeemed",
  EXPIRY: "expired",
  REFUND: "refunded",
  REVERSAL: "reversed",
  ADJUSTMENT: "adjusted",
  IMPORT: "imported",
} as const satisfies Record<string, LiabilityLine>;
export type ReportedType = keyof typeof LINE_OF;
// Every type that callers know is reported.
MOVEMENT_TYPES satisfies readonly ReportedType[];

/**
 * What customers held before the first day and after the last, and what happened between: opening and all lines are
 * closing, by pocket, to the point. The worths: opening and closing at the value in force then, what moved at each
 * movement's own; the rest is revaluation.
 */
export type LiabilityFigures = {
  opening: Pockets;
  lines: Record<LiabilityLine, Pockets>;
  closing: Pockets;
  worth: { opening: Worth; moved: Worth; revaluation: Worth; closing: Worth };
};
export type MerchantLiability = LiabilityFigures & { merchant: { id: string; businessName: string } };

export type Liability = {
  from: string;
  to: string;
  /** Everything within the reader's reach. */
  total: LiabilityFigures;
  /** By name. */
  merchants: MerchantLiability[];
};

const nothing = (): Pockets => ({ paid: 0, bonus: 0 });
const worthless = (): Worth => ({ paid: 0n, bonus: 0n });

export function emptyFigures(): LiabilityFigures {
  return {
    opening: nothing(),
    lines: Object.fromEntries(LIABILITY_LINES.map((line) => [line, nothing()])) as LiabilityFigures["lines"],
    closing: nothing(),
    worth: { opening: worthless(), moved: worthless(), revaluation: worthless(), closing: worthless() },
  };
}

function addPockets(into: Pockets, more: Pockets): void {
  into.paid += more.paid;
  into.bonus += more.bonus;
}

/** Adds one merchant's figures to a sum of several. */
export function addFigures(into: LiabilityFigures, more: LiabilityFigures): void {
  addPockets(into.opening, more.opening);
  addPockets(into.closing, more.closing);
  for (const line of LIABILITY_LINES) addPockets(into.lines[line], more.lines[line]);
  for (const part of ["opening", "moved", "revaluation", "closing"] as const) {
    into.worth[part].paid += more.worth[part].paid;
    into.worth[part].bonus += more.worth[part].bonus;
  }
}

import { z } from "zod";
import type { LedgerCheck } from "@/lib/domain/ledger-check";
import {
  LIABILITY_LINES,
  type Liability,
  type LiabilityFigures,
  type LiabilityLine,
  type PocketSums,
  type Worth,
} from "@/lib/domain/liability";
import { cashValue } from "@/lib/domain/money";
import { merchantRefFrom, merchantRefShape } from "./merchant-ref";
import { same } from "./names";

/** Selects the merchant. Owners can select only their own. */
export const merchantQuery = { iMerchantId: "merchantId" } as const;

const check = z.object({
  _id: z.string(),
  iMerchantId: z.string(),
  eState: z.enum(["running", "done"]),
  /** Null while it runs, and if it ended without a result. */
  bOk: z.boolean().nullable(),
  /** The number of checked movements, and of all movements at the start. */
  iMovements: z.number().int(),
  iTotal: z.number().int(),
  dSealedTo: z.iso.datetime().nullable(),
  /** The head of the chain, in hexadecimal. */
  sHead: z.string().nullable(),
  /** The first violation: the rule, and the movement, customer, day (Asia/Qatar) or version of the configuration. */
  oFirstWrong: z
    .object({
      eWhat: z.string(),
      iMovementId: z.string().optional(),
      iCustomerId: z.string().optional(),
      dDay: z.string().optional(),
      iConfigId: z.string().optional(),
      iVersion: z.number().int().optional(),
    })
    .optional(),
  dStartedAt: z.iso.datetime(),
  dFinishedAt: z.iso.datetime().nullable(),
});

function toCheckWire(from: LedgerCheck): z.output<typeof check> {
  const wrong = from.firstWrong;
  return {
    _id: from.id,
    iMerchantId: from.merchantId,
    eState: from.state,
    bOk: from.ok,
    iMovements: from.movements,
    iTotal: from.total,
    dSealedTo: from.sealedTo?.toISOString() ?? null,
    sHead: from.head,
    ...(wrong
      ? {
          oFirstWrong: {
            eWhat: wrong.what,
            ...(wrong.movementId ? { iMovementId: wrong.movementId } : {}),
            ...(wrong.customerId ? { iCustomerId: wrong.customerId } : {}),
            ...(wrong.day ? { dDay: wrong.day } : {}),
            ...(wrong.configId ? { iConfigId: wrong.configId, iVersion: wrong.version } : {}),
          },
        }
      : {}),
    dStartedAt: from.startedAt.toISOString(),
    dFinishedAt: from.finishedAt?.toISOString() ?? null,
  };
}

export const checkReply = { schema: check, from: toCheckWire };
/** Null if the ledger was never checked. */
export const lastCheckReply = {
  schema: check.nullable(),
  from: (from: LedgerCheck | null) => from && toCheckWire(from),
};

/** GET reports/liability. */
export const liabilityQuery = { ...same("from", "to", "format"), ...merchantQuery } as const;

const pockets = z.object({ iPaid: z.number().int(), iBonus: z.number().int() });
const worth = z.object({ sPaidValue: z.string(), sBonusValue: z.string() });
const figures = z.object({
  /** Points, and their value in QAR at the rate in force at the time. */
  oOpening: pockets.extend(worth.shape),
  iToppedUp: z.number().int(),
  iBonusGiven: z.number().int(),
  iRedeemedPaid: z.number().int(),
  iRedeemedBonus: z.number().int(),
  iExpired: z.number().int(),
  oRefunded: pockets,
  oReversed: pockets,
  oAdjusted: pockets,
  oImported: pockets,
  /** In QAR: movements at their own rates, and the remaining difference. */
  oMoved: worth,
  oRevaluation: worth,
  oClosing: pockets.extend(worth.shape),
});
const toPockets = ({ paid, bonus }: PocketSums) => ({ iPaid: paid, iBonus: bonus });
const toWorth = ({ paid, bonus }: Worth) => ({
  sPaidValue: cashValue(paid, 1),
  sBonusValue: cashValue(bonus, 1),
});

function toFigures({ opening, closing, lines, worth }: LiabilityFigures): z.output<typeof figures> {
  return {
    oOpening: { ...toPockets(opening), ...toWorth(worth.opening) },
    iToppedUp: lines.toppedUp.paid,
    iBonusGiven: lines.bonusGiven.bonus,
    iRedeemedPaid: lines.redeemed.paid,
    iRedeemedBonus: lines.redeemed.bonus,
    iExpired: lines.expired.bonus,
    oRefunded: toPockets(lines.refunded),
    oReversed: toPockets(lines.reversed),
    oAdjusted: toPockets(lines.adjusted),
    oImported: toPockets(lines.imported),
    oMoved: toWorth(worth.moved),
    oRevaluation: toWorth(worth.revaluation),
    oClosing: { ...toPockets(closing), ...toWorth(worth.closing) },
  };
}

export const liabilityReply = {
  schema: figures.extend({
    from: z.string(),
    to: z.string(),
    /** Sorted by name. */
    merchants: z.array(figures.extend({ merchant: merchantRefShape })),
  }),
  from: ({ report }: { report: Liability }) => ({
    from: report.from,
    to: report.to,
    ...toFigures(report.total),
    merchants: report.merchants.map(({ merchant, ...own }) => ({
      merchant: merchantRefFrom(merchant),
      ...toFigures(own),
    })),
  }),
};

type ReportLine = `lines.${LiabilityLine}` | "opening" | "moved" | "revaluation" | "closing";

/** The rows of a report's table: opening, each line, moved, revaluation, closing; each with points and dirhams. */
export function liabilityRows(of: LiabilityFigures): [ReportLine, PocketSums | null, Worth | null][] {
  return [
    ["opening", of.opening, of.worth.opening],
    ...LIABILITY_LINES.map((line): [ReportLine, PocketSums, null] => [`lines.${line}`, of.lines[line], null]),
    ["moved", null, of.worth.moved],
    ["revaluation", null, of.worth.revaluation],
    ["closing", of.closing, of.worth.closing],
  ];
}

import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import { merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { cashValue } from "@/lib/domain/money";
import { merchantQuery } from "@/lib/ledger/names";
import type { Liability, LiabilityFigures, PocketSums, Worth } from "./model/liability";
import type { CustomerTotals } from "./model/totals";

const totals = z.object({
  iTotalCustomers: z.number().int(),
  iNewThisMonth: z.number().int(),
  /** The points of all customers together, and their value in QAR. */
  sTotalBalance: z.number(),
  sTotalCashValue: z.string(),
  iTopUpsToday: z.number().int(),
  sPointsToppedUpToday: z.number(),
  iRedeemsToday: z.number().int(),
  sPointsRedeemedToday: z.number(),
});

/** GET customers/totals. Clients read the first element. */
const totalsReply = {
  schema: z.array(totals).length(1),
  from: ({ customers, outstanding, today }: CustomerTotals) => [
    {
      iTotalCustomers: customers.total,
      iNewThisMonth: customers.month,
      sTotalBalance: outstanding.points,
      sTotalCashValue: outstanding.cashValue,
      iTopUpsToday: today.topUps,
      sPointsToppedUpToday: today.toppedUp,
      iRedeemsToday: today.redeems,
      sPointsRedeemedToday: today.redeemed,
    },
  ],
};

/** GET reports/liability. */
const liabilityQuery = { ...same("from", "to", "format"), ...merchantQuery } as const;

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

const liabilityReply = {
  schema: figures.extend({
    from: z.string(),
    to: z.string(),
    /** How many points of the balances open holds reserve at this moment. */
    iHeld: z.number().int(),
    /** Sorted by name. */
    merchants: z.array(figures.extend({ merchant: merchantRef.schema })),
  }),
  from: ({ report }: { report: Liability }, to: Writer) => ({
    from: report.from,
    to: report.to,
    iHeld: report.held,
    ...toFigures(report.total),
    merchants: report.merchants.map(({ merchant, ...own }) => ({
      merchant: merchantRef.from(merchant, to),
      ...toFigures(own),
    })),
  }),
};

/** The calls of reports, as both sides know them. */
export const reportCalls = {
  customerTotals: { method: "GET", path: "customers/totals", reply: totalsReply },
  exportJournal: {
    method: "GET",
    path: "ledger/journal",
    query: { ...same("from", "to"), ...merchantQuery },
  },
  liabilityReport: { method: "GET", path: "reports/liability", query: liabilityQuery, reply: liabilityReply },
} as const;

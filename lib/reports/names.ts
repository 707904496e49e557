import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import { computed, fields, list } from "@/lib/calls/codec";
import { merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { cashValue } from "@/lib/domain/money";
import { merchantQuery } from "@/lib/ledger/names";
import type { Liability, LiabilityFigures, LiabilityLine, PocketSums, Worth } from "./model/liability";
import type { CustomerTotals } from "./model/totals";

const int = z.number().int();

const totals = fields({
  iTotalCustomers: ["total", computed(int, ({ customers }: CustomerTotals) => customers.total)],
  iNewThisMonth: ["newThisMonth", computed(int, ({ customers }: CustomerTotals) => customers.month)],
  /** The points of all customers together, and their value in QAR. */
  sTotalBalance: ["points", computed(z.number(), ({ outstanding }: CustomerTotals) => outstanding.points)],
  sTotalCashValue: [
    "value",
    computed(z.string(), ({ outstanding }: CustomerTotals) => outstanding.cashValue),
  ],
  iTopUpsToday: ["topUps", computed(int, ({ today }: CustomerTotals) => today.topUps)],
  sPointsToppedUpToday: ["toppedUp", computed(z.number(), ({ today }: CustomerTotals) => today.takenPoints)],
  iRedeemsToday: ["redeems", computed(int, ({ today }: CustomerTotals) => today.redeems)],
  sPointsRedeemedToday: [
    "redeemed",
    computed(z.number(), ({ today }: CustomerTotals) => today.redeemedPoints),
  ],
});

/** GET customers/totals. Clients read the first element. */
const totalsReply = {
  schema: z.array(totals.schema).length(1),
  from: (whole: CustomerTotals, to: Writer) => [totals.from(whole, to)],
};

const pockets = z.object({ iPaid: int, iBonus: int });
const worth = z.object({ sPaidValue: z.string(), sBonusValue: z.string() });
const toPockets = ({ paid, bonus }: PocketSums) => ({ iPaid: paid, iBonus: bonus });
const toWorth = ({ paid, bonus }: Worth) => ({
  sPaidValue: cashValue(paid, 1),
  sBonusValue: cashValue(bonus, 1),
});
const balance = (at: "opening" | "closing") =>
  computed(pockets.extend(worth.shape), (of: LiabilityFigures) => ({
    ...toPockets(of[at]),
    ...toWorth(of.worth[at]),
  }));
const inQar = (part: "moved" | "revaluation") =>
  computed(worth, (of: LiabilityFigures) => toWorth(of.worth[part]));
const line = (name: LiabilityLine) =>
  computed(pockets, ({ lines }: LiabilityFigures) => toPockets(lines[name]));
const pocketOf = (name: LiabilityLine, pocket: keyof PocketSums) =>
  computed(int, ({ lines }: LiabilityFigures) => lines[name][pocket]);

const figures = {
  /** Points, and their value in QAR at the rate in force at the time. */
  oOpening: ["opening", balance("opening")],
  iToppedUp: ["toppedUp", pocketOf("toppedUp", "paid")],
  iBonusGiven: ["bonusGiven", pocketOf("bonusGiven", "bonus")],
  iRedeemedPaid: ["redeemedPaid", pocketOf("redeemed", "paid")],
  iRedeemedBonus: ["redeemedBonus", pocketOf("redeemed", "bonus")],
  iExpired: ["expired", pocketOf("expired", "bonus")],
  oRefunded: ["refunded", line("refunded")],
  oReversed: ["reversed", line("reversed")],
  oAdjusted: ["adjusted", line("adjusted")],
  oImported: ["imported", line("imported")],
  /** In QAR: movements at their own rates, and the remaining difference. */
  oMoved: ["moved", inQar("moved")],
  oRevaluation: ["revaluation", inQar("revaluation")],
  oClosing: ["closing", balance("closing")],
} as const;

const liabilityFields = fields({
  from: ["from", z.string()],
  to: ["to", z.string()],
  iHeld: ["held", int],
  ...figures,
  merchants: ["merchants", list(fields({ merchant: ["merchant", merchantRef], ...figures }))],
});
const liabilityReply = {
  schema: liabilityFields.schema,
  from: ({ report }: { report: Liability }, to: Writer) =>
    liabilityFields.from({ ...report, ...report.total }, to),
};

export const reportCalls = {
  customerTotals: { method: "GET", path: "customers/totals", reply: totalsReply },
  exportJournal: {
    method: "GET",
    path: "ledger/journal",
    query: { ...same("from", "to"), ...merchantQuery },
  },
  liabilityReport: {
    method: "GET",
    path: "reports/liability",
    query: { ...same("from", "to", "format"), ...merchantQuery },
    reply: liabilityReply,
  },
} as const;

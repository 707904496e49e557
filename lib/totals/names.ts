import { z } from "zod";
import type { CustomerTotals } from "@/lib/domain/totals";

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

/** The calls of totals, as both sides know them. */
export const totalsCalls = {
  customerTotals: { method: "GET", path: "customers/totals", reply: totalsReply },
} as const;

import type { Context } from "@/lib/db/context";
import { knownDays } from "@/lib/db/merchant-days";
import { authorize } from "@/lib/domain/actor";
import { qatarDay } from "@/lib/domain/days";
import type { CustomerTotals } from "@/lib/domain/totals";
import { customerCounts } from "./counts";
import { outstandingOf } from "./outstanding";
import { figuresOf, summedDays, sumsSince } from "./sums";

/** The caller's customers in numbers: how many, what they hold, what moved today (Asia/Qatar). */
export async function customerTotals(ctx: Context): Promise<CustomerTotals> {
  const reach = authorize(ctx.actor, "customers.read");
  const day = qatarDay(ctx.clock());
  const [summed, known] = await Promise.all([summedDays(ctx.db, day), knownDays(ctx.db, day)]);
  const [customers, outstanding, sums] = await Promise.all([
    customerCounts(ctx.db, reach, day, known),
    outstandingOf(ctx.db, reach, known),
    sumsSince(ctx.db, reach, day, summed),
  ]);
  return { customers, outstanding, today: figuresOf(sums, day) };
}
customerTotals.permission = "customers.read" as const;

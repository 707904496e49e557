import type { Context } from "@/lib/db/context";
import { knownDays } from "@/lib/db/merchant-days";
import { authorize, type Reach } from "@/lib/domain/actor";
import { qatarDay } from "@/lib/domain/days";
import type { Permission } from "@/lib/domain/policy";
import { scopeOf } from "@/lib/domain/policy";
import type { Dashboard } from "@/lib/domain/totals";
import { customerCounts } from "./counts";
import { moneyTotals } from "./money-totals";
import { waitingMerchants } from "./waiting-merchants";

/** The caller's dashboard: only the blocks that the policy lets this role see. */
export async function dashboard(ctx: Context): Promise<Dashboard> {
  authorize(ctx.actor, "totals.read");
  const day = qatarDay(ctx.clock());
  const reachOf = (permission: Permission): Reach | null =>
    scopeOf(ctx.actor.role, permission) === null ? null : authorize(ctx.actor, permission);
  const [movements, people, merchants] = [
    reachOf("movements.read"),
    reachOf("customers.read"),
    reachOf("merchants.read"),
  ];
  const known = await knownDays(ctx.db, day);
  const [money, customers, waiting] = await Promise.all([
    movements && moneyTotals(ctx.db, movements, day, known),
    people && customerCounts(ctx.db, people, day, known),
    merchants && waitingMerchants(ctx.db),
  ]);
  return { day, money, customers, waiting };
}
dashboard.permission = "totals.read" as const;

import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { knownDays } from "@/lib/db/merchant-days";
import { authorize, type Reach } from "@/lib/domain/actor";
import { type StaffPermission, scopeOf } from "@/lib/domain/policy";
import { qatarDay } from "@/lib/domain/time";
import type { Dashboard } from "@/lib/domain/totals";
import { customerCounts } from "./counts";
import { moneyTotals } from "./sums";

/** The caller's dashboard: only the blocks that the policy lets this role see. */
export async function dashboard(ctx: Context): Promise<Dashboard> {
  authorize(ctx.actor, "totals.read");
  const day = qatarDay(ctx.clock());
  const reachOf = (permission: StaffPermission): Reach | null =>
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

/** The merchants that wait for a decision: how many, and the five that have waited longest. */
export async function waitingMerchants(db: Db): Promise<NonNullable<Dashboard["waiting"]>> {
  const where = { status: "pending" } as const;
  const [count, rows] = await Promise.all([
    db.merchant.count({ where }),
    db.merchant.findMany({
      where,
      orderBy: { createdAt: "asc" },
      take: 5,
      select: { id: true, businessName: true, firstName: true, lastName: true, createdAt: true },
    }),
  ]);
  const first = rows.map(({ firstName, lastName, ...row }) => ({
    ...row,
    owner: `${firstName} ${lastName}`,
  }));
  return { count, first };
}

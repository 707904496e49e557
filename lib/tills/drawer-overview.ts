import type { Context } from "@/lib/db/context";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { nothingSchema } from "@/lib/domain/ids";
import type { Shift } from "@/lib/domain/shift";
import { shiftFrom, shiftSelect } from "./read-shifts";

/** How many days back differences are shown. */
const DAYS = 7;
/** How many of each are shown at most. */
const SHOWN = 5;

/** The open shifts, longest open first, and the latest shifts that were closed in seven days and did not add up. */
export type DrawerOverview = {
  open: Shift[];
  differing: Shift[];
  /** How many were closed in these days, and how many of them differed. */
  closed: number;
  differed: number;
};

/** What an owner's home shows of drawers. */
export async function drawerOverview(ctx: Context, _input: object): Promise<DrawerOverview> {
  const scope = merchantWhere(authorize(ctx.actor, "tills.manage"));
  const since = new Date(ctx.clock().getTime() - DAYS * 24 * 60 * 60 * 1000);
  const recent = { ...scope, closedAt: { gte: since } };
  const differs = { ...recent, difference: { not: 0n } };
  const [open, differing, closed, differed] = await Promise.all([
    ctx.db.shift.findMany({
      where: { ...scope, closedAt: null },
      orderBy: { openedAt: "asc" },
      select: shiftSelect,
      take: SHOWN,
    }),
    ctx.db.shift.findMany({
      where: differs,
      orderBy: { closedAt: "desc" },
      select: shiftSelect,
      take: SHOWN,
    }),
    ctx.db.shift.count({ where: recent }),
    ctx.db.shift.count({ where: differs }),
  ]);
  return { open: open.map(shiftFrom), differing: differing.map(shiftFrom), closed, differed };
}
drawerOverview.permission = "tills.manage" as const;
drawerOverview.input = nothingSchema;

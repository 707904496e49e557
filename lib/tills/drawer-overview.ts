import { andMerchant } from "@/lib/db/query";
import { merchantWhere } from "@/lib/domain/actor";
import { nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import type { Shift } from "./model/shift";
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

type Counts = { anyOpen: boolean; closed: number; differed: number };

/** Answers the drawers for an owner's home page. */
export const drawerOverview = operation({
  permission: "tills.manage",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<DrawerOverview> => {
    const reach = ctx.reach;
    const scope = merchantWhere(reach);
    const since = new Date(ctx.clock().getTime() - DAYS * 24 * 60 * 60 * 1000);
    // Most shops have nothing to show here, and many have no drawer. So read the lists only if they are not
    // empty.
    const [counts = { anyOpen: false, closed: 0, differed: 0 }] = await ctx.db.$queryRaw<Counts[]>`
    select exists (select from shifts where closed_at is null ${andMerchant(reach)}) as "anyOpen",
      count(*)::int as closed, (count(*) filter (where difference <> 0))::int as differed
    from shifts where closed_at >= ${since} ${andMerchant(reach)}`;
    const { anyOpen, closed, differed } = counts;
    const [open, differing] = await Promise.all([
      anyOpen
        ? ctx.db.shift.findMany({
            where: { ...scope, closedAt: null },
            orderBy: { openedAt: "asc" },
            select: shiftSelect,
            take: SHOWN,
          })
        : [],
      differed > 0
        ? ctx.db.shift.findMany({
            where: { ...scope, closedAt: { gte: since }, difference: { not: 0n } },
            orderBy: { closedAt: "desc" },
            select: shiftSelect,
            take: SHOWN,
          })
        : [],
    ]);
    return { open: open.map(shiftFrom), differing: differing.map(shiftFrom), closed, differed };
  },
});

import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { andMerchant } from "@/lib/db/query";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema, nothingSchema } from "@/lib/domain/ids";
import { BRANCH_REF, MERCHANT_REF } from "@/lib/domain/localized-names";
import { addDays, dayStart } from "@/lib/domain/time";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { type DrawerMoveKind, frozenReportSchema, shiftsSchema } from "./model/shift";
import type { Shift, ShiftReport, ShiftView } from "./names";

export const person = { select: { id: true, firstName: true, lastName: true } } as const;
const shiftSelect = {
  id: true,
  period: true,
  reportNumber: true,
  float: true,
  openedAt: true,
  closedAt: true,
  difference: true,
  note: true,
  report: true,
  till: { select: { id: true, name: true } },
  branch: { select: { ...BRANCH_REF, merchant: { select: MERCHANT_REF } } },
  openedBy: person,
  closedBy: person,
} as const satisfies Prisma.ShiftSelect;

type Row = Prisma.ShiftGetPayload<{ select: typeof shiftSelect }>;
type Named = { id: string; firstName: string; lastName: string };
export const named = ({ id, firstName, lastName }: Named) => ({ id, name: `${firstName} ${lastName}` });

/** A closed shift has the names that its report froze. */
function shiftFrom(row: Row): Shift {
  const { merchant, ...branch } = row.branch;
  const frozen = row.report === null ? null : frozenReportSchema.parse(row.report);
  return {
    id: row.id,
    number: row.reportNumber ?? row.period,
    till: { id: row.till.id, name: frozen?.till ?? row.till.name },
    branch: frozen && frozen.branch !== branch.name ? { id: branch.id, name: frozen.branch } : branch,
    merchant,
    float: row.float,
    openedAt: row.openedAt,
    openedBy: { id: row.openedBy.id, name: frozen?.openedBy ?? named(row.openedBy).name },
    closedAt: row.closedAt,
    closedBy: row.closedBy && { id: row.closedBy.id, name: frozen?.closedBy ?? named(row.closedBy).name },
    difference: row.difference === null ? null : Number(row.difference),
    note: row.note,
  };
}

const NOTHING = { count: 0, points: 0, dirhams: 0 };

function reportFrom(report: Row["report"]): ShiftReport | null {
  if (report === null) return null;
  const { tenders, kinds, drawer, otherTills, served } = frozenReportSchema.parse(report);
  return {
    tenders,
    topUps: kinds.TOP_UP ?? NOTHING,
    redemptions: kinds.REDEEM ?? NOTHING,
    refunds: kinds.REFUND ?? NOTHING,
    reversals: kinds.REVERSAL ?? NOTHING,
    payIns: drawer.pay_in ?? NOTHING,
    payOuts: drawer.pay_out ?? NOTHING,
    otherTills,
    served,
  };
}

/** The shifts that the caller may see: an owner the merchant's, a worker those of the proving till and their own. */
function within(ctx: Context): Prisma.ShiftWhereInput {
  const reach = authorize(ctx.actor, "shifts.run");
  const scope = merchantWhere(reach);
  if (reach.scope !== "own") return scope;
  const { userId } = reach;
  const own = [{ openedById: userId }, { closedById: userId }];
  return { ...scope, OR: ctx.till ? [...own, { tillId: ctx.till.id }] : own };
}

/** The cash (dirhams) that was counted at this till's close before a shift; null at its first. */
async function countedBefore({ db }: Context, { till, period }: Row): Promise<number | null> {
  const where = { tillId: till.id, period: period - 1 };
  const before = await db.shift.findFirst({ where, select: { report: true } });
  const cash = before && reportFrom(before.report)?.tenders.find(({ tender }) => tender === "cash");
  return cash?.counted ?? null;
}

/** One shift with its drawer; with the report once it is closed, so that the count is blind. Throws shift_not_found. */
export const getShift = operation({
  permission: "shifts.run",
  input: byIdSchema,
  errors: ["shift_not_found"],
  readOnly: true,
  run: async (ctx, { id }): Promise<ShiftView> => {
    const row = await ctx.db.shift.findFirst({
      where: { AND: [{ id }, within(ctx)] },
      select: {
        ...shiftSelect,
        drawer: {
          orderBy: { id: "asc" },
          select: { id: true, kind: true, amount: true, reason: true, createdAt: true, actor: person },
        },
      },
    });
    if (!row) throw new DomainError("shift_not_found");
    const drawer = row.drawer.map(({ actor, kind, ...move }) => ({
      ...move,
      kind: kind as DrawerMoveKind,
      by: named(actor),
    }));
    const report = reportFrom(row.report);
    return { ...shiftFrom(row), countedBefore: await countedBefore(ctx, row), drawer, report };
  },
});

/**
 * Whether a worker's drawer is still to be counted: a shift is open that they opened, at their branch, or at a till where
 * they have posted in it. Their own pages then show no totals of money.
 */
export const countIsBlind = operation({
  permission: "shifts.run",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<{ blind: boolean }> => {
    if (ctx.reach.scope !== "own") return { blind: false };
    const { userId, merchantId } = ctx.reach;
    const { branchId } = ctx.actor;
    const [row] = await ctx.db.$queryRaw<[{ blind: boolean }]>`
    select exists (
      select from shifts s join tills t on t.id = s.till_id
      where s.closed_at is null and s.merchant_id = ${merchantId}::uuid
        and (s.opened_by_id = ${userId}::uuid or t.branch_id = ${branchId}::uuid or exists (
          select from movements m
          where m.till_id = s.till_id and m.till_period = s.period and m.actor_id = ${userId}::uuid))
    ) as blind`;
    return row;
  },
});

/** A page of the shifts that the caller may see, the latest opened first; the days (Asia/Qatar) are of the opening. */
export const listShifts = operation({
  permission: "shifts.run",
  input: shiftsSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<Shift>> => {
    const { tillId, branchId, merchantId, workerId, from, to } = query;
    const by = workerId ? { OR: [{ openedById: workerId }, { closedById: workerId }] } : {};
    const openedAt = {
      ...(from ? { gte: dayStart(from) } : {}),
      ...(to ? { lt: dayStart(addDays(to, 1)) } : {}),
    };
    const rows = await ctx.db.shift.findMany({
      where: { AND: [within(ctx), { tillId, branchId, merchantId, openedAt }, by] },
      orderBy: [{ openedAt: "desc" }, { id: "desc" }],
      select: shiftSelect,
      ...pageArgs(query),
    });
    return pageOf(rows, query, shiftFrom);
  },
});

/** How many days back differences are shown, and how many shifts of each kind. */
const [OVERVIEW_DAYS, SHOWN] = [7, 5];

type Counts = { anyOpen: boolean; closed: number; differed: number };

/** The open shifts, longest open first, and the latest closed in seven days that did not add up; the counts are of these days. */
export const drawerOverview = operation({
  permission: "tills.manage",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx) => {
    const { reach } = ctx;
    const since = new Date(ctx.clock().getTime() - OVERVIEW_DAYS * 24 * 60 * 60 * 1000);
    // Most shops have nothing to show here, and many have no drawer: only lists that are not empty are read.
    const [{ anyOpen, closed, differed }] = await ctx.db.$queryRaw<[Counts]>`
    select exists (select from shifts where closed_at is null ${andMerchant(reach)}) as "anyOpen",
      count(*)::int as closed, (count(*) filter (where difference <> 0))::int as differed
    from shifts where closed_at >= ${since} ${andMerchant(reach)}`;
    const shifts = async (which: Prisma.ShiftWhereInput, orderBy: Prisma.ShiftOrderByWithRelationInput) => {
      const where = { ...merchantWhere(reach), ...which };
      const rows = await ctx.db.shift.findMany({ where, orderBy, select: shiftSelect, take: SHOWN });
      return rows.map(shiftFrom);
    };
    const [open, differing] = await Promise.all([
      anyOpen ? shifts({ closedAt: null }, { openedAt: "asc" }) : [],
      differed > 0 ? shifts({ closedAt: { gte: since }, difference: { not: 0n } }, { closedAt: "desc" }) : [],
    ]);
    return { open, differing, closed, differed };
  },
});

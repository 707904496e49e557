import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { type Key, nameKey, type Order, pageIds, pageOf, sortByIds, timeKey } from "@/lib/db/paging";
import { anyColumnContains } from "@/lib/db/query";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import type { Page } from "@/lib/domain/movements";
import { parseSort } from "@/lib/domain/paging";
import { qatarMidnight } from "@/lib/domain/time";
import {
  type WORKER_SORTS,
  type Worker,
  type WorkerStatus,
  type WorkersQuery,
  type WorkerToday,
  workersSchema,
} from "@/lib/domain/worker";

export const workerSelect = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  status: true,
  createdAt: true,
  branch: { select: { id: true, name: true } },
  merchant: { select: { id: true, businessName: true } },
} as const;

export type WorkerRow = Omit<Worker, "merchant" | "today" | "status"> & {
  status: WorkerStatus;
  merchant: Worker["merchant"] | null;
};

const NOTHING: WorkerToday = { topUps: { count: 0, points: 0 }, redeems: { count: 0, points: 0 }, undone: 0 };

/** What each of these workers did since midnight in Qatar: one query for all of them. */
async function doneToday(db: Db, ids: string[], now: Date): Promise<Map<string, WorkerToday>> {
  const sums =
    ids.length === 0
      ? []
      : await db.movement.groupBy({
          by: ["actorId", "type"],
          where: { actorId: { in: ids }, createdAt: { gte: qatarMidnight(now) } },
          _count: { _all: true },
          _sum: { points: true },
        });
  const days = new Map<string, WorkerToday>();
  for (const { actorId, type, _count, _sum } of sums) {
    if (actorId === null) continue;
    const day = days.get(actorId) ?? NOTHING;
    const sum = { count: _count._all, points: Math.abs(_sum.points ?? 0) };
    if (type === "TOP_UP") days.set(actorId, { ...day, topUps: sum });
    if (type === "REDEEM") days.set(actorId, { ...day, redeems: sum });
    if (type === "REVERSAL") days.set(actorId, { ...day, undone: sum.count });
  }
  return days;
}

/** A worker out of a row. Every worker has a merchant: the database says so. */
export function workerFrom({ merchant, ...row }: WorkerRow, today: WorkerToday = NOTHING): Worker {
  return { ...row, merchant: merchant ?? { id: "", businessName: "" }, today };
}

/** One worker within reach, with what they did today. Throws worker_not_found. */
export async function getWorker(ctx: Context, input: { id: string }): Promise<Worker> {
  const scope = merchantWhere(authorize(ctx.actor, "workers.manage"));
  const row = await ctx.db.user.findFirst({
    where: { id: input.id, role: "branch_worker", ...scope },
    select: workerSelect,
  });
  if (!row) throw new DomainError("worker_not_found");
  const today = await doneToday(ctx.db, [row.id], ctx.clock());
  return workerFrom(row, today.get(row.id));
}
getWorker.permission = "workers.manage" as const;
getWorker.input = byIdSchema;
getWorker.errors = ["worker_not_found"] as const;

const KEYS: Record<(typeof WORKER_SORTS)[number], Key[]> = {
  added: [timeKey(Prisma.sql`u.created_at`)],
  name: [nameKey(Prisma.sql`u.first_name`), nameKey(Prisma.sql`u.last_name`)],
};
const SEARCHED = [
  Prisma.sql`u.first_name`,
  Prisma.sql`u.last_name`,
  Prisma.sql`u.email`,
  Prisma.sql`u.phone`,
];

function conditions(scope: { merchantId?: string }, query: WorkersQuery): Prisma.Sql {
  // Every word has to be somewhere, so that first and last name together find a person.
  const words = (query.search ?? "").split(/\s+/).filter(Boolean);
  const merchants = [scope.merchantId, query.merchantId].filter((id) => id !== undefined);
  return Prisma.join(
    [
      Prisma.sql`u.role = 'branch_worker'::"Role"`,
      ...merchants.map((id) => Prisma.sql`u.merchant_id = ${id}::uuid`),
      ...(query.branchId ? [Prisma.sql`u.branch_id = ${query.branchId}::uuid`] : []),
      ...(query.status ? [Prisma.sql`u.status = ${query.status}::"UserStatus"`] : []),
      ...words.map((word) => anyColumnContains(SEARCHED, word)),
    ],
    " and ",
  );
}

/** A page of the own merchant's workers (a super_admin's: everybody's), newest first unless sorted, with what each did today. */
export async function listWorkers(ctx: Context, query: WorkersQuery): Promise<Page<Worker>> {
  const where = conditions(merchantWhere(authorize(ctx.actor, "workers.manage")), query);
  const { field, down } = parseSort(query.sort ?? "-added");
  const order: Order = { keys: KEYS[field], id: Prisma.sql`u.id`, down };
  const ids = await pageIds(ctx.db, { from: Prisma.sql`users u`, where }, order, query);
  const rows = await ctx.db.user.findMany({ where: { id: { in: ids } }, select: workerSelect });
  const page = pageOf(sortByIds(ids, rows), query, (row) => row);
  const today = await doneToday(
    ctx.db,
    page.results.map((row) => row.id),
    ctx.clock(),
  );
  return { ...page, results: page.results.map((row) => workerFrom(row, today.get(row.id))) };
}
listWorkers.permission = "workers.manage" as const;
listWorkers.input = workersSchema;

import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { inOrder, type Key, nameKey, type Order, pageIds, timeKey } from "@/lib/db/keyset";
import { anyHolds } from "@/lib/db/like";
import { pageOf } from "@/lib/db/paging";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { Page } from "@/lib/domain/points";
import { sortParts } from "@/lib/domain/schemas/sorting";
import type { WORKER_SORTS, Worker, WorkersQuery } from "@/lib/domain/worker";
import { doneToday, workerFrom, workerSelect } from "./worker-row";

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
      ...words.map((word) => anyHolds(SEARCHED, word)),
    ],
    " and ",
  );
}

/** A page of the own merchant's workers (a super_admin's: everybody's), newest first unless sorted, with what each did today. */
export async function listWorkers(ctx: Context, query: WorkersQuery): Promise<Page<Worker>> {
  const where = conditions(merchantWhere(authorize(ctx.actor, "workers.manage")), query);
  const { field, down } = sortParts(query.sort ?? "-added");
  const order: Order = { keys: KEYS[field], id: Prisma.sql`u.id`, down };
  const ids = await pageIds(ctx.db, { from: Prisma.sql`users u`, where }, order, query);
  const rows = await ctx.db.user.findMany({ where: { id: { in: ids } }, select: workerSelect });
  const page = pageOf(inOrder(ids, rows), query, (row) => row);
  const today = await doneToday(
    ctx.db,
    page.results.map((row) => row.id),
    ctx.clock(),
  );
  return { ...page, results: page.results.map((row) => workerFrom(row, today.get(row.id))) };
}
listWorkers.permission = "workers.manage" as const;

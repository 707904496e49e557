import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { holds } from "@/lib/db/like";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { Page } from "@/lib/domain/points";
import type { Worker, WorkersQuery } from "@/lib/domain/worker";
import { doneToday, workerFrom, workerSelect } from "./worker-row";

/** Every word has to be somewhere, so that first and last name together find a person. */
function matches(search: string | undefined): Prisma.UserWhereInput[] {
  return (search ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const held = holds(word);
      return { OR: [{ firstName: held }, { lastName: held }, { email: held }, { phone: held }] };
    });
}

/** A page of the own merchant's workers (a super_admin's: everybody's), newest first, with what each did today. */
export async function listWorkers(ctx: Context, query: WorkersQuery): Promise<Page<Worker>> {
  const scope = merchantWhere(authorize(ctx.actor, "workers.manage"));
  const rows = await ctx.db.user.findMany({
    where: {
      AND: [
        { role: "branch_worker", ...scope },
        query.merchantId ? { merchantId: query.merchantId } : {},
        query.branchId ? { branchId: query.branchId } : {},
        query.status ? { status: query.status } : {},
        ...matches(query.search),
      ],
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    ...pageArgs(query),
    select: workerSelect,
  });
  const page = pageOf(rows, query, (row) => row);
  const today = await doneToday(
    ctx.db,
    page.results.map((row) => row.id),
    ctx.clock(),
  );
  return { ...page, results: page.results.map((row) => workerFrom(row, today.get(row.id))) };
}
listWorkers.permission = "workers.manage" as const;

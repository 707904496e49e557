import { Prisma } from "@/lib/db/generated/client";
import { type Key, nameKey, type Order, pageIds, pageOf, sortByIds, timeKey } from "@/lib/db/paging";
import { andMerchant, anyColumnContains } from "@/lib/db/query";
import { merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { MERCHANT_REF } from "@/lib/domain/merchant-name";
import { parseSort } from "@/lib/domain/paging";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { type BRANCH_SORTS, type Branch, type BranchesQuery, branchesSchema } from "./model";

export const branchSelect = {
  id: true,
  name: true,
  nameAr: true,
  city: true,
  archivedAt: true,
  createdAt: true,
  merchant: { select: MERCHANT_REF },
  _count: { select: { workers: { where: { role: "branch_worker", status: { not: "disabled" } } } } },
} as const;

type Row = Omit<Branch, "workers"> & { _count: { workers: number } };

/** Maps a row of branchSelect to a branch. */
export function branchFrom({ _count, ...row }: Row): Branch {
  return { ...row, workers: _count.workers };
}

/** One branch in the caller's scope. Throws branch_not_found. */
export const getBranch = operation({
  permission: "branches.manage",
  input: byIdSchema,
  errors: ["branch_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<Branch> => {
    const scope = merchantWhere(ctx.reach);
    const row = await ctx.db.branch.findFirst({ where: { id: input.id, ...scope }, select: branchSelect });
    if (!row) throw new DomainError("branch_not_found");
    return branchFrom(row);
  },
});

const FROM = Prisma.sql`branches b join merchants m on m.id = b.merchant_id`;
const NAME = nameKey(Prisma.sql`b.name`);
const KEYS: Record<(typeof BRANCH_SORTS)[number], Key[]> = {
  added: [timeKey(Prisma.sql`b.created_at`)],
  name: [NAME],
  merchant: [nameKey(Prisma.sql`m.business_name`), NAME],
};
const STATES = {
  open: [Prisma.sql`b.archived_at is null`],
  archived: [Prisma.sql`b.archived_at is not null`],
  all: [],
};

function conditions(scope: { merchantId?: string }, query: BranchesQuery): Prisma.Sql {
  // Scope and filter are separate conditions, so that the filter cannot widen the scope.
  const merchants = [scope.merchantId, query.merchantId].filter((id) => id !== undefined);
  const columns = [
    Prisma.sql`b.name`,
    Prisma.sql`b.name_ar`,
    Prisma.sql`b.city`,
    Prisma.sql`m.business_name`,
  ];
  return Prisma.join(
    [
      Prisma.sql`true`,
      ...merchants.map((id) => Prisma.sql`b.merchant_id = ${id}::uuid`),
      ...STATES[query.state],
      ...(query.search ? [anyColumnContains(columns, query.search)] : []),
    ],
    " and ",
  );
}

const list = (permission: "branches.manage" | "outlets.manage") =>
  operation({
    permission,
    input: branchesSchema,
    readOnly: true,
    run: async ({ db, reach }, query): Promise<Page<Branch>> => {
      const { field, down } = parseSort(query.sort ?? "-added");
      const order: Order = { keys: KEYS[field], id: Prisma.sql`b.id`, down };
      const within = Prisma.sql`true ${andMerchant(reach)}`;
      const where = conditions(merchantWhere(reach), query);
      const ids = await pageIds(db, { from: FROM, within, where }, order, query);
      const rows = await db.branch.findMany({ where: { id: { in: ids } }, select: branchSelect });
      return pageOf(sortByIds(ids, rows), query, branchFrom);
    },
  });

/** A page of the branches in the caller's scope (for administrators: of all merchants), newest first unless sorted. */
export const listBranches = list("branches.manage");
export const listOutlets = list("outlets.manage");

import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { inOrder, type Key, nameKey, type Order, pageIds, timeKey } from "@/lib/db/keyset";
import { anyHolds } from "@/lib/db/like";
import { pageOf } from "@/lib/db/paging";
import { authorize, type MerchantStatus } from "@/lib/domain/actor";
import type { MERCHANT_SORTS, MerchantSummary, MerchantsQuery } from "@/lib/domain/merchant";
import type { Page } from "@/lib/domain/points";
import { sortParts } from "@/lib/domain/schemas/sorting";
import { merchantFrom, merchantSelect } from "./merchant-row";

const KEYS: Record<(typeof MERCHANT_SORTS)[number], Key[]> = {
  received: [timeKey(Prisma.sql`m.created_at`)],
  name: [nameKey(Prisma.sql`m.business_name`)],
};
const SEARCHED = [
  Prisma.sql`m.business_name`,
  Prisma.sql`m.first_name`,
  Prisma.sql`m.last_name`,
  Prisma.sql`m.email`,
  Prisma.sql`m.phone`,
];

function conditions({ status, search }: MerchantsQuery): Prisma.Sql {
  return Prisma.join(
    [
      Prisma.sql`true`,
      ...(status ? [Prisma.sql`m.status = ${status}::"MerchantStatus"`] : []),
      ...(search ? [anyHolds(SEARCHED, search)] : []),
    ],
    " and ",
  );
}

/** A page of merchants, newest first unless sorted, for administrators. */
export async function listMerchants(ctx: Context, query: MerchantsQuery): Promise<Page<MerchantSummary>> {
  authorize(ctx.actor, "merchants.read");
  const { field, down } = sortParts(query.sort ?? "-received");
  const order: Order = { keys: KEYS[field], id: Prisma.sql`m.id`, down };
  const rows = { from: Prisma.sql`merchants m`, where: conditions(query) };
  const ids = await pageIds(ctx.db, rows, order, query);
  const found = await ctx.db.merchant.findMany({ where: { id: { in: ids } }, select: merchantSelect });
  return pageOf(inOrder(ids, found), query, merchantFrom);
}
listMerchants.permission = "merchants.read" as const;

/** How many merchants there are of each status. */
export async function countMerchants(
  ctx: Context,
  _input: Record<never, never>,
): Promise<Record<MerchantStatus, number>> {
  authorize(ctx.actor, "merchants.read");
  const rows = await ctx.db.merchant.groupBy({ by: ["status"], _count: { _all: true } });
  const counts = Object.fromEntries(rows.map((row) => [row.status, row._count._all]));
  return { pending: counts.pending ?? 0, approved: counts.approved ?? 0, rejected: counts.rejected ?? 0 };
}
countMerchants.permission = "merchants.read" as const;

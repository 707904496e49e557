import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { holds } from "@/lib/db/like";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { authorize, type MerchantStatus } from "@/lib/domain/actor";
import type { MerchantSummary, MerchantsQuery } from "@/lib/domain/merchant";
import type { Page } from "@/lib/domain/points";
import { merchantFrom, merchantSelect } from "./merchant-row";

const SEARCHED = ["businessName", "firstName", "lastName", "email", "phone"] as const;

function matches(search: string | undefined): Prisma.MerchantWhereInput {
  return search ? { OR: SEARCHED.map((field) => ({ [field]: holds(search) })) } : {};
}

/** A page of merchants, newest first, for administrators. */
export async function listMerchants(ctx: Context, query: MerchantsQuery): Promise<Page<MerchantSummary>> {
  authorize(ctx.actor, "merchants.read");
  const rows = await ctx.db.merchant.findMany({
    where: { ...(query.status ? { status: query.status } : {}), ...matches(query.search) },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    ...pageArgs(query),
    select: merchantSelect,
  });
  return pageOf(rows, query, merchantFrom);
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

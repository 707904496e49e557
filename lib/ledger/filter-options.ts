import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import type { FilterOptions } from "@/lib/domain/filter-options";

const MOST = 500;

/**
 * What the transaction log may be narrowed to: merchants (for who sees several), and the branches and staff of the
 * merchant named, or of the own one.
 */
export async function filterOptions(ctx: Context, input: { merchantId?: string }): Promise<FilterOptions> {
  const reach = authorize(ctx.actor, "movements.read");
  const merchantId = reach.scope === "any" ? input.merchantId : (reach.merchantId ?? undefined);
  const [merchants, branches, people] = await Promise.all([
    reach.scope === "any"
      ? ctx.db.merchant.findMany({
          where: { status: "approved" },
          orderBy: [{ businessName: "asc" }, { id: "asc" }],
          take: MOST,
          select: { id: true, businessName: true },
        })
      : [],
    merchantId
      ? ctx.db.branch.findMany({
          where: { merchantId },
          orderBy: [{ name: "asc" }, { id: "asc" }],
          take: MOST,
          select: { id: true, name: true },
        })
      : [],
    merchantId
      ? ctx.db.user.findMany({
          where: { merchantId },
          orderBy: [{ firstName: "asc" }, { lastName: "asc" }, { id: "asc" }],
          take: MOST,
          select: { id: true, firstName: true, lastName: true },
        })
      : [],
  ]);
  return {
    merchants: merchants.map(({ id, businessName }) => ({ id, name: businessName })),
    branches,
    staff: people.map(({ id, firstName, lastName }) => ({ id, name: `${firstName} ${lastName}` })),
  };
}
filterOptions.permission = "movements.read" as const;

import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { byName } from "@/lib/domain/by-name";
import type { Choice, FilterOptions } from "@/lib/domain/filter-options";

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
  const named = byName<Choice>(({ name }) => name);
  return {
    merchants: merchants.map(({ id, businessName }) => ({ id, name: businessName })).sort(named),
    branches: branches.sort(named),
    staff: people
      .map(({ id, firstName, lastName }) => ({ id, name: `${firstName} ${lastName}` }))
      .sort(named),
  };
}
filterOptions.permission = "movements.read" as const;

import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { byName } from "@/lib/domain/by-name";

export type MerchantOption = { id: string; businessName: string };

// More than that nobody scrolls through: the search of a list finds the rest.
const SHOWN = 500;

/** The approved merchants by name, to choose from. */
export async function merchantOptions(ctx: Context, _input: Record<never, never>): Promise<MerchantOption[]> {
  authorize(ctx.actor, "merchants.read");
  const found = await ctx.db.merchant.findMany({
    where: { status: "approved" },
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: SHOWN,
    select: { id: true, businessName: true },
  });
  return found.sort(byName(({ businessName }) => businessName));
}
merchantOptions.permission = "merchants.read" as const;

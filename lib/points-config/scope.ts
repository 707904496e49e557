import type { Context } from "@/lib/db/context";
import type { Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";

export type NamedMerchant = { id: string; businessName: string };

/**
 * The merchant a call is about: the caller's own, or the one an administrator names; null is the platform.
 * Throws merchant_not_found, for another merchant as for none.
 */
export async function configMerchant(
  ctx: Context,
  reach: Reach,
  merchantId: string | undefined,
): Promise<NamedMerchant | null> {
  const own = reach.scope === "any" ? null : reach.merchantId;
  if (own !== null && merchantId !== undefined && merchantId !== own) {
    throw new DomainError("merchant_not_found");
  }
  const id = own ?? merchantId;
  if (id === undefined) return null;
  const merchant = await ctx.db.merchant.findUnique({
    where: { id },
    select: { id: true, businessName: true },
  });
  if (!merchant) throw new DomainError("merchant_not_found");
  return merchant;
}

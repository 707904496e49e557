import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";

export type SignupMerchant = { id: string; businessName: string; imageKey: string | null };

/** The approved merchant whose sign-up link was opened. Throws merchant_unavailable for any other. */
export async function signupMerchant(
  ctx: PublicContext,
  input: { merchantId: string },
): Promise<SignupMerchant> {
  const merchant = await ctx.db.merchant.findFirst({
    where: { id: input.merchantId, status: "approved" },
    select: { id: true, businessName: true, imageKey: true },
  });
  if (!merchant) throw new DomainError("merchant_unavailable");
  return merchant;
}
signupMerchant.permission = "public" as const;

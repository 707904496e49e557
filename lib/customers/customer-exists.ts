import type { PublicContext } from "@/lib/db/context";

/** Whether an e-mail has a card with this merchant; without a merchant, with any. */
export async function customerExists(
  ctx: PublicContext,
  input: { email: string; merchantId?: string | undefined },
): Promise<{ exists: boolean }> {
  const row = await ctx.db.customer.findFirst({
    where: { email: input.email, ...(input.merchantId ? { merchantId: input.merchantId } : {}) },
    select: { id: true },
  });
  return { exists: row !== null };
}
customerExists.permission = "public" as const;

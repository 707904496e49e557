import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { appleSettings } from "./apple-settings";
import { issuePass } from "./issue-pass";
import { readPassCard } from "./pass-card";
import { signedPass } from "./signed-pass";

export type PassFile = { bytes: Buffer; changedAt: Date; businessName: string };

/**
 * The Apple Wallet pass of a card, by its private id only.
 * Throws customer_not_found, customer_erased, wallet_unavailable (no certificates here).
 */
export async function downloadApplePass(ctx: PublicContext, input: { id: string }): Promise<PassFile> {
  if (!(await appleSettings())) throw new DomainError("wallet_unavailable");
  const customer = await ctx.db.customer.findUnique({
    where: { id: input.id },
    select: { id: true, status: true },
  });
  if (!customer) throw new DomainError("customer_not_found");
  if (customer.status === "erased") throw new DomainError("customer_erased");
  await issuePass(ctx.db, customer.id);
  const card = await readPassCard(ctx.db, { customerId: customer.id });
  if (!card) throw new DomainError("customer_not_found");
  return {
    bytes: await signedPass(card),
    changedAt: card.changedAt,
    businessName: card.merchant.businessName,
  };
}
downloadApplePass.permission = "public" as const;

import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email";
import { env } from "@/lib/env";
import { readFreezeToken } from "./freeze-token";

export type FreezableCard = { businessName: string; status: "active" | "blocked" | "frozen" };

const selection = {
  id: true,
  fullName: true,
  status: true,
  merchantId: true,
  merchant: { select: { businessName: true } },
} as const;

async function cardOf(ctx: PublicContext, token: string) {
  const id = readFreezeToken(token, ctx.clock());
  const row = id ? await ctx.db.customer.findUnique({ where: { id }, select: selection }) : null;
  if (!row || row.status === "erased") throw new DomainError("link_invalid");
  return { ...row, status: row.status };
}

/** What a receipt's link would freeze; it changes nothing, since mail scanners open links. Throws link_invalid. */
export async function freezableCard(ctx: PublicContext, input: { token: string }): Promise<FreezableCard> {
  const { merchant, status } = await cardOf(ctx, input.token);
  return { businessName: merchant.businessName, status };
}
freezableCard.permission = "public" as const;

/** Freezes the card of a receipt's link and tells the owner, once. Throws link_invalid. */
export async function freezeCard(ctx: PublicContext, input: { token: string }): Promise<{ frozen: true }> {
  const card = await cardOf(ctx, input.token);
  const at = ctx.clock();
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.customer.updateMany({
      where: { id: card.id, status: "active" },
      data: { status: "frozen" },
    });
    // Frozen or blocked already: nobody is told twice.
    if (count === 0) return;
    const what = { action: "customer.frozen", entity: "customer", entityId: card.id };
    await tx.audit.create({ data: { ...what, merchantId: card.merchantId }, select: { id: true } });
    const owner = await tx.user.findFirst({
      where: { merchantId: card.merchantId, role: "merchant_owner", status: "active" },
      orderBy: { createdAt: "asc" },
      select: { email: true, firstName: true, locale: true },
    });
    if (!owner) return;
    const params = {
      name: owner.firstName,
      merchant: card.merchant.businessName,
      customer: card.fullName,
      at,
      url: `${env().APP_URL}/merchant/customers/${card.id}`,
    };
    const locale = isLocale(owner.locale) ? owner.locale : DEFAULT_LOCALE;
    await queueEmail(tx, { to: owner.email, template: "card_frozen", params, locale });
  });
  return { frozen: true };
}
freezeCard.permission = "public" as const;

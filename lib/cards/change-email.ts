import { audit } from "@/lib/audit/audit";
import { spendCode } from "@/lib/codes/codes";
import type { Tx } from "@/lib/db/client";
import type { HolderContext } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { authorize } from "@/lib/domain/actor";
import { type ChangeEmail, changeEmailSchema } from "@/lib/domain/card-holder";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { type CardForCode, cardForCode, holderOfExistingCard } from "./card-code";
import { freezeUrl } from "./freeze-card";

/** Warns the old address, with a link that freezes the card. */
async function notifyOldAddress(tx: Tx, ctx: HolderContext, card: CardForCode, email: string): Promise<void> {
  const at = ctx.clock();
  // Without the customer's id, so that the warning is sent even if the card is deleted in the meantime.
  await queueEmail(tx, {
    to: card.email,
    template: "email_changed",
    params: {
      name: card.fullName,
      merchant: card.businessName,
      email: maskEmail(email),
      at,
      notMeUrl: freezeUrl(card.id, at),
    },
    locale: isLocale(card.locale) ? card.locale : DEFAULT_LOCALE,
  });
}

/**
 * Changes the card's e-mail with the code mailed to the new address, and notifies the old address. Removes the holder's
 * other devices. Throws card_holder_required, code_invalid, code_expired, customer_frozen, email_taken when the address
 * has a card with this merchant, and conflict when another change came first.
 */
export async function changeEmail(ctx: HolderContext, input: ChangeEmail): Promise<{ email: string }> {
  const card = await cardForCode(ctx, authorize(ctx.actor, "card.own").customerId);
  const { id } = card;
  if (card.status === "frozen") throw new DomainError("customer_frozen");
  const target = { purpose: "change_email" as const, email: input.email, customerId: id };
  await spendCode(ctx.db, target, input.code, ctx.clock());
  await mapUniqueViolation("email_taken", "email", () =>
    ctx.db.$transaction(async (tx) => {
      const { count } = await tx.customer.updateMany({
        where: { id, email: card.email, status: { notIn: ["erased", "frozen"] } },
        data: { email: input.email },
      });
      if (count === 0) throw new DomainError("conflict");
      await notifyOldAddress(tx, ctx, card, input.email);
      const { deviceId, merchantId } = ctx.actor;
      await tx.cardDevice.deleteMany({
        where: { customerId: id, ...(deviceId ? { id: { not: deviceId } } : {}) },
      });
      const change = { before: { email: card.email }, after: { email: input.email } };
      await audit(tx, ctx, {
        merchantId,
        action: "customer.email",
        entity: "customer",
        entityId: id,
        ...change,
      });
    }),
  );
  return { email: input.email };
}
changeEmail.permission = "card.own" as const;
changeEmail.input = changeEmailSchema;
changeEmail.actorFrom = holderOfExistingCard;

import { audit } from "@/lib/audit/audit";
import { spendCode } from "@/lib/codes/codes";
import type { Tx } from "@/lib/db/client";
import type { HolderContext } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { authorize } from "@/lib/domain/actor";
import { type ChangeEmail, changeEmailSchema } from "@/lib/domain/card-holder";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { type CardForCode, cardForCode, holderOfExistingCard } from "./card-code";
import { freezeUrl } from "./freeze-card";

const taken = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";

/** Whoever loses the address hears of it, and can freeze the card. */
async function tellOldAddress(tx: Tx, ctx: HolderContext, card: CardForCode, email: string): Promise<void> {
  const at = ctx.clock();
  // Without the customer's id: the warning goes out even if the card is deleted meanwhile.
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
 * Gives the card the e-mail that the mailed code proved, and tells the address before it. The holder's other devices
 * have to prove themselves again. Throws card_holder_required, code_invalid, code_expired, customer_frozen, email_taken
 * when it has a card with this merchant, and conflict when another change came first.
 */
export async function changeEmail(ctx: HolderContext, input: ChangeEmail): Promise<{ email: string }> {
  const card = await cardForCode(ctx, authorize(ctx.actor, "card.own").customerId);
  const { id } = card;
  if (card.status === "frozen") throw new DomainError("customer_frozen");
  const target = { purpose: "change_email" as const, email: input.email, customerId: id };
  await spendCode(ctx.db, target, input.code, ctx.clock());
  try {
    await ctx.db.$transaction(async (tx) => {
      const { count } = await tx.customer.updateMany({
        where: { id, email: card.email, status: { notIn: ["erased", "frozen"] } },
        data: { email: input.email },
      });
      if (count === 0) throw new DomainError("conflict");
      await tellOldAddress(tx, ctx, card, input.email);
      const { deviceId, merchantId } = ctx.actor;
      await tx.cardHolder.deleteMany({
        where: { customerId: id, ...(deviceId ? { id: { not: deviceId } } : {}) },
      });
      await audit(tx, ctx, { merchantId, action: "customer.email", entity: "customer", entityId: id });
    });
  } catch (error) {
    if (taken(error))
      throw new DomainError("email_taken", {}, [{ path: "email", message: "errors.email_taken" }]);
    throw error;
  }
  return { email: input.email };
}
changeEmail.permission = "card.own" as const;
changeEmail.input = changeEmailSchema;
changeEmail.actorFrom = holderOfExistingCard;

import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import type { RegisterCustomer } from "@/lib/domain/schemas/customer";
import { queueEmail } from "@/lib/email";
import { env } from "@/lib/env";
import { addCardHolder } from "./card-holder";
import { hashSecret } from "./secrets";

export type Registration = {
  /** The private id: opens the card page. */
  customerId: string;
  /** False when the e-mail already had its card with this merchant, which is given back. */
  isNewRegistration: boolean;
  /** For the card-holder cookie; shown once. */
  holderToken: string;
};

/** Uses up the caller's verification of this e-mail: by its secret, or without one by the address that verified. */
async function useVerification(
  tx: Tx,
  ctx: PublicContext,
  input: RegisterCustomer,
  now: Date,
): Promise<void> {
  const secret = input.verification ? hashSecret(input.verification) : null;
  const used = await tx.$executeRaw`
    update verifications set used_at = ${now}::timestamptz
    where used_at is null and expires_at > ${now}::timestamptz and id = (
      select id from verifications
      where purpose = 'register' and email = ${input.email} and used_at is null
        and (token_hash = ${secret}::text or (${secret}::text is null and address = ${ctx.address}))
      order by created_at desc, id desc limit 1)`;
  if (used === 0) throw new DomainError("verification_required");
}

/** Adds the customer unless the e-mail has a card with this merchant; the unique index settles who came first. */
async function insertOrFind(tx: Tx, ctx: PublicContext, input: RegisterCustomer, now: Date) {
  const consentAt = input.consent ? now : null;
  const [added] = await tx.$queryRaw<{ id: string }[]>`
    insert into customers (id, public_id, merchant_id, full_name, email, phone, date_of_birth, locale,
      consent_at, registered_at, updated_at)
    values (gen_random_uuid(), gen_random_uuid(), ${input.merchantId}::uuid, ${input.fullName}, ${input.email},
      ${input.phone}, ${input.dateOfBirth}::date, ${ctx.locale}, ${consentAt}::timestamptz,
      ${now}::timestamptz, ${now}::timestamptz)
    on conflict (merchant_id, email) do nothing
    returning id::text as id`;
  if (added) return { id: added.id, isNew: true };
  const { id } = await tx.customer.findUniqueOrThrow({
    where: { merchantId_email: { merchantId: input.merchantId, email: input.email } },
    select: { id: true },
  });
  return { id, isNew: false };
}

/**
 * Gives a verified e-mail its card with an approved merchant: a new one, or the one it has. Uses the verification up,
 * makes the caller the card holder, and mails a welcome with a new card.
 * Throws verification_required and merchant_unavailable; refused, the verification stays good.
 */
export async function registerCustomer(ctx: PublicContext, input: RegisterCustomer): Promise<Registration> {
  const now = ctx.clock();
  return ctx.db.$transaction(async (tx) => {
    await useVerification(tx, ctx, input, now);
    const merchant = await tx.merchant.findFirst({
      where: { id: input.merchantId, status: "approved" },
      select: { businessName: true },
    });
    if (!merchant) throw new DomainError("merchant_unavailable");
    const { id, isNew } = await insertOrFind(tx, ctx, input, now);
    const holderToken = await addCardHolder(tx, id, now);
    if (isNew) {
      const url = `${env().APP_URL}/customer/loyalty-card/${id}`;
      const params = { merchant: merchant.businessName, name: input.fullName, url };
      await queueEmail(tx, { to: input.email, template: "card_welcome", params, locale: ctx.locale });
    }
    return { customerId: id, isNewRegistration: isNew, holderToken };
  });
}
registerCustomer.permission = "public" as const;

import { auditCustomer } from "@/lib/audit/audit";
import { type CodeTarget, mailCode, spendCode, spendKeptCode } from "@/lib/codes/codes";
import { newCustomerCode } from "@/lib/customers/model/customer-code";
import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { ofEitherId } from "@/lib/db/query";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_REF, merchantName } from "@/lib/domain/localized-names";
import { queueEmail } from "@/lib/email/queue";
import { translator } from "@/lib/i18n/translate";
import { customerExistsSchema } from "@/lib/merchants/model/merchant";
import { operation } from "@/lib/operations/operation";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";
import { addCardDevice, addProvedDevice } from "./card-holder";
import { cardUrl } from "./freeze-card";
import {
  type RegisterCustomer,
  registerCustomerSchema,
  sendCodeSchema,
  signUpFormSchema,
  signUpSchema,
  VERIFICATION_SECONDS,
  verifyCodeSchema,
} from "./model/card-holder";

const registrationTarget = ({ device }: PublicContext, email: string): CodeTarget => ({
  purpose: "register",
  email,
  deviceId: deviceKnownTo(device, { email }),
});

/** Mails a registration code, known e-mail or not. Answers how long it is valid, in seconds. Throws rate_limited. */
export const sendCode = operation({
  permission: "public",
  input: sendCodeSchema,
  run: async (ctx, input): Promise<{ seconds: number }> => {
    const merchant = input.merchantId
      ? await ctx.db.merchant.findFirst({
          where: { ...ofEitherId(input.merchantId), status: "approved" },
          select: MERCHANT_REF,
        })
      : null;
    return mailCode(ctx, registrationTarget(ctx, input.email), {
      merchant: merchant ? merchantName(merchant, ctx.locale) : translator(ctx.locale)("common.appName"),
      locale: ctx.locale,
      shop: merchant?.id,
    });
  },
});

/** Checks the whole sign-up form, and mails the first code as sendCode does. */
export const startSignUp = operation({
  permission: "public",
  input: signUpFormSchema,
  run: async (ctx, { email, merchantId }) => sendCode(ctx, { email, merchantId }),
});

/** Verifies an e-mail with its code, for one registration within 15 minutes. */
export const verifyCode = operation({
  permission: "public",
  input: verifyCodeSchema,
  errors: ["code_invalid", "code_expired"],
  run: async (ctx, input): Promise<{ verification: string; email: string }> => {
    const now = ctx.clock();
    await spendCode(ctx.db, registrationTarget(ctx, input.email), input.code, now);
    const verification = newSecret();
    await ctx.db.verification.create({
      data: {
        purpose: "register",
        email: input.email,
        tokenHash: hashSecret(verification),
        address: ctx.address,
        createdAt: now,
        expiresAt: new Date(now.getTime() + VERIFICATION_SECONDS * 1000),
      },
      select: { id: true },
    });
    return { verification, email: input.email };
  },
});

export type Registration = {
  /** The private id, which opens the card page. */
  customerId: string;
  /** False if the e-mail already had a card with this merchant, which is answered instead. */
  isNewRegistration: boolean;
  /** The token for the card-holder cookie. Only its hash is stored. */
  holderToken: string;
  email: string;
};

/** Uses the verification of this e-mail, by its secret or else by the address. Throws verification_required. */
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

/** Adds the customer, or finds and locks the e-mail's card here. The unique keys decide between parallel calls. */
async function insertOrFind(
  tx: Tx,
  ctx: PublicContext,
  input: Omit<RegisterCustomer, "verification" | "merchantId">,
  merchantId: string,
  now: Date,
) {
  const consentAt = input.consent ? now : null;
  const { email, fullName } = input;
  for (;;) {
    const [added] = await tx.$queryRaw<{ id: string }[]>`
      insert into customers (id, public_id, code, merchant_id, full_name, email, phone, date_of_birth, locale,
        consent_at, registered_at, updated_at)
      values (gen_random_uuid(), gen_random_uuid(), ${newCustomerCode()}, ${merchantId}::uuid, ${fullName}, ${email},
        ${input.phone}, ${input.dateOfBirth}::date, ${ctx.locale}, ${consentAt}::timestamptz,
        ${now}::timestamptz, ${now}::timestamptz)
      on conflict do nothing
      returning id::text as id`;
    if (added) return { id: added.id, email, fullName, locale: ctx.locale, isNew: true };
    const [card] = await tx.$queryRaw<{ id: string; fullName: string; locale: string }[]>`
      select id::text as id, full_name as "fullName", locale from customers
      where merchant_id = ${merchantId}::uuid and email = ${email} for no key update`;
    if (card) return { ...card, email, isNew: false };
    // The code was taken: another one may be free.
  }
}

/** Adds or finds the card of a verified e-mail and adds the caller's device. Throws merchant_unavailable. */
async function register(
  tx: Tx,
  ctx: PublicContext,
  input: Omit<RegisterCustomer, "verification">,
  now: Date,
): Promise<Registration> {
  const merchant = await tx.merchant.findFirst({
    where: { ...ofEitherId(input.merchantId), status: "approved", suspendedAt: null },
    select: MERCHANT_REF,
  });
  if (!merchant) throw new DomainError("merchant_unavailable");
  const { isNew, ...card } = await insertOrFind(tx, ctx, input, merchant.id, now);
  const registration = { customerId: card.id, isNewRegistration: isNew, email: input.email };
  if (!isNew) {
    const holderToken = await addProvedDevice(tx, ctx, { ...merchant, ...card, merchantId: merchant.id });
    if (holderToken === null) throw new Error("the card was locked with this e-mail");
    return { ...registration, holderToken };
  }
  const holderToken = await addCardDevice(tx, card.id, now);
  const by = { ...ctx, actor: { type: "cardHolder", customerId: card.id } } as const;
  await auditCustomer(tx, by, { id: card.id, merchantId: merchant.id }, { action: "customer.registered" });
  const url = cardUrl(card.id);
  const params = { merchant: merchantName(merchant, ctx.locale), name: input.fullName, url };
  const mail = { to: input.email, template: "card_welcome", params, locale: ctx.locale } as const;
  await queueEmail(tx, { ...mail, shop: merchant.id, customerId: card.id });
  return { ...registration, holderToken };
}

/**
 * Adds a card of an approved merchant (either id) for a verified e-mail, or answers its existing card, for which the secret is
 * required. A refusal leaves the verification valid.
 */
export const registerCustomer = operation({
  permission: "public",
  input: registerCustomerSchema,
  errors: ["verification_required", "merchant_unavailable"],
  run: async (ctx, input): Promise<Registration> => {
    const now = ctx.clock();
    return ctx.db.$transaction(async (tx) => {
      await useVerification(tx, ctx, input, now);
      const registration = await register(tx, ctx, input, now);
      // Many people share an address: it gives nobody a card that somebody holds.
      if (!input.verification && !registration.isNewRegistration)
        throw new DomainError("verification_required");
      return registration;
    });
  },
});

/** Verifies an e-mail and registers it in one step. A failed registration leaves the code good. */
export const signUp = operation({
  permission: "public",
  input: signUpSchema,
  errors: ["code_invalid", "code_expired", "merchant_unavailable"],
  run: async (ctx, input): Promise<Registration> => {
    const now = ctx.clock();
    const target = registrationTarget(ctx, input.email);
    const code = await spendCode(ctx.db, target, input.code, now, { keep: true });
    return ctx.db.$transaction(async (tx) => {
      await spendKeptCode(tx, code.id, now);
      return register(tx, ctx, input, now);
    });
  },
});

/** Whether an e-mail has a card with this merchant. */
export const customerExists = operation({
  permission: "public",
  input: customerExistsSchema,
  run: async (ctx, input): Promise<{ exists: boolean }> => {
    const row = await ctx.db.customer.findFirst({
      where: { email: input.email, merchant: ofEitherId(input.merchantId) },
      select: { id: true },
    });
    return { exists: row !== null };
  },
});

import { type CodeTarget, mailCode, spendCode } from "@/lib/codes/codes";
import type { CustomerStatus } from "@/lib/customers/model/customers";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_NAMES, merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { type ActorFrom, operation, stranger } from "@/lib/operations/operation";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import { addProvedDevice, holderByCookie } from "./card-holder";
import type { MailedCard } from "./model/card";
import { newEmailSchema, proveHolderSchema, sendCardCodeSchema } from "./model/card-holder";

/** `seconds` is how long the code is valid. */
export type SentCode = { seconds: number };
type CardForCode = MailedCard & { status: CustomerStatus };

/** The card that a code is requested for. Throws customer_not_found, also for an erased card. */
export async function cardForCode(ctx: Pick<Context, "db">, customerId: string): Promise<CardForCode> {
  const row = await ctx.db.customer.findFirst({
    where: { id: customerId, status: { not: "erased" } },
    select: {
      id: true,
      merchantId: true,
      email: true,
      fullName: true,
      locale: true,
      status: true,
      merchant: { select: MERCHANT_NAMES },
    },
  });
  if (!row?.email) throw new DomainError("customer_not_found");
  const { merchant, email, ...card } = row;
  return { ...card, email, ...merchant };
}

/** The same as holderByCookie, but throws customer_not_found for a missing card. */
export const holderOfExistingCard: ActorFrom<{ customerId: string }> = async (ctx, input, secrets) => {
  await cardForCode(ctx, input.customerId);
  return holderByCookie(ctx, input, secrets);
};

/** Mails a code that makes this device the holder's, or one for the holder that deletes the card. Throws customer_frozen. */
export const sendCardCode = operation({
  permission: "card.view",
  input: sendCardCodeSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx, input): Promise<SentCode> => {
    const customerId =
      input.purpose === "erase" ? authorize(ctx.actor, "card.own").customerId : input.customerId;
    const card = await cardForCode(ctx, customerId);
    if (input.purpose === "erase" && card.status === "frozen") throw new DomainError("customer_frozen");
    const deviceId = deviceKnownTo(ctx.device, { email: card.email });
    const target = { purpose: input.purpose, email: card.email, customerId: card.id, deviceId };
    const { locale } = ctx;
    return mailCode(ctx, target, { merchant: merchantName(card, locale), locale, shop: card.merchantId });
  },
});

/** The code that the present address of a card confirms its replacement with. */
export const oldAddressTarget = (
  ctx: Pick<Context, "device">,
  { id, email }: Pick<CardForCode, "id" | "email">,
): CodeTarget => ({
  purpose: "leave_email",
  email,
  customerId: id,
  deviceId: deviceKnownTo(ctx.device, { email }),
});

/** Mails a code to the new and the present address. Throws no_change, customer_frozen: a frozen card keeps its e-mail. */
export const sendNewEmailCode = operation({
  permission: "card.own",
  input: newEmailSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx, input): Promise<SentCode> => {
    const card = await cardForCode(ctx, ctx.reach.customerId);
    if (card.status === "frozen") throw new DomainError("customer_frozen");
    if (card.email === input.email) throw new DomainError("no_change");
    const target = { purpose: "change_email" as const, email: input.email, customerId: card.id };
    const sent = await mailCode(ctx, target, {
      merchant: merchantName(card, ctx.locale),
      locale: ctx.locale,
      shop: card.merchantId,
    });
    const locale = localeOr(card.locale);
    const about = { merchant: merchantName(card, locale), email: maskEmail(input.email) };
    await mailCode(ctx, oldAddressTarget(ctx, card), { ...about, locale, shop: card.merchantId });
    return sent;
  },
});

/** Adds this device by the mailed code. Answers its token. Throws customer_not_found, code_invalid, code_expired. */
export const proveHolder = operation({
  permission: "card.view",
  input: proveHolderSchema,
  actorFrom: stranger,
  run: async (ctx, input): Promise<{ customerId: string; holderToken: string; email: string }> => {
    const card = await cardForCode(ctx, input.customerId);
    const { id, email } = card;
    const now = ctx.clock();
    const deviceId = deviceKnownTo(ctx.device, { email });
    await spendCode(ctx.db, { purpose: "card_holder", email, customerId: id, deviceId }, input.code, now);
    const holderToken = await ctx.db.$transaction((tx) => addProvedDevice(tx, ctx, card));
    // The code proved a mailbox that the card no longer has.
    if (holderToken === null) throw new DomainError("code_invalid");
    return { customerId: id, holderToken, email };
  },
});

import { type CodeTarget, mailCode, spendCode } from "@/lib/codes/codes";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_NAMES, merchantName } from "@/lib/domain/localized-names";
import { type Locale, localeOr } from "@/lib/domain/roles";
import { type ActorFrom, operation, stranger } from "@/lib/operations/operation";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import { addProvedDevice, holderByCookie } from "./card-holder";
import type { CardProfile, MailedCard } from "./model/card";
import { newEmailSchema, proveHolderSchema, sendCardCodeSchema } from "./model/card-holder";

type CardForCode = MailedCard & Pick<CardProfile, "status">;

/** A card that is not erased. Throws `missing` where there is none. */
export async function cardForCode(
  ctx: Pick<Context, "db">,
  customerId: string,
  missing: "customer_not_found" | "link_invalid" | "link_used" = "customer_not_found",
): Promise<CardForCode> {
  const row = await ctx.db.customer.findUnique({
    where: { id: customerId },
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
  if (!row?.email || row.status === "erased") throw new DomainError(missing);
  const { merchant, email, status, ...card } = row;
  return { ...card, email, status, ...merchant };
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
  run: async (ctx, input): Promise<{ seconds: number }> => {
    const erases = input.purpose === "erase";
    const customerId = erases ? authorize(ctx.actor, "card.own").customerId : input.customerId;
    const card = await cardForCode(ctx, customerId);
    if (erases && card.status === "frozen") throw new DomainError("customer_frozen");
    return mailCode(ctx, cardTarget(ctx, card, input.purpose), senderOf(card, ctx.locale));
  },
});

/** A code for the present address of a card. With leave_email it confirms the replacement of that address. */
export const cardTarget = (
  ctx: Pick<Context, "device">,
  { id: customerId, email }: Pick<CardForCode, "id" | "email">,
  purpose: "card_holder" | "erase" | "leave_email",
): CodeTarget => ({ purpose, email, customerId, deviceId: deviceKnownTo(ctx.device, { email }) });

const senderOf = (card: CardForCode, locale: Locale) => ({
  merchant: merchantName(card, locale),
  locale,
  shop: card.merchantId,
});

/** Mails a code to the new and the present address. Throws no_change, customer_frozen: a frozen card keeps its e-mail. */
export const sendNewEmailCode = operation({
  permission: "card.own",
  input: newEmailSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx, input): Promise<{ seconds: number }> => {
    const card = await cardForCode(ctx, ctx.reach.customerId);
    if (card.status === "frozen") throw new DomainError("customer_frozen");
    if (card.email === input.email) throw new DomainError("no_change");
    const target = { purpose: "change_email" as const, email: input.email, customerId: card.id };
    const sent = await mailCode(ctx, target, senderOf(card, ctx.locale));
    const about = { ...senderOf(card, localeOr(card.locale)), email: maskEmail(input.email) };
    await mailCode(ctx, cardTarget(ctx, card, "leave_email"), about);
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
    await spendCode(ctx.db, cardTarget(ctx, card, "card_holder"), input.code, ctx.clock());
    const holderToken = await ctx.db.$transaction((tx) => addProvedDevice(tx, ctx, card));
    // The code proved a mailbox that the card no longer has.
    if (holderToken === null) throw new DomainError("code_invalid");
    return { customerId: card.id, holderToken, email: card.email };
  },
});

import { auditCustomer } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { HolderContext } from "@/lib/db/context";
import { activeOwners } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError, nullIfRefused } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { merchantName } from "@/lib/domain/localized-names";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { type ActorFrom, operation, stranger } from "@/lib/operations/operation";
import { acceptedMacs, hashSecret, linkMac, macOf, secretsEqual } from "@/lib/secrets/secrets";
import { cardForCode } from "./card-code";
import { holderByCookie } from "./card-holder";
import { stopEmailChange } from "./email-changes";
import type { MailedCard } from "./model/card";
import { cardSchema, linkTokenSchema } from "./model/card-holder";

/** The card holder of a receipt's link, which was mailed to them. Throws link_invalid. */
const holderByLink: ActorFrom<{ token: string }> = async (ctx, { token }) => {
  const { id, merchantId } = await cardForCode(ctx, parseFreezeToken(token, ctx.clock()), "link_invalid");
  return { type: "cardHolder", customerId: id, merchantId, deviceId: null };
};

/** The card that a receipt's link can freeze, and if it has. It changes nothing, since mail scanners open links. Throws link_invalid. */
export const freezableCard = operation({
  permission: "card.freeze",
  input: linkTokenSchema,
  readOnly: true,
  actorFrom: holderByLink,
  run: async (ctx, input) => {
    const card = await cardForCode(ctx, ctx.reach.customerId, "link_invalid");
    const { businessName, businessNameAr, status } = card;
    const use = await ctx.db.freezeUse.findUnique({ where: { tokenHash: hashSecret(input.token) } });
    return { businessName, businessNameAr, status, used: use !== null };
  },
});

async function mailOwner(
  tx: Tx,
  card: MailedCard,
  template: "card_frozen" | "unfreeze_asked",
  at: Date,
): Promise<void> {
  const [owner] = await activeOwners(tx, card.merchantId);
  if (!owner) return;
  const { email: to, firstName: name, locale } = owner;
  const merchant = merchantName(card, locale);
  const url = `${env().APP_URL}/merchant/customers/${card.id}`;
  const params = { name, merchant, customer: card.fullName, at, url };
  await queueEmail(tx, { to, template, params, locale, customerId: card.id });
}

/** Freezes the card, uses up `token`, ends devices and a waiting change of the e-mail. `already`: it was not active before. */
async function freeze(ctx: HolderContext, token?: string): Promise<{ frozen: true; already: boolean }> {
  const card = await cardForCode(ctx, ctx.actor.customerId, "link_invalid");
  const { id, merchantId } = card;
  const done = await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.customer.updateMany({
      where: { id, status: "active" },
      data: { status: "frozen" },
    });
    if (count === 0) return false;
    if (token !== undefined) {
      const expiresAt = new Date(Number(token.split(".")[1]) * 1000);
      const use = { tokenHash: hashSecret(token), customerId: id, expiresAt };
      const used = await tx.freezeUse.createMany({ data: [use], skipDuplicates: true });
      // It has frozen the card before. The refusal undoes the freeze.
      if (used.count === 0) throw new DomainError("link_used");
    }
    const change = { before: { status: "active" }, after: { status: "frozen" } };
    await auditCustomer(tx, ctx, card, { action: "customer.frozen", ...change });
    await giveNotice(tx, { kind: "card_frozen", merchantId, customerId: id });
    await tx.cardDevice.deleteMany({ where: { customerId: id } });
    await tx.cardLink.deleteMany({ where: { customerId: id } });
    await stopEmailChange(tx, ctx, { customerId: id, merchantId });
    await mailOwner(tx, card, "card_frozen", ctx.clock());
    return true;
  });
  return { frozen: true, already: !done };
}

/** Freezes the card of a receipt's link, once. Throws link_invalid, and link_used when the card was unfrozen since. */
export const freezeCard = operation({
  permission: "card.freeze",
  input: linkTokenSchema,
  actorFrom: holderByLink,
  run: async (ctx, { token }) => freeze(ctx, token),
});

/** Freezes the holder's own card from its page. Throws card_holder_required, link_invalid for a card that is erased. */
export const freezeOwnCard = operation({
  permission: "card.own",
  input: cardSchema,
  actorFrom: holderByCookie,
  run: async (ctx) => freeze(ctx),
});

// One e-mail a day, because anyone with the card's link may ask, and could bother the owner.
const ASKS_PER_CARD: GuardLimit = { name: "unfreeze-ask", points: 1, seconds: 24 * 60 * 60 };
// Somebody could sign up many cards and freeze them, to fill the owner's mailbox. The notices in the panel go on.
const MAILS_PER_MERCHANT: GuardLimit = { name: "unfreeze-mail", points: 20, seconds: 24 * 60 * 60 };

/** Tells the owner, once a day, that the holder wants the card unfrozen. Throws no_change unless it is frozen, rate_limited. */
export const askUnfreeze = operation({
  permission: "card.view",
  input: cardSchema,
  actorFrom: stranger,
  run: async (ctx, input): Promise<{ asked: true }> => {
    const card = await cardForCode(ctx, input.customerId);
    if (card.status !== "frozen") throw new DomainError("no_change");
    await consume(ctx.db, ASKS_PER_CARD, card.id);
    const left = await consume(ctx.db, MAILS_PER_MERCHANT, card.merchantId).catch(nullIfRefused);
    await ctx.db.$transaction(async (tx) => {
      await giveNotice(tx, { kind: "unfreeze_asked", merchantId: card.merchantId, customerId: card.id });
      if (left !== null) await mailOwner(tx, card, "unfreeze_asked", ctx.clock());
    });
    return { asked: true };
  },
});

const TOKEN_SECONDS = 60 * 24 * 60 * 60;

/** The signed token of a receipt's "this was not me" link: the card's id, valid for 60 days. */
export function freezeToken(customerId: string, now: Date): string {
  const text = `${customerId}.${Math.floor(now.getTime() / 1000) + TOKEN_SECONDS}`;
  return `${text}.${linkMac(macOf("links", text))}`;
}

/** The page of a card, for its holder. */
export const cardUrl = (customerId: string): string => `${env().APP_URL}/customer/loyalty-card/${customerId}`;

/** The "this was not me" link of a receipt. */
export function freezeUrl(customerId: string, now: Date): string {
  return `${env().APP_URL}/card/freeze/${freezeToken(customerId, now)}`;
}

/** The card id of a token. Throws link_invalid if the token is forged or expired. */
function parseFreezeToken(token: string, now: Date): string {
  const [customerId = "", until = ""] = token.split(".");
  // The whole text is compared: any other spelling of a link would not be known as used.
  const text = `${customerId}.${until}`;
  const macs = acceptedMacs("links", text).map(linkMac);
  const valid = macs.some((expected) => secretsEqual(token, `${text}.${expected}`));
  if (!valid || !isId(customerId) || Number(until) * 1000 <= now.getTime())
    throw new DomainError("link_invalid");
  return customerId;
}

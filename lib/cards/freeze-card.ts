import { audit } from "@/lib/audit/audit";
import type { ActorFrom, Context, HolderContext } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { freezeTokenSchema } from "@/lib/domain/card-holder";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { acceptedMacs, macOf } from "@/lib/secrets/keys";
import { secretsEqual } from "@/lib/secrets/secrets";

export type FreezableCard = { businessName: string; status: "active" | "blocked" | "frozen" };

const selection = {
  id: true,
  fullName: true,
  status: true,
  merchantId: true,
  merchant: { select: { businessName: true } },
} as const;

async function requireCard(ctx: Pick<Context, "db">, id: string | null) {
  const row = id ? await ctx.db.customer.findUnique({ where: { id }, select: selection }) : null;
  if (!row || row.status === "erased") throw new DomainError("link_invalid");
  return { ...row, status: row.status };
}

/** The card holder of a receipt's link, which was mailed to them. Throws link_invalid. */
const holderByLink: ActorFrom<{ token: string }> = async (ctx, { token }) => {
  const { id, merchantId } = await requireCard(ctx, parseFreezeToken(token, ctx.clock()));
  return { type: "cardHolder", customerId: id, merchantId, deviceId: null };
};

/** The card that a receipt's link can freeze. It changes nothing, since mail scanners open links. Throws link_invalid. */
export async function freezableCard(ctx: HolderContext, _input: { token: string }): Promise<FreezableCard> {
  const { merchant, status } = await requireCard(ctx, authorize(ctx.actor, "card.freeze").customerId);
  return { businessName: merchant.businessName, status };
}
freezableCard.permission = "card.freeze" as const;
freezableCard.input = freezeTokenSchema;
freezableCard.actorFrom = holderByLink;

/** Freezes the card of a receipt's link and notifies the merchant's owner, once. Throws link_invalid. */
export async function freezeCard(ctx: HolderContext, _input: { token: string }): Promise<{ frozen: true }> {
  const card = await requireCard(ctx, authorize(ctx.actor, "card.freeze").customerId);
  const at = ctx.clock();
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.customer.updateMany({
      where: { id: card.id, status: "active" },
      data: { status: "frozen" },
    });
    // The card is already frozen or blocked, so there is no second notification.
    if (count === 0) return;
    const { id, merchantId } = card;
    await audit(tx, ctx, { merchantId, action: "customer.frozen", entity: "customer", entityId: id });
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
freezeCard.permission = "card.freeze" as const;
freezeCard.input = freezeTokenSchema;
freezeCard.actorFrom = holderByLink;

/** How long a receipt's link is valid, in seconds. */
const TOKEN_SECONDS = 60 * 24 * 60 * 60;

const MAC_LENGTH = 32;
const shortened = (mac: Buffer): string => mac.toString("base64url").slice(0, MAC_LENGTH);

/** The signed token of a receipt's "this was not me" link: the card's id, valid for 60 days. */
export function freezeToken(customerId: string, now: Date): string {
  const text = `${customerId}.${Math.floor(now.getTime() / 1000) + TOKEN_SECONDS}`;
  return `${text}.${shortened(macOf("links", text))}`;
}

/** The "this was not me" link of a receipt. */
export function freezeUrl(customerId: string, now: Date): string {
  return `${env().APP_URL}/card/freeze/${freezeToken(customerId, now)}`;
}

/** The card id of a token, or null if the token is forged or expired. */
function parseFreezeToken(token: string, now: Date): string | null {
  const [customerId = "", until = "", mac = ""] = token.split(".");
  const macs = acceptedMacs("links", `${customerId}.${until}`).map(shortened);
  const valid = macs.some((expected) => secretsEqual(mac, expected));
  return valid && isId(customerId) && Number(until) * 1000 > now.getTime() ? customerId : null;
}

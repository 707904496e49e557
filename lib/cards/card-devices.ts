import { parseUserAgent } from "@/lib/accounts/model/account";
import { auditCustomer } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { HolderContext, PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_NAMES, type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { type ActorFrom, operation } from "@/lib/operations/operation";
import { linkedId, linkToken } from "@/lib/secrets/secrets";
import { lockCard, openCardDevice } from "./card-holder";
import { stopEmailChange } from "./email-changes";
import type { MailedCard } from "./model/card";
import { linkTokenSchema } from "./model/card-holder";

/** Mails the holder of an existing card that a new device holds it, with a link that ends the device. */
async function reportNewDevice(
  tx: Tx,
  ctx: Pick<PublicContext, "clock" | "userAgent">,
  card: MailedCard & { deviceId: string },
): Promise<void> {
  const { browser, system } = parseUserAgent(ctx.userAgent ?? null);
  const locale = localeOr(card.locale);
  await queueEmail(tx, {
    to: card.email,
    customerId: card.id,
    shop: card.merchantId,
    template: "card_device",
    params: {
      name: card.fullName,
      merchant: merchantName(card, locale),
      device: [browser, system].filter(Boolean).join(" · ") || null,
      at: ctx.clock(),
      endUrl: `${env().APP_URL}/card/device/${linkToken("card device", card.deviceId)}`,
    },
    locale,
  });
}

/**
 * Adds a device to an existing card for whoever proved its mailbox, writes that down, and mails the holder how to end it.
 * Answers the token for its cookie; null when the card has another e-mail by now or was erased.
 */
export async function addProvedDevice(
  tx: Tx,
  ctx: Pick<PublicContext, "clock" | "userAgent" | "address">,
  card: MailedCard,
): Promise<string | null> {
  const { id, merchantId } = card;
  if (!(await lockCard(tx, id, card.email))) return null;
  const { deviceId, token } = await openCardDevice(tx, id, ctx.clock());
  await reportNewDevice(tx, ctx, { ...card, deviceId });
  const actor = { type: "cardHolder", customerId: id, merchantId, deviceId } as const;
  await auditCustomer(tx, { ...ctx, actor }, card, { action: "customer.device" });
  return token;
}

async function linkedDevice(ctx: Pick<HolderContext, "db">, token: string) {
  const id = linkedId("card device", token);
  if (id === null) throw new DomainError("link_invalid");
  const row = await ctx.db.cardDevice.findUnique({
    where: { id },
    select: {
      id: true,
      createdAt: true,
      customer: { select: { id: true, merchantId: true, merchant: { select: MERCHANT_NAMES } } },
    },
  });
  if (!row) throw new DomainError("link_used");
  return row;
}

/** The holder, whom the link was mailed to. Throws link_invalid, and link_used when the device is ended. */
const holderByLink: ActorFrom<{ token: string }> = async (ctx, { token }) => {
  const { customer } = await linkedDevice(ctx, token);
  return { type: "cardHolder", customerId: customer.id, merchantId: customer.merchantId, deviceId: null };
};

export type EndableDevice = MerchantNames & { since: Date };

/** The device that a mailed link ends. It changes nothing, since mail scanners open links. Throws link_invalid, link_used. */
export const endableDevice = operation({
  permission: "card.stop",
  input: linkTokenSchema,
  readOnly: true,
  actorFrom: holderByLink,
  run: async (ctx, input): Promise<EndableDevice> => {
    const { createdAt, customer } = await linkedDevice(ctx, input.token);
    return { ...customer.merchant, since: createdAt };
  },
});

/**
 * Ends a device of the card with its mailed link, once, and stops the change of the e-mail that it asked for. Throws
 * link_invalid, link_used.
 */
export const endDevice = operation({
  permission: "card.stop",
  input: linkTokenSchema,
  actorFrom: holderByLink,
  run: async (ctx, input): Promise<{ ended: true }> => {
    const { customerId } = ctx.reach;
    const { id } = await linkedDevice(ctx, input.token);
    const { merchantId } = ctx.actor;
    await ctx.db.$transaction(async (tx) => {
      // The card comes first, as in a freeze and where a change is applied.
      await tx.$queryRaw`select 1 from customers where id = ${customerId}::uuid for no key update`;
      const { count } = await tx.cardDevice.deleteMany({ where: { id, customerId } });
      if (count === 0) throw new DomainError("link_used");
      await auditCustomer(tx, ctx, { id: customerId, merchantId }, { action: "customer.device_ended" });
      await stopEmailChange(tx, ctx, { customerId, merchantId, deviceId: id });
    });
    return { ended: true };
  },
});

import { z } from "zod";
import { parseUserAgent } from "@/lib/accounts/model/account";
import { auditCustomer } from "@/lib/audit/audit";
import { receiptNumber } from "@/lib/customers/model/customer-code";
import type { Db, Tx } from "@/lib/db/client";
import type { HolderContext, PublicContext } from "@/lib/db/context";
import type { CardHolderActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_NAMES, type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { LOCALES, type Locale, localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { updatePasses } from "@/lib/jobs/add-job";
import { type ActorFrom, operation } from "@/lib/operations/operation";
import { hashSecret, linkedId, linkToken, newSecret } from "@/lib/secrets/secrets";
import { stopEmailChange } from "./email-changes";
import type { MailedCard } from "./model/card";
import { cardSchema, linkTokenSchema } from "./model/card-holder";

/**
 * Locks the card against a freeze and a change of its e-mail, which end its devices: whoever comes second sees what the first
 * did. False when the card has another e-mail by now or was erased.
 */
export async function lockCard(tx: Tx, customerId: string, email: string): Promise<boolean> {
  const [card] = await tx.$queryRaw<unknown[]>`
    select 1 from customers
    where id = ${customerId}::uuid and email = ${email} and status <> 'erased' for no key update`;
  return card !== undefined;
}

/** A new device: its id, and the token for its cookie. The caller holds the lock of the card, or has just added it. */
export async function openCardDevice(
  tx: Tx,
  customerId: string,
  now: Date,
): Promise<{ deviceId: string; token: string }> {
  const token = newSecret();
  const data = { customerId, tokenHash: hashSecret(token), createdAt: now };
  const { id } = await tx.cardDevice.create({ data, select: { id: true } });
  return { deviceId: id, token };
}

/** Adds a device of the card holder. Answers the token for its cookie. */
export async function addCardDevice(tx: Tx, customerId: string, now: Date): Promise<string> {
  return (await openCardDevice(tx, customerId, now)).token;
}

/** The card's holder at the device with this token, or null if the card has no such device. */
export async function findCardHolder(
  db: Db,
  customerId: string,
  token: string | undefined,
): Promise<CardHolderActor | null> {
  if (!token) return null;
  const found = await db.cardDevice.findFirst({
    where: { customerId, tokenHash: hashSecret(token) },
    select: { id: true, customer: { select: { merchantId: true } } },
  });
  if (!found) return null;
  const { merchantId } = found.customer;
  return { type: "cardHolder", customerId, merchantId, deviceId: found.id };
}

/** The card holder of the input's card, authenticated by the cookie; null without a valid cookie. */
export const holderByCookie: ActorFrom<{ customerId: string }> = (ctx, { customerId }, secrets) =>
  findCardHolder(ctx.db, customerId, secrets.holder(customerId));

/** Adds a device for whoever proved the mailbox, and mails how to end it. Null where the card has another e-mail by now. */
export async function addProvedDevice(
  tx: Tx,
  ctx: Pick<PublicContext, "clock" | "userAgent" | "address">,
  card: MailedCard,
): Promise<string | null> {
  const { id, merchantId } = card;
  if (!(await lockCard(tx, id, card.email))) return null;
  const at = ctx.clock();
  const { deviceId, token } = await openCardDevice(tx, id, at);
  const { browser, system } = parseUserAgent(ctx.userAgent ?? null);
  const locale = localeOr(card.locale);
  const params = {
    name: card.fullName,
    merchant: merchantName(card, locale),
    device: [browser, system].filter(Boolean).join(" · ") || null,
    at,
    endUrl: `${env().APP_URL}/card/device/${linkToken("card device", deviceId)}`,
  };
  const mail = { to: card.email, template: "card_device", params, locale } as const;
  await queueEmail(tx, { ...mail, customerId: id, shop: merchantId });
  const actor = { type: "cardHolder", customerId: id, merchantId, deviceId } as const;
  await auditCustomer(tx, { ...ctx, actor }, card, { action: "customer.device" });
  return token;
}

async function linkedDevice(ctx: Pick<HolderContext, "db">, token: string) {
  const row = await ctx.db.cardDevice.findUnique({
    where: { id: linkedId("card device", token) },
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

/** The device that a mailed link ends. It changes nothing, since mail scanners open links. Throws link_invalid, link_used. */
export const endableDevice = operation({
  permission: "card.stop",
  input: linkTokenSchema,
  readOnly: true,
  actorFrom: holderByLink,
  run: async (ctx, input): Promise<MerchantNames & { since: Date }> => {
    const { createdAt, customer } = await linkedDevice(ctx, input.token);
    return { ...customer.merchant, since: createdAt };
  },
});

/** Ends a device with its mailed link, and stops the change of the e-mail that it asked for. Throws link_invalid, link_used. */
export const endDevice = operation({
  permission: "card.stop",
  input: linkTokenSchema,
  actorFrom: holderByLink,
  run: async (ctx, input): Promise<{ ended: true }> => {
    const { id } = await linkedDevice(ctx, input.token);
    const { customerId, merchantId } = ctx.reach;
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

/** Saves the language of e-mails to the holder and of the wallet pass. Throws card_holder_required. */
export const setCardLocale = operation({
  permission: "card.own",
  input: cardSchema.extend({ locale: z.enum(LOCALES) }),
  actorFrom: holderByCookie,
  run: async (ctx, input): Promise<{ locale: Locale }> => {
    const { customerId } = ctx.reach;
    const { locale } = input;
    await ctx.db.$transaction(async (tx) => {
      const { count } = await tx.customer.updateMany({
        where: { id: customerId, status: { not: "erased" }, locale: { not: locale } },
        data: { locale },
      });
      if (count > 0) await updatePasses(tx, ctx, [customerId]);
    });
    return { locale };
  },
});

const movement = {
  id: true,
  seq: true,
  type: true,
  points: true,
  balanceAfter: true,
  rate: true,
  tender: true,
  saleRef: true,
  paidPoints: true,
  bonusPoints: true,
  text: { select: { reason: true } },
  createdAt: true,
  branch: { select: { name: true, city: true } },
} as const;

const hold = {
  id: true,
  state: true,
  points: true,
  captured: true,
  note: true,
  saleRef: true,
  createdAt: true,
  expiresAt: true,
  closedAt: true,
  branch: { select: { name: true, city: true } },
} as const;

const customer = {
  id: true,
  publicId: true,
  code: true,
  fullName: true,
  email: true,
  phone: true,
  dateOfBirth: true,
  locale: true,
  status: true,
  balance: true,
  consentAt: true,
  registeredAt: true,
  merchant: { select: MERCHANT_NAMES },
  devices: { select: { createdAt: true } },
  pass: { select: { createdAt: true, googleSaved: true } },
  addresses: { select: { email: true, fromAt: true, toAt: true }, orderBy: { fromAt: "asc" } },
  emailChange: { select: { newEmail: true, reason: true, dueAt: true, createdAt: true } },
  holds: { select: hold, orderBy: { createdAt: "asc" } },
  movements: { select: movement, orderBy: { seq: "asc" } },
} as const;

/** The stored data of a card's holder, without the activity log, for download. */
export const exportHolderData = operation({
  permission: "card.own",
  input: cardSchema,
  errors: ["customer_not_found", "card_holder_required"],
  readOnly: true,
  actorFrom: holderByCookie,
  run: async (ctx) => {
    const { customerId, merchantId } = ctx.reach;
    const row = await ctx.db.customer.findFirst({
      where: { id: customerId, status: { not: "erased" } },
      select: customer,
    });
    if (!row) throw new DomainError("customer_not_found");
    await auditCustomer(ctx.db, ctx, { id: customerId, merchantId }, { action: "export.card" });
    const { devices, pass, movements, holds, dateOfBirth, merchant, addresses, emailChange, ...own } = row;
    return {
      exportedAt: ctx.clock(),
      merchant: merchantName(merchant, ctx.locale),
      customer: { ...own, dateOfBirth: dateOfBirth?.toISOString().slice(0, 10) ?? null },
      devices: devices.map((device) => ({ since: device.createdAt })),
      walletPass: pass,
      emails: addresses,
      emailChange,
      holds,
      movements: movements.map(({ text, ...row }) => ({
        ...row,
        receiptNumber: receiptNumber(row, own.code),
        reason: text?.reason ?? null,
        dirhamsPerPoint: row.rate,
      })),
    };
  },
});

import { z } from "zod";
import { freezeUrl } from "@/lib/cards/freeze-card";
import type { Db } from "@/lib/db/client";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import type { Task } from "@/lib/jobs/queue";
import { announcePass, touchPass, touchPasses } from "@/lib/passes/touch-pass";

const payloadSchema = z.object({ movementId: z.uuid() });

/** What follows a movement: its receipt is mailed, the customer's pass changes and devices hear of it. Safe to repeat. */
export const movementPosted: Task = async ({ db }, payload) => {
  const { movementId } = payloadSchema.parse(payload);
  const movement = await db.movement.findUnique({ where: { id: movementId }, select: { customerId: true } });
  if (!movement) return;
  await sendReceipt(db, movementId);
  await touchPass(db, movement.customerId);
};

const customerPayload = z.object({ customerId: z.uuid() });

/** A holder's name was mended: the pass says so too. Safe to repeat. */
export const customerRenamed: Task = async ({ db }, payload) => {
  await touchPass(db, customerPayload.parse(payload).customerId);
};

const cardsPayload = z.object({ merchantId: z.uuid().nullable() });

/** What stands on every card of a merchant (null: of all) changed: rate, name or picture. Safe to repeat. */
export const cardsChanged: Task = async ({ db }, payload) => {
  await touchPasses(db, cardsPayload.parse(payload).merchantId);
};

/** A card that was deleted: its passes hear that they are void. Safe to repeat. */
export const customerErased: Task = async ({ db }, payload) => {
  await announcePass(db, customerPayload.parse(payload).customerId);
};

const selection = {
  id: true,
  type: true,
  points: true,
  balanceAfter: true,
  rate: true,
  createdAt: true,
  branch: { select: { name: true } },
  customer: { select: { id: true, fullName: true, email: true, locale: true } },
  merchant: { select: { businessName: true } },
} as const;

/** Mails the customer a movement's receipt in their language. Repeating it changes nothing: the movement's id names the e-mail. */
export async function sendReceipt(db: Db, movementId: string): Promise<void> {
  const movement = await db.movement.findUnique({ where: { id: movementId }, select: selection });
  if (!movement?.customer.email) return;
  const { id, customer, merchant, branch, createdAt } = movement;
  const to = movement.customer.email;
  const params = {
    merchant: merchant.businessName,
    name: customer.fullName,
    kind: movement.type,
    points: movement.points,
    balance: movement.balanceAfter,
    rate: movement.rate,
    branch: branch?.name ?? null,
    at: createdAt,
    reference: id,
    notMeUrl: freezeUrl(customer.id, createdAt),
  };
  const locale = isLocale(customer.locale) ? customer.locale : DEFAULT_LOCALE;
  await db.$transaction((tx) => queueEmail(tx, { id, to, template: "receipt", params, locale }));
}

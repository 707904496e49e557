import { z } from "zod";
import type { Task } from "@/lib/jobs";
import { announcePass, touchPass, touchPasses } from "@/lib/passes/touch-pass";
import { sendReceipt } from "./send-receipt";

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

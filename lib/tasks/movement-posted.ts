import { z } from "zod";
import type { Task } from "@/lib/jobs";
import { touchPass } from "@/lib/passes/touch-pass";

const payloadSchema = z.object({ movementId: z.uuid() });

/** What follows a movement: the customer's pass changes, and devices hear of it. Safe to repeat. */
export const movementPosted: Task = async ({ db }, payload) => {
  const { movementId } = payloadSchema.parse(payload);
  const movement = await db.movement.findUnique({ where: { id: movementId }, select: { customerId: true } });
  if (movement) await touchPass(db, movement.customerId);
};

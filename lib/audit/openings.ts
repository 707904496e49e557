import type { Context } from "@/lib/db/context";
import { audit } from "./audit";

/** Within so many seconds the openings of a customer by one actor are one entry. */
const SLOT_SECONDS = 5 * 60;

/**
 * Writes down that the actor opened a customer: one entry an actor, customer and five minutes, committed when this
 * resolves. One statement; a repeat writes nothing.
 */
export async function recordOpening(
  ctx: Context,
  customer: { id: string; merchantId: string },
): Promise<void> {
  const slot = Math.floor(Date.now() / 1000 / SLOT_SECONDS);
  await audit(ctx.db, ctx, {
    merchantId: customer.merchantId,
    action: "opening.customer",
    entity: "customer",
    entityId: customer.id,
    once: `opening:${ctx.actor.userId}:${customer.id}:${slot}`,
  });
}

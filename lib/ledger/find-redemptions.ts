import { Prisma } from "@/lib/db/generated/client";
import { operation } from "@/lib/operations/operation";
import { findRedemptionsSchema } from "./model/movement-queries";
import type { LoggedMovement } from "./model/movements";
import { withinReach } from "./movement-filter";
import { movementRows } from "./movement-rows";
import { salesOf } from "./movement-search";

const MOST = 10;
/** More redemptions than a merchant has of one bill number, even if it counts from one each day. */
const OF_ONE_NUMBER = 10_000;

/**
 * The redemptions with exactly this bill number that the actor may refund, the newest first, ten at most: a customer who
 * brings something back is seldom served by the same worker. A worker gets those of the merchant's days for refunds only.
 */
export const findRedemptions = operation({
  permission: "money.refund",
  keyScope: "refund",
  input: findRedemptionsSchema,
  readOnly: true,
  run: async (ctx, { saleRef }): Promise<LoggedMovement[]> => {
    const reach = ctx.reach;
    const conditions = [
      Prisma.sql`m.type = 'REDEEM'`,
      Prisma.sql`lower(m.sale_ref) = lower(${saleRef})`,
      ...withinReach(reach),
    ];
    if (ctx.actor.type === "user" && ctx.actor.role === "branch_worker") {
      conditions.push(Prisma.sql`m.created_at > ${ctx.clock()}::timestamptz - interval '1 day' * (
      SELECT r.refund_days FROM merchants r WHERE r.id = m.merchant_id)`);
    }
    const merchantId = reach.scope === "any" ? null : reach.merchantId;
    const page = Prisma.sql`SELECT m.* FROM (${salesOf(merchantId, saleRef, OF_ONE_NUMBER, conditions)}) m
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST}`;
    return await movementRows(ctx.db, page, ctx.actor);
  },
});

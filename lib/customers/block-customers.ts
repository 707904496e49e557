import { auditAll } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import type { Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { operation } from "@/lib/operations/operation";
import { type BlockedMany, blockCustomersSchema } from "./model/customers";

type Changed = { id: string; merchantId: string };

/**
 * Blocks or unblocks up to 100 cards in one transaction. An audit entry for each card has the reason. Cards
 * that are frozen, erased or already in this state stay as they are and are counted in `left`. Throws
 * customer_not_found if any card is outside the caller's reach; then no card changes.
 */
export const blockCustomers = operation({
  permission: "customers.edit",
  input: blockCustomersSchema,
  errors: ["customer_not_found"],
  run: async (ctx, input): Promise<BlockedMany> => {
    const reach = ctx.reach;
    const { status, reason } = input;
    const ids = [...new Set(input.customerIds)];
    const before = status === "blocked" ? "active" : "blocked";
    return await ctx.db.$transaction(async (tx) => {
      // Locks cards in the order of postings, to avoid deadlocks.
      const changed = await tx.$queryRaw<Changed[]>`
      with locked as (
        select c.id from customers c where ${within(reach, ids)} order by c.id for no key update
      )
      update customers c set status = ${status}::"CustomerStatus", updated_at = clock_timestamp()
      from locked where c.id = locked.id and c.status = ${before}::"CustomerStatus"
      returning c.id::text as id, c.merchant_id::text as "merchantId"`;
      const cards = changed.length < ids.length ? await countCards(tx, reach, ids) : changed.length;
      await auditAll(
        tx,
        ctx,
        changed.map(({ id, merchantId }) => ({
          merchantId,
          action: `customer.${status}` as const,
          entity: "customer" as const,
          entityId: id,
          before: { status: before },
          after: { status, reason },
        })),
      );
      return { changed: changed.length, left: cards - changed.length };
    });
  },
});

function within(reach: Reach, ids: readonly string[]): Prisma.Sql {
  const own =
    reach.scope === "any" ? Prisma.empty : Prisma.sql`and c.merchant_id = ${reach.merchantId}::uuid`;
  return Prisma.sql`(c.id = any(${ids}::uuid[]) or c.public_id = any(${ids}::uuid[])) ${own}`;
}

/**
 * Answers how many cards these ids name, by either id. Throws customer_not_found if an id names no card
 * within reach.
 */
async function countCards(tx: Tx, reach: Reach, ids: readonly string[]): Promise<number> {
  const cards = await tx.$queryRaw<{ id: string; publicId: string }[]>`
    select c.id::text as id, c.public_id::text as "publicId" from customers c where ${within(reach, ids)}`;
  const known = new Set(cards.flatMap(({ id, publicId }) => [id, publicId]));
  if (ids.some((id) => !known.has(id))) throw new DomainError("customer_not_found");
  return cards.length;
}

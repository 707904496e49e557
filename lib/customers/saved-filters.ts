import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { MOVEMENT_KIND } from "@/lib/db/query";
import type { Reach } from "@/lib/domain/actor";
import { DORMANT_DAYS, type ListCustomers, TOP_CUSTOMERS, TOP_DAYS } from "./model/customers";

const DAY = 86_400_000;

/**
 * The condition of a saved filter on `customers c`. `best` are the top customers, the first one first. Null
 * without a saved filter.
 */
export type Shown = { condition: Prisma.Sql; best: string[] | null } | null;

/** The customers of a merchant who paid in the most within TOP_DAYS, less what was undone. */
async function bestCustomers(ctx: Context, merchantId: string): Promise<string[]> {
  const since = new Date(ctx.clock().getTime() - TOP_DAYS * DAY);
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    select customer_id::text as id from movements
    where merchant_id = ${merchantId}::uuid and created_at >= ${since} and ${MOVEMENT_KIND} = 'TOP_UP'
    group by customer_id having sum(points) > 0
    order by sum(points::bigint * rate) desc, customer_id limit ${TOP_CUSTOMERS}`;
  return rows.map(({ id }) => id);
}

/** The saved filter of a list. Without a merchant there is none: it would read those of all. */
export async function shownOf(
  ctx: Context,
  reach: Reach,
  { show, merchantId }: Pick<ListCustomers, "show" | "merchantId">,
): Promise<Shown> {
  const own = reach.scope === "any" ? merchantId : (reach.merchantId ?? undefined);
  if (show === undefined || own === undefined) return null;
  if (show === "dormant") {
    // No index holds last_posted_at, which would make every posting slower: the merchant's customers are read.
    const before = new Date(ctx.clock().getTime() - DORMANT_DAYS * DAY);
    const condition = Prisma.sql`coalesce(c.last_posted_at, c.registered_at) < ${before}`;
    return { condition, best: null };
  }
  const best = await bestCustomers(ctx, own);
  return { condition: Prisma.sql`c.id = any (${best}::uuid[])`, best };
}

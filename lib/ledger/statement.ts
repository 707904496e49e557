import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { LoggedMovement, Page } from "@/lib/domain/points";
import { type StatementQuery, statementSchema } from "@/lib/domain/schemas/money";
import { movementRows } from "./movement-rows";

/** A customer's movements (by private id, unchecked: the caller has proved its right), newest first, by seq. */
export async function statementOf(
  db: Db,
  customerId: string,
  { cursor, limit = 20 }: { cursor?: string; limit?: number },
  viewerId: string | null = null,
): Promise<Page<LoggedMovement>> {
  const before = /^\d{1,9}$/.test(cursor ?? "") ? Prisma.sql`AND m.seq < ${Number(cursor)}` : Prisma.empty;
  const page = Prisma.sql`SELECT m.* FROM movements m WHERE m.customer_id = ${customerId}::uuid ${before}
    ORDER BY m.seq DESC LIMIT ${limit + 1}`;
  const rows = (await movementRows(db, page, viewerId)).sort((a, b) => b.seq - a.seq);
  const results = rows.slice(0, limit);
  return { results, nextCursor: rows.length > limit ? String(results.at(-1)?.seq) : null };
}

/** The statement of one of the actor's customers (either id). Throws customer_not_found. */
export async function statement(ctx: Context, query: StatementQuery): Promise<Page<LoggedMovement>> {
  const reach = authorize(ctx.actor, "customers.read");
  const { customerId, ...page } = statementSchema.parse(query);
  const customer = await ctx.db.customer.findFirst({
    where: { OR: [{ id: customerId }, { publicId: customerId }], ...merchantWhere(reach) },
    select: { id: true },
  });
  if (!customer) throw new DomainError("customer_not_found");
  return await statementOf(ctx.db, customer.id, page, ctx.actor.userId);
}
statement.permission = "customers.read" as const;

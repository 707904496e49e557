import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { authorize, type Reach } from "@/lib/domain/actor";
import type { CustomerProfile } from "@/lib/domain/customers";
import { DomainError } from "@/lib/domain/errors";
import type { CustomerId } from "@/lib/domain/schemas/customers";
import { CUSTOMER_COLUMNS, CUSTOMER_JOINS, type CustomerRow, customerOf } from "./customer-rows";

/** The one customer whom either id names within the reach, as a condition on `customers c`. */
export function customerWhere(reach: Reach, customerId: string): Prisma.Sql {
  const own =
    reach.scope === "any" ? Prisma.empty : Prisma.sql`and c.merchant_id = ${reach.merchantId}::uuid`;
  return Prisma.sql`(c.id = ${customerId}::uuid or c.public_id = ${customerId}::uuid) ${own}`;
}

type Row = CustomerRow & { dateOfBirth: string | null; movements: number };

/** One customer of the caller's, the erased too. Throws customer_not_found, for another merchant's as for none. */
export async function customerProfile(ctx: Context, input: CustomerId): Promise<CustomerProfile> {
  const reach = authorize(ctx.actor, "customers.read");
  const [row] = await ctx.db.$queryRaw<Row[]>`
    select ${CUSTOMER_COLUMNS}, c.date_of_birth::text as "dateOfBirth", c.movement_count as movements
    from customers c ${CUSTOMER_JOINS} where ${customerWhere(reach, input.customerId)}`;
  if (!row) throw new DomainError("customer_not_found");
  const { dateOfBirth, movements, ...rest } = row;
  return { ...customerOf(rest), dateOfBirth, movements };
}
customerProfile.permission = "customers.read" as const;

import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { authorize, type Reach } from "@/lib/domain/actor";
import type { CustomerProfile, CustomerStatus } from "@/lib/domain/customers";
import { DomainError } from "@/lib/domain/errors";
import type { EditCustomer } from "@/lib/domain/schemas/customers";
import { customerProfile, customerWhere } from "./customer-profile";
import { tellPass } from "./tell-pass";

type Details = {
  fullName: string;
  phone: string | null;
  dateOfBirth: string | null;
  status: CustomerStatus;
};
type Changed = { id: string; merchantId: string; before: Details; after: Details };

const details = (of: "old" | "new"): Prisma.Sql => {
  const row = Prisma.raw(of);
  return Prisma.sql`jsonb_build_object('fullName', ${row}.full_name, 'phone', ${row}.phone,
    'dateOfBirth', ${row}.date_of_birth, 'status', ${row}.status)`;
};

/**
 * Changes what of a customer staff may mend, and blocks or unblocks; the change is kept with who made it.
 * Throws customer_not_found, customer_frozen (its status is the holder's until a mailed code), customer_erased.
 */
export async function editCustomer(ctx: Context, input: EditCustomer): Promise<CustomerProfile> {
  const reach = authorize(ctx.actor, "customers.edit");
  const id = await ctx.db.$transaction(async (tx) => {
    const changed = await change(tx, reach, input);
    if (!changed) throw await refusal(tx, reach, input.customerId);
    const { before, after } = changed;
    if (JSON.stringify(before) === JSON.stringify(after)) return changed.id;
    const action = before.status === after.status ? "customer.edit" : `customer.${after.status}`;
    await tx.audit.create({
      data: {
        actorId: ctx.actor.userId,
        merchantId: changed.merchantId,
        action,
        entity: "customer",
        entityId: changed.id,
        before,
        after,
      },
      select: { id: true },
    });
    if (before.fullName !== after.fullName) await tellPass(tx, "customer_renamed", changed.id);
    return changed.id;
  });
  return customerProfile(ctx, { customerId: id });
}
editCustomer.permission = "customers.edit" as const;

async function change(tx: Tx, reach: Reach, input: EditCustomer): Promise<Changed | undefined> {
  const { fullName = null, phone = null, dateOfBirth = null, status = null } = input;
  const [row] = await tx.$queryRaw<Changed[]>`
    update customers c set
      full_name = coalesce(${fullName}, c.full_name),
      phone = coalesce(${phone}, c.phone),
      date_of_birth = coalesce(${dateOfBirth}::date, c.date_of_birth),
      status = coalesce(${status}::"CustomerStatus", c.status),
      updated_at = clock_timestamp()
    where ${customerWhere(reach, input.customerId)}
      and (c.status in ('active', 'blocked') or (c.status = 'frozen' and ${status}::text is null))
    returning c.id::text as id, c.merchant_id::text as "merchantId",
      ${details("old")} as before, ${details("new")} as after`;
  return row;
}

async function refusal(tx: Tx, reach: Reach, customerId: string): Promise<DomainError> {
  const [row] = await tx.$queryRaw<{ status: CustomerStatus }[]>`
    select c.status::text as status from customers c where ${customerWhere(reach, customerId)}`;
  if (!row) return new DomainError("customer_not_found");
  return new DomainError(row.status === "erased" ? "customer_erased" : "customer_frozen");
}

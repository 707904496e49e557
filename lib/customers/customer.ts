import { recordOpening } from "@/lib/audit/audit";
import type { MailedCard } from "@/lib/cards/model/card";
import { HOURS_TO_CHANGE } from "@/lib/cards/model/email-change";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { eitherIdIs } from "@/lib/db/query";
import { type Actor, authorize, type Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import { endedJoin, HELD, SPENDABLE } from "@/lib/ledger/pockets";
import { operation } from "@/lib/operations/operation";
import { shownId } from "./model/customer-id";
import { type CustomerStatus, customerIdSchema } from "./model/customers";
import type { CustomerProfile, ListedCustomer } from "./names";

/** Matches a customer within the reach by the private or the public id, as a condition on `customers c`. */
export const customerWhere = (reach: Reach, customerId: string): Prisma.Sql =>
  Prisma.sql`${eitherIdIs(customerId)} ${andOwn(reach)}`;

/** The reach as an additional condition on `customers c`. */
export const andOwn = (reach: Reach): Prisma.Sql =>
  reach.scope === "any" ? Prisma.empty : Prisma.sql`and c.merchant_id = ${reach.merchantId}::uuid`;

/** A card that staff change something of. E-mail and code's e-mail are null once it is erased. */
type StaffCard = Omit<MailedCard, "email"> & {
  email: string | null;
  /** The address of the card 72 hours ago, or its first: whoever froze the card may have lost it to another. */
  codeEmail: string | null;
  status: CustomerStatus;
};

/** A card within the caller's reach, for a change by staff. Throws customer_not_found. */
export async function staffCard(ctx: Context, customerId: string): Promise<StaffCard> {
  const reach = authorize(ctx.actor, "customers.edit");
  const then = new Date(ctx.clock().getTime() - HOURS_TO_CHANGE.holder * 60 * 60 * 1000);
  const [row] = await ctx.db.$queryRaw<StaffCard[]>`
    select c.id::text as id, c.merchant_id::text as "merchantId", c.email, c.full_name as "fullName", c.locale,
      c.status::text as status, m.business_name as "businessName", m.business_name_ar as "businessNameAr",
      (select e.email from card_emails e where e.customer_id = c.id
        order by e.from_at <= ${then}::timestamptz desc,
          case when e.from_at <= ${then}::timestamptz then e.from_at end desc, e.from_at, e.id limit 1) as "codeEmail"
    from customers c join merchants m on m.id = c.merchant_id where ${customerWhere(reach, customerId)}`;
  if (!row) throw new DomainError("customer_not_found");
  return row;
}

type Row = CustomerRecord & { dateOfBirth: string | null; movements: number };

/** One customer within the caller's reach, even if erased. The opening is written down. Throws customer_not_found. */
export const customerProfile = operation({
  permission: "customers.read",
  input: customerIdSchema,
  readOnly: true,
  run: async (ctx, input): Promise<CustomerProfile> => {
    const [row] = await ctx.db.$queryRaw<Row[]>`
    select ${CUSTOMER_COLUMNS}, c.date_of_birth::text as "dateOfBirth", (
        select count(*) from movements v where v.customer_id = c.id and v.type <> 'REVERSAL'
      )::int as movements
    from customers c ${customerJoins(ctx.clock())} where ${customerWhere(ctx.reach, input.customerId)}`;
    if (!row) throw new DomainError("customer_not_found");
    await recordOpening(ctx, { id: row.id, merchantId: row.merchant.id });
    const { dateOfBirth, movements, ...rest } = row;
    return { ...toListedCustomer(rest, ctx.actor), dateOfBirth, movements };
  },
});

export type CustomerRecord = Omit<ListedCustomer, "id" | "cashValue" | "heldValue"> & {
  id: string;
  rate: number;
};

/** The columns of CustomerRecord from `customers c` with customerJoins. */
export const CUSTOMER_COLUMNS = Prisma.sql`c.id::text as id, c.public_id::text as "publicId", c.code,
  c.full_name as "fullName", c.email, c.phone, ${SPENDABLE} as balance, ${HELD} as held, c.status::text as status,
  c.held_by_staff as "heldByStaff",
  c.registered_at as "registeredAt", config.dirhams_per_point as rate,
  json_build_object('id', m.id, 'businessName', m.business_name, 'businessNameAr', m.business_name_ar) as merchant`;

export const customerJoins = (now: Date): Prisma.Sql => Prisma.sql`join merchants m on m.id = c.merchant_id
  cross join lateral points_config_in_force(c.merchant_id) config ${endedJoin(now)}`;

/** Maps a row of CUSTOMER_COLUMNS to a customer, as this viewer sees them. */
export function toListedCustomer(row: CustomerRecord, viewer: Actor): ListedCustomer {
  const { rate, ...same } = row;
  return {
    ...same,
    id: shownId(viewer, row),
    cashValue: cashValue(row.balance, rate),
    heldValue: cashValue(row.held, rate),
  };
}

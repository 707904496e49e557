import { shownId } from "@/lib/customers/model/customer-id";
import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { andMerchant, eitherIdIs, rowCount } from "@/lib/db/query";
import type { Reach, StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import { qatarDay } from "@/lib/domain/time";
import type { Pockets } from "@/lib/ledger/model/movements";
import type { Tender } from "@/lib/ledger/model/tender";
import { POCKET_COLUMNS, type PocketColumns, pocketsJoin, toPockets } from "@/lib/ledger/pockets";
import type { ServedCustomer } from "./model/counter";

// As many branches as lib/merchants/lookups.ts reads.
const MAX_BRANCHES = 200;

type Row = PocketColumns & {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  dateOfBirth: string | null;
  registeredAt: Date;
  heldByStaff: boolean;
  status: ServedCustomer["status"];
  rate: number | null;
  minTopUp: number;
  maxTopUp: number;
  maxBalance: number;
  unconfirmed: number;
  merchantId: string;
  businessName: string;
  businessNameAr: string | null;
  imageKey: string | null;
  firstName: string;
  lastName: string;
  tenders: Tender[];
  askSaleRef: boolean;
  suspended: boolean;
  branches: { id: string; name: string; city: string }[];
};

/** Answers the points of a customer, held ones included, with their value at this rate. */
export function worth(pockets: Pockets, rate: number) {
  const balance = pockets.paid + pockets.bonus;
  return { pockets, balance, rate, cashValue: cashValue(balance, rate) };
}

/**
 * How many points more of customer `c` can be redeemed on this day without confirmation: what is left of the merchant's
 * allowance of a card and, for a worker, of their own day.
 */
function unconfirmed(workerId: string | null, day: string): Prisma.Sql {
  const ofCard = Prisma.sql`m.redeem_allowance - case when c.unproved_on = ${day}::date
    then c.unproved - coalesce(freed.unproved, 0) else 0 end`;
  if (workerId === null) return Prisma.sql`greatest(0, ${ofCard})`;
  return Prisma.sql`greatest(0, least(${ofCard}, m.unproved_worker_daily - coalesce(
    (select w.unproved from worker_days w where w.user_id = ${workerId}::uuid and w.day = ${day}::date), 0)))`;
}

/**
 * A customer within reach by either id, as this viewer sees them, with the merchant of the card and its open branches, in
 * one statement: the counter asks for it with every card. `privateId` is for the program itself. Throws
 * customer_not_found.
 */
export async function readServed(
  db: Db,
  reach: Reach,
  customerId: string,
  now: Date,
  viewer: StaffActor,
): Promise<{ customer: ServedCustomer; privateId: string; heldByStaff: boolean }> {
  const workerId = viewer.type === "user" && viewer.role === "branch_worker" ? viewer.userId : null;
  const [row] = await db.$queryRaw<Row[]>`
    select c.id::text as id, c.public_id::text as "publicId", c.full_name as "fullName", c.email, c.phone,
      c.date_of_birth::text as "dateOfBirth", c.registered_at as "registeredAt", c.held_by_staff as "heldByStaff",
      ${POCKET_COLUMNS},
      c.status::text as status, rules.dirhams_per_point as rate, rules.min_top_up as "minTopUp",
      rules.max_top_up as "maxTopUp", rules.max_balance as "maxBalance",
      ${unconfirmed(workerId, qatarDay(now))} as unconfirmed,
      m.id::text as "merchantId", m.business_name as "businessName", m.business_name_ar as "businessNameAr", m.image_key as "imageKey",
      m.first_name as "firstName", m.last_name as "lastName", m.tenders::text[] as tenders,
      m.ask_sale_ref as "askSaleRef", m.suspended_at is not null as suspended,
      (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'nameAr', b.name_ar, 'city', b.city)), '[]') from (
        select id, name, name_ar, city from branches where merchant_id = m.id and archived_at is null
        order by created_at, id limit ${rowCount(MAX_BRANCHES)}) b) as branches
    from customers c join merchants m on m.id = c.merchant_id
    left join lateral (
      select dirhams_per_point, min_top_up, max_top_up, max_balance from points_config_in_force(c.merchant_id)
    ) rules on true ${pocketsJoin(now)}
    where ${eitherIdIs(customerId)} ${andMerchant(reach)} and c.status <> 'erased'
    limit 1`;
  if (!row) throw new DomainError("customer_not_found");
  const { balance, bonus, ended, nextPoints, nextEnd, rate, heldByStaff, held, ...rest } = row;
  if (rate === null) throw new Error("no points configuration is in force");
  const {
    merchantId,
    businessName,
    businessNameAr,
    imageKey,
    firstName,
    lastName,
    minTopUp,
    maxTopUp,
    maxBalance,
    ...more
  } = rest;
  const limits = { minTopUp, maxTopUp, maxBalance, unconfirmed: more.unconfirmed };
  const { tenders, askSaleRef, suspended, branches, unconfirmed: _, id: privateId, ...customer } = more;
  const id = shownId(viewer, { id: privateId, publicId: customer.publicId });
  const pockets = toPockets({ balance, bonus, ended, nextPoints, nextEnd });
  const names = { businessName, businessNameAr, imageKey, firstName, lastName };
  const merchant = { id: merchantId, ...names, tenders, askSaleRef, suspended, branches };
  const shown = { id, ...customer, held, merchant, limits, ...worth(pockets, rate) };
  return { customer: shown, privateId, heldByStaff };
}

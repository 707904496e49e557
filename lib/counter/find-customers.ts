import { parseCustomerCode } from "@/lib/customers/model/customer-code";
import { shownId } from "@/lib/customers/model/customer-id";
import { Prisma } from "@/lib/db/generated/client";
import { customersNamed, foldedContainsHere } from "@/lib/db/query";
import { hasPermission, merchantWhere } from "@/lib/domain/actor";
import { maskEmail, maskPhone, normalisePhone } from "@/lib/domain/contact";
import { cashValue } from "@/lib/domain/money";
import { endedJoin, HELD, SPENDABLE } from "@/lib/ledger/pockets";
import { operation } from "@/lib/operations/operation";
import { type CustomerHit, findCustomersSchema } from "./model/counter";
import { MIN_SEARCH_LENGTH } from "./model/panel-search";

const MAX_RESULTS = 20;
// The best matches by name come from this many hits, which limits the work for a common term.
const MAX_HITS = 200;

type Row = Omit<CustomerHit, "id" | "cashValue"> & { id: string; rate: number };
type Typed = { email: string; phone: string | null; code: string | null };

/** The e-mail and phone masked, unless they are what was typed as a whole. */
function masked<Hit extends CustomerHit>(hit: Hit, typed: Typed): Hit {
  const { email, phone } = hit;
  return {
    ...hit,
    email: email && email.toLowerCase() !== typed.email ? maskEmail(email, 1) : email,
    phone: phone && phone !== typed.phone ? maskPhone(phone) : phone,
  };
}

/**
 * Up to 20 customers within the actor's reach by name. Staff who may read customers find them by any part of the name,
 * e-mail, phone or public id, and within one merchant by the whole code of the card. A worker finds them by a part of the name or by the whole of the others, and sees e-mail
 * and phone masked unless the whole of it was typed. A term of fewer than MIN_SEARCH_LENGTH characters finds no one.
 */
export const findCustomers = operation({
  permission: "customers.find",
  input: findCustomersSchema,
  readOnly: true,
  run: async (ctx, input): Promise<CustomerHit[]> => {
    const { merchantId } = merchantWhere(ctx.reach);
    const term = input.search.trim();
    if (term.length < MIN_SEARCH_LENGTH) return [];
    const readsAll = hasPermission(ctx.actor, "customers.read");
    const typed: Typed = {
      email: term.toLowerCase(),
      phone: normalisePhone(term),
      code: parseCustomerCode(term),
    };
    const inName = foldedContainsHere(Prisma.sql`search_fold(c.full_name)`, term);
    const own = merchantId ? Prisma.sql`c.merchant_id = ${merchantId}::uuid and` : Prisma.empty;
    const whole = readsAll
      ? Prisma.empty
      : Prisma.sql`and (${inName} or lower(c.email) = ${typed.email}
        or c.phone = ${typed.phone} or c.public_id::text = ${typed.email}
        or c.code = ${typed.code})`;
    const contains = await customersNamed(ctx.db, merchantId, term);
    // The limit is outside "hits": it still stops reading early, but does not make the planner avoid the index.
    const rows = await ctx.db.$queryRaw<Row[]>`
    with hits as materialized (
      select c.id, c.public_id, c.merchant_id, c.full_name, c.email, c.phone, c.balance, c.bonus, c.held,
        c.unproved_on
      from customers c
      where ${own} ${contains} and c.status <> 'erased' ${whole}
    ), looked as (select * from hits limit ${MAX_HITS}),
    shown as (select * from looked order by full_name collate "und-x-icu", id limit ${MAX_RESULTS})
    select c.id, c.public_id as "publicId", c.full_name as "fullName", c.email, c.phone, ${SPENDABLE} as balance, ${HELD} as held,
      m.business_name as "businessName", m.business_name_ar as "businessNameAr", p.dirhams_per_point as rate
    from shown c join merchants m on m.id = c.merchant_id cross join lateral points_config_in_force(c.merchant_id) p
      ${endedJoin(ctx.clock())}
    order by c.full_name collate "und-x-icu", c.id`;
    const hits = rows.map(({ rate, ...hit }) => ({
      ...hit,
      id: shownId(ctx.actor, hit),
      cashValue: cashValue(hit.balance, rate),
    }));
    return readsAll ? hits : hits.map((hit) => masked(hit, typed));
  },
});

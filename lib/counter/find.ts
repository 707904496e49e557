import { recordOpening } from "@/lib/audit/audit";
import { shownId } from "@/lib/customers/model/customer-id";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { andMerchant, anyColumnContains, customersNamed, nameOrWhole, searchTerm } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { authorize, hasPermission, merchantWhere, type Reach, type StaffActor } from "@/lib/domain/actor";
import { maskEmail, maskPhone, normalisePhone } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { cashValue, toLatinDigits } from "@/lib/domain/money";
import type { Permission } from "@/lib/domain/policy";
import type { Locale } from "@/lib/domain/roles";
import { customerNameOf } from "@/lib/i18n/translate";
import { withinReach } from "@/lib/ledger/movement-filter";
import { movementIs, salesOf } from "@/lib/ledger/movement-search";
import { endedJoin, HELD, SPENDABLE } from "@/lib/ledger/pockets";
import { operation } from "@/lib/operations/operation";
import { type FindCard, findCardSchema, findCustomersSchema } from "./model/counter";
import { MIN_SEARCH_LENGTH } from "./model/panel-search";
import type { CustomerHit, FoundCard, PanelHits } from "./names";

const MAX_RESULTS = 20;
// The best matches by name come from this many hits, which limits the work for a common term.
const MAX_HITS = 200;

type Row = Omit<CustomerHit, "id" | "cashValue"> & { id: string; rate: number };

/** The e-mail and phone masked, unless they are what was typed as a whole. */
function masked<Hit extends CustomerHit>(hit: Hit, term: string): Hit {
  const { email, phone } = hit;
  return {
    ...hit,
    email: email && email.toLowerCase() !== term.toLowerCase() ? maskEmail(email, 1) : email,
    phone: phone && phone !== normalisePhone(term) ? maskPhone(phone) : phone,
  };
}

/**
 * Up to 20 customers within the reach. Staff who may read customers find them by a part of name, e-mail, phone or public id,
 * or by the whole code of the card; a worker by a part of the name or the whole of the others, with contacts masked.
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
    const own = merchantId ? Prisma.sql`c.merchant_id = ${merchantId}::uuid and` : Prisma.empty;
    const whole = readsAll ? Prisma.empty : Prisma.sql`and ${nameOrWhole(term)}`;
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
    return readsAll ? hits : hits.map((hit) => masked(hit, term));
  },
});

/** Lookups by phone or e-mail, which guesses could try in turn. A scanned code counts as a request only. */
const LOOKUPS: GuardLimit = { name: "lookups", points: 60, seconds: 60 };
const LOOKUPS_OF_MERCHANT: GuardLimit = { name: "lookups-merchant", points: 600, seconds: 60 };

async function countLookup({ db, actor, reach }: Context<StaffActor> & { reach: Reach }): Promise<void> {
  await consume(db, LOOKUPS, actor.type === "user" ? actor.userId : actor.keyId);
  const { merchantId } = merchantWhere(reach);
  if (merchantId) await consume(db, LOOKUPS_OF_MERCHANT, merchantId);
}

function matching({ publicId, email, phone }: FindCard): Prisma.Sql {
  if (publicId) return Prisma.sql`c.public_id = ${publicId}::uuid`;
  return email ? Prisma.sql`lower(c.email) = ${email}` : Prisma.sql`c.phone = ${phone}`;
}

type CardRow = Omit<FoundCard, "id"> & { id: string; merchantId: string };

/** The one customer with exactly this QR code, phone or e-mail, contacts masked. If several match: customer_not_found. */
export const findCard = operation({
  permission: "customers.find",
  keyScope: "customers.find",
  input: findCardSchema,
  errors: ["customer_not_found"],
  readOnly: true,
  run: async (ctx, given): Promise<FoundCard> => {
    if (!given.publicId) await countLookup(ctx);
    const [row, ...others] = await ctx.db.$queryRaw<CardRow[]>`
      select c.id::text as id, c.public_id::text as "publicId", c.merchant_id::text as "merchantId",
        c.full_name as "fullName", c.email, c.phone, c.status::text as status, ${SPENDABLE} as balance, ${HELD} as held
      from customers c ${endedJoin(ctx.clock())}
      where ${matching(given)} ${andMerchant(ctx.reach)} and c.status <> 'erased' limit 2`;
    if (!row || others.length > 0) throw new DomainError("customer_not_found");
    await recordOpening(ctx, row);
    const { merchantId: _, email, phone, ...customer } = row;
    return {
      ...customer,
      id: shownId(ctx.actor, row),
      email: email && maskEmail(email, 1),
      phone: phone && maskPhone(phone),
    };
  },
});

const MOST_HITS = 5;

type Place = PanelHits["branches"][number] & { kind: "branches" | "workers" | "merchants" };

const may = (ctx: Context, permission: Permission) => hasPermission(ctx.actor, permission);

const branchText = (locale: Locale) =>
  locale === "ar" ? Prisma.sql`coalesce(b.name_ar, b.name)` : Prisma.sql`b.name`;

/** Branches in use, workers who are not disabled, and merchants by a part of their names: one statement. */
async function findPlaces(ctx: Context, term: string): Promise<Place[]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "panel.search"));
  const own = merchantId ? Prisma.sql`and m.id = ${merchantId}::uuid` : Prisma.empty;
  const person = Prisma.sql`u.first_name || ' ' || u.last_name`;
  const ofMerchant = Prisma.sql`m.business_name as "merchantName", m.business_name_ar as "merchantNameAr"`;
  const parts = [
    may(ctx, "branches.manage") &&
      Prisma.sql`(select 'branches' as kind, b.id::text as id, ${branchText(ctx.locale)} as name, b.city as detail, ${ofMerchant}
        from branches b join merchants m on m.id = b.merchant_id
        where b.archived_at is null ${own} and ${anyColumnContains([Prisma.sql`b.name`, Prisma.sql`b.name_ar`, Prisma.sql`b.city`], term)}
        order by b.name limit ${MOST_HITS})`,
    may(ctx, "workers.manage") &&
      Prisma.sql`(select 'workers' as kind, u.id::text as id, ${person} as name, u.email as detail, ${ofMerchant}
        from users u join merchants m on m.id = u.merchant_id
        where u.role = 'branch_worker' and u.status <> 'disabled' ${own}
          and ${anyColumnContains([person, Prisma.sql`u.email`, Prisma.sql`u.phone`], searchTerm(term))}
        order by name limit ${MOST_HITS})`,
    may(ctx, "merchants.read") &&
      Prisma.sql`(select 'merchants' as kind, m.id::text as id, m.business_name as name, m.email as detail, ${ofMerchant} from merchants m
        where ${anyColumnContains([Prisma.sql`m.business_name`, Prisma.sql`m.business_name_ar`, Prisma.sql`m.email`], term)}
        order by m.business_name limit ${MOST_HITS})`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? [] : ctx.db.$queryRaw<Place[]>(Prisma.join(parts, " union all "));
}

type Found = Omit<PanelHits["transactions"][number], "name"> & { fullName: string; customerErased: boolean };

// Movements with a matching bill number that are read per merchant: a shop may count from one each day.
const MOST_SALES = { ofOne: 1_000, ofEach: 20 };

/** Transactions by the number of their receipt or their id, or by the shop's own bill number: first those of the whole number. */
async function findTransactions(ctx: Context, term: string): Promise<PanelHits["transactions"]> {
  if (!may(ctx, "movements.read")) return [];
  const reach = authorize(ctx.actor, "movements.read");
  const within = withinReach(reach);
  const merchantId = reach.scope === "any" ? null : reach.merchantId;
  const one = movementIs(merchantId, term);
  const found = one
    ? Prisma.sql`select m.* from movements m where ${Prisma.join([one, ...within], " and ")}`
    : salesOf(merchantId, term, merchantId ? MOST_SALES.ofOne : MOST_SALES.ofEach, within);
  const rows = await ctx.db.$queryRaw<Found[]>`
    select m.id::text as id, m.type::text as type, m.points, m.sale_ref as "saleRef", c.full_name as "fullName",
      c.erased_at is not null as "customerErased", m.created_at as "createdAt"
    from (
      select * from (${found}) f order by lower(f.sale_ref) = lower(${toLatinDigits(term)}) desc nulls last, f.created_at desc
      limit ${MOST_HITS}
    ) m join customers c on c.id = m.customer_id
    order by m.created_at desc`;
  return rows.map(({ fullName, customerErased, ...row }) => ({
    ...row,
    name: customerNameOf({ customer: { fullName }, customerErased }, ctx.locale),
  }));
}

/** Up to five records of each kind that the role may read, for a term of at least MIN_SEARCH_LENGTH characters. */
export const searchPanel = operation({
  permission: "panel.search",
  input: findCustomersSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx, input): Promise<PanelHits> => {
    const term = input.search;
    const long = term.length >= MIN_SEARCH_LENGTH;
    const [customers, places, transactions] = await Promise.all([
      long && may(ctx, "customers.find") ? findCustomers(ctx, input) : [],
      long ? findPlaces(ctx, term) : [],
      long ? findTransactions(ctx, term) : [],
    ]);
    const placesOf = (kind: Place["kind"]) =>
      places.filter((place) => place.kind === kind).map(({ kind: _, ...place }) => place);
    return {
      customers: customers.slice(0, MOST_HITS).map((hit) => ({
        id: hit.id,
        publicId: hit.publicId,
        name: hit.fullName,
        detail: hit.email ?? hit.phone,
        merchantName: hit.businessName,
        merchantNameAr: hit.businessNameAr,
      })),
      transactions,
      branches: placesOf("branches"),
      workers: placesOf("workers"),
      merchants: placesOf("merchants"),
    };
  },
});

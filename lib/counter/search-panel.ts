import { findCustomers } from "@/lib/counter/find-customers";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { anyColumnContains } from "@/lib/db/query";
import { authorize, hasPermission, merchantWhere } from "@/lib/domain/actor";
import type { Permission } from "@/lib/domain/policy";
import type { Locale } from "@/lib/domain/roles";
import { customerNameOf } from "@/lib/i18n/translate";
import type { MovementType } from "@/lib/ledger/model/movements";
import { withinReach } from "@/lib/ledger/movement-filter";
import { movementIs, salesOf } from "@/lib/ledger/movement-search";
import { operation } from "@/lib/operations/operation";
import { findCustomersSchema } from "./model/counter";
import { type FoundPlace, MIN_SEARCH_LENGTH, type PanelHits } from "./model/panel-search";

/** The most hits of one kind. */
const MOST_HITS = 5;

type Place = FoundPlace & { kind: "branches" | "workers" | "merchants" };

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
          and ${anyColumnContains([person, Prisma.sql`u.email`, Prisma.sql`u.phone`], term)}
        order by name limit ${MOST_HITS})`,
    may(ctx, "merchants.read") &&
      Prisma.sql`(select 'merchants' as kind, m.id::text as id, m.business_name as name, m.email as detail, ${ofMerchant} from merchants m
        where ${anyColumnContains([Prisma.sql`m.business_name`, Prisma.sql`m.business_name_ar`, Prisma.sql`m.email`], term)}
        order by m.business_name limit ${MOST_HITS})`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? [] : ctx.db.$queryRaw<Place[]>(Prisma.join(parts, " union all "));
}

type Found = {
  id: string;
  type: MovementType;
  points: number;
  saleRef: string | null;
  fullName: string;
  customerErased: boolean;
  createdAt: Date;
};

// How many movements with a matching bill number are read per merchant; the newest of them are shown.
const MOST_SALES = 20;

/** Transactions by the number of their receipt or their id, or by the shop's own bill number: first those of the whole number. */
async function findTransactions(ctx: Context, term: string): Promise<PanelHits["transactions"]> {
  if (!may(ctx, "movements.read")) return [];
  const reach = authorize(ctx.actor, "movements.read");
  const within = withinReach(reach);
  const merchantId = reach.scope === "any" ? null : reach.merchantId;
  const one = movementIs(merchantId, term);
  const found = one
    ? Prisma.sql`select m.* from movements m where ${Prisma.join([one, ...within], " and ")}`
    : salesOf(merchantId, term, MOST_SALES, within);
  const rows = await ctx.db.$queryRaw<Found[]>`
    select m.id::text as id, m.type::text as type, m.points, m.sale_ref as "saleRef", c.full_name as "fullName",
      c.erased_at is not null as "customerErased", m.created_at as "createdAt"
    from (
      select * from (${found}) f order by lower(f.sale_ref) = lower(${term}) desc nulls last, f.created_at desc
      limit ${MOST_HITS}
    ) m join customers c on c.id = m.customer_id
    order by m.created_at desc`;
  return rows.map(({ fullName, customerErased, ...row }) => ({
    ...row,
    name: customerNameOf({ customer: { fullName }, customerErased }, ctx.locale),
  }));
}

/**
 * Answers the records of the user's panel that match a term of at least MIN_SEARCH_LENGTH characters: up to
 * five customers (as the counter finds them), transactions by number, branches, employees and merchants. Each
 * kind appears only if the role may read it. Runs three statements at most.
 */
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

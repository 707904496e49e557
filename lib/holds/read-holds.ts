import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { type Order, pageIds, sortByIds, timeKey } from "@/lib/db/paging";
import { eitherIdIs } from "@/lib/db/query";
import { merchantWhere, type Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { cashValue } from "@/lib/domain/money";
import { type HoldJson, holdFrom, holdShownTo, type PostedHold } from "@/lib/ledger/batch";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import {
  type Hold,
  type HoldState,
  type HoldsQuery,
  holdsSchema,
  type ReservedNow,
  readHoldSchema,
} from "./model";

const NEWEST: Order = { keys: [timeKey(Prisma.sql`h.created_at`)], id: Prisma.sql`h.id`, down: true };

/** Holds `h` with their merchants `s`. */
const FROM = Prisma.sql`holds h join merchants s on s.id = h.merchant_id`;

const within = (reach: Reach): Prisma.Sql => {
  const { merchantId } = merchantWhere(reach);
  return merchantId ? Prisma.sql`h.merchant_id = ${merchantId}::uuid` : Prisma.sql`true`;
};

async function holdsOf(db: Db | Tx, ids: string[], now: Date): Promise<PostedHold[]> {
  const rows = await db.$queryRaw<{ hold: HoldJson }[]>`
    select hold_json(id, ${now}::timestamptz) as hold from unnest(${ids}::uuid[]) id`;
  return rows.map(({ hold }) => holdFrom(hold));
}

/** A hold within reach, as of now. Throws hold_not_found. */
export async function findHold(db: Db | Tx, reach: Reach, holdId: string, now: Date): Promise<PostedHold> {
  const [row] = await db.$queryRaw<{ hold: HoldJson }[]>`
    select hold_json(h.id, ${now}::timestamptz) as hold from ${FROM} where h.id = ${holdId}::uuid and ${within(reach)}`;
  if (!row) throw new DomainError("hold_not_found");
  return holdFrom(row.hold);
}

/** A hold whose time is over counts as lapsed, whether or not anything has ended it. */
function inState(state: HoldState, now: Date): Prisma.Sql {
  const lapsed = Prisma.sql`is_lapsed(h.expires_at, s.suspended_at, ${now}::timestamptz)`;
  if (state === "open") return Prisma.sql`h.state = 'open' and not ${lapsed}`;
  if (state === "lapsed") return Prisma.sql`(h.state = 'lapsed' or (h.state = 'open' and ${lapsed}))`;
  return Prisma.sql`h.state = ${state}::"HoldState"`;
}

function matching({ customerId, branchId, keyId, state, merchantId }: HoldsQuery, now: Date): Prisma.Sql[] {
  return [
    ...(customerId
      ? [Prisma.sql`h.customer_id = (select c.id from customers c where ${eitherIdIs(customerId)})`]
      : []),
    ...(branchId ? [Prisma.sql`h.branch_id = ${branchId}::uuid`] : []),
    ...(keyId ? [Prisma.sql`h.api_key_id = ${keyId}::uuid`] : []),
    ...(merchantId ? [Prisma.sql`h.merchant_id = ${merchantId}::uuid`] : []),
    ...(state ? [inState(state, now)] : []),
  ];
}

/** One hold. Throws hold_not_found. */
export const readHold = operation({
  permission: "customers.find",
  keyScope: "redeem",
  input: readHoldSchema,
  errors: ["hold_not_found"],
  readOnly: true,
  run: async (ctx, { holdId }): Promise<Hold> =>
    holdShownTo(ctx.actor, await findHold(ctx.db, ctx.reach, holdId, ctx.clock())),
});

/** A page of the holds in the caller's reach, newest first, by customer, branch, API key and state. */
export const listHolds = operation({
  permission: "customers.find",
  keyScope: "redeem",
  input: holdsSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<Hold>> => {
    const now = ctx.clock();
    const own = within(ctx.reach);
    const where = Prisma.join([own, ...matching(query, now)], " and ");
    const ids = await pageIds(ctx.db, { from: FROM, within: own, where }, NEWEST, query);
    const shown = ids.slice(0, query.limit);
    const found = sortByIds(shown, await holdsOf(ctx.db, shown, now));
    return {
      results: found.map((hold) => holdShownTo(ctx.actor, hold)),
      nextCursor: ids.length > query.limit ? (shown.at(-1) ?? null) : null,
    };
  },
});

/** The points that open holds reserve at this moment within the reach, in points and QAR at the rates in force, and how many there are. */
export const reservedNow = operation({
  permission: "reports.read",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<ReservedNow> => {
    const { merchantId } = merchantWhere(ctx.reach);
    const own = merchantId ? Prisma.sql`and h.merchant_id = ${merchantId}::uuid` : Prisma.empty;
    const [row] = await ctx.db.$queryRaw<{ holds: number; points: bigint; dirhams: bigint }[]>`
      select coalesce(sum(open.holds), 0)::int as holds, coalesce(sum(open.points), 0)::bigint as points,
        coalesce(sum(open.points * config.dirhams_per_point), 0)::bigint as dirhams
      from (
        select h.merchant_id, count(*) as holds, sum(h.points - h.captured) as points
        from holds h join merchants m on m.id = h.merchant_id
        where h.state = 'open' and not is_lapsed(h.expires_at, m.suspended_at, ${ctx.clock()}::timestamptz) ${own}
        group by h.merchant_id
      ) open cross join lateral points_config_in_force(open.merchant_id) config`;
    const { holds = 0, points = 0n, dirhams = 0n } = row ?? {};
    return { holds, points: Number(points), cashValue: cashValue(dirhams, 1) };
  },
});

/** The share of what a merchant owes to its customers above which held points are worth a notice, in per cent. */
const SHARE = 20;

/**
 * Tells owners once a day that open holds reserve more than a fifth of the points that they owe: software may be holding
 * what it never takes. What is owed comes from the sums of days, as in the liability report.
 */
export async function alertHeld(db: Db): Promise<void> {
  await db.$executeRaw`
    insert into notices (merchant_id, kind, record_id, amount)
    select h.merchant_id, 'held_share', md5(h.merchant_id::text || qatar_day(now()))::uuid, h.points * 100 / owed.points
    from (
      select merchant_id, sum(points - captured) as points from holds
      where state = 'open' and expires_at > now() group by merchant_id
    ) h cross join lateral (
      select sum(d.paid + d.bonus) as points from (
        select distinct on (type) paid, bonus from pocket_days p where p.merchant_id = h.merchant_id
        order by type, day desc
      ) d
    ) owed
    where owed.points > 0 and h.points * 100 > owed.points * ${SHARE}::int
    on conflict (kind, record_id) do nothing`;
}

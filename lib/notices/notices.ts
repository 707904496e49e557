import { shownId } from "@/lib/customers/model/customer-id";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { afterCursor, type Order, ordered, pageOf, timeKey } from "@/lib/db/paging";
import { rowCount } from "@/lib/db/query";
import type { Reach } from "@/lib/domain/actor";
import { nothingSchema } from "@/lib/domain/ids";
import { pageSchema } from "@/lib/domain/paging";
import { translator } from "@/lib/i18n/translate";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { MOST_UNREAD, type Notice, seenSchema } from "./model";

const NEWEST: Order = { keys: [timeKey(Prisma.sql`n.created_at`)], id: Prisma.sql`n.id`, down: true };

/** The notices `n` that the user reads: the merchant's or the administrators', except those that the user caused. */
function ownNotices({ actor, reach }: Context & { reach: Reach }): Prisma.Sql {
  const readers =
    reach.scope === "any"
      ? Prisma.sql`n.merchant_id is null`
      : Prisma.sql`n.merchant_id = ${reach.merchantId}::uuid`;
  return Prisma.sql`${readers} and n.user_id is distinct from ${actor.userId}::uuid`;
}

/** Up to when the user has seen the notices: at first, those from before the account. */
const seenTo = (ctx: Context) => Prisma.sql`(
  select coalesce(v.seen_to, u.created_at) from users u left join notice_views v on v.user_id = u.id
  where u.id = ${ctx.actor.userId}::uuid)`;

/** How many notices the user has not seen, up to one more than MOST_UNREAD. */
export const countNotices = operation({
  permission: "notices.read",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<{ unread: number }> => {
    const [row] = await ctx.db.$queryRaw<{ unread: number }[]>`
    select count(*)::int as unread from (
      select 1 from notices n where ${ownNotices(ctx)} and n.created_at > ${seenTo(ctx)}
      order by n.created_at desc limit ${rowCount(MOST_UNREAD + 1)}) few`;
    return { unread: row?.unread ?? 0 };
  },
});

type Row = Omit<Notice, "amount" | "customerId"> & {
  amount: bigint | null;
  customerId: string | null;
  publicId: string | null;
  /** Whether the person is an administrator, whom owners do not see. */
  platform: boolean;
};

/** A page of the user's notices of the last 90 days, newest first. */
export const listNotices = operation({
  permission: "notices.read",
  input: pageSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<Notice>> => {
    const where = ownNotices(ctx);
    const rows = { from: Prisma.sql`notices n`, within: where };
    const after = await afterCursor(ctx.db, rows, NEWEST, query.cursor);
    const found = await ctx.db.$queryRaw<Row[]>`
    with page as materialized (
      select n.* from notices n where ${where} and ${after} order by ${ordered(NEWEST)} limit ${rowCount(query.limit + 1)}
    )
    select n.id::text as id, n.kind, n.created_at as "createdAt", n.created_at > ${seenTo(ctx)} as unread, n.amount,
      n.record_id::text as "recordId", c.id::text as "customerId",
      c.public_id::text as "publicId",
      case when c.status <> 'erased' then c.full_name end as "customerName",
      coalesce(u.first_name || ' ' || u.last_name, k.name) as "personName",
      coalesce(u.role in ('super_admin', 'admin'), false) as platform, t.name as "tillName",
      m.id::text as "merchantId", m.business_name as "merchantName",
      m.business_name_ar as "merchantNameAr", coalesce(p.kind <> 'points', false) as "ofLimit"
    from page n
    left join customers c on c.id = n.customer_id
    left join users u on u.id = n.user_id
    left join tills t on t.id = n.till_id
    left join api_keys k on k.id = n.api_key_id
    left join merchants m on m.id = n.about_id
    left join pending_changes p on n.kind = 'change_waiting' and p.id = n.record_id
    order by ${ordered(NEWEST)}`;
    const isOwners = ctx.reach.scope !== "any";
    return pageOf(found, query, ({ customerId: id, publicId, amount, platform, ...row }) => ({
      ...row,
      personName:
        platform && isOwners ? translator(ctx.locale)("activity.who.administrator") : row.personName,
      customerId: id === null || publicId === null ? null : shownId(ctx.actor, { id, publicId }),
      amount: amount === null ? null : Number(amount),
    }));
  },
});

/** A page of the user's notices, with how many are unread in all. */
export const readNotices = operation({
  permission: "notices.read",
  input: pageSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<Notice> & { unread: number }> => {
    const [page, { unread }] = await Promise.all([listNotices(ctx, query), countNotices(ctx, {})]);
    return { ...page, unread };
  },
});

/** Marks the user's notices up to a moment, at most now, as seen, for good. Answers how many are not. */
export const markNotices = operation({
  permission: "notices.read",
  input: seenSchema,
  // Marking notices as seen does not change the merchant's data.
  readOnly: true,
  run: async (ctx, { until }): Promise<{ unread: number }> => {
    // The moment came in milliseconds; the notice has microseconds.
    await ctx.db.$executeRaw`
    insert into notice_views (user_id, seen_to)
    values (${ctx.actor.userId}::uuid, least(${until}::timestamptz + interval '1 millisecond', clock_timestamp()))
    on conflict (user_id) do update set seen_to = greatest(notice_views.seen_to, excluded.seen_to)`;
    return countNotices(ctx, {});
  },
});

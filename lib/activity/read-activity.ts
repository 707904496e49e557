import { z } from "zod";
import { auditExport } from "@/lib/audit/audit";
import { shownId } from "@/lib/customers/model/customer-id";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { afterCursor, type Order, ordered, pageOf, timeKey } from "@/lib/db/paging";
import { merchantChoices, userChoices } from "@/lib/db/query";
import { readPart } from "@/lib/db/replica";
import type { Reach, StaffActor } from "@/lib/domain/actor";
import { idSchema } from "@/lib/domain/ids";
import { merchantName } from "@/lib/domain/localized-names";
import { byName, type Choice } from "@/lib/domain/paging";
import type { Locale } from "@/lib/domain/roles";
import { addDays, dayStart, qatarDay, qatarTimestamp } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { activityActor, activityText } from "@/lib/i18n/activity";
import { translator } from "@/lib/i18n/translate";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import {
  type Activity,
  type ActivityActor,
  type ActivityFilter,
  activityReportSchema,
  activitySchema,
} from "./model";

const EXPORT_ROWS = 1000;
const NEWEST: Order = {
  keys: [timeKey(Prisma.sql`a.created_at`)],
  id: Prisma.sql`a.id`,
  down: true,
};

type Row = Omit<Activity, "actor" | "before" | "after" | "address" | "device"> & {
  actorType: "user" | "api_key" | "card_holder" | "system" | null;
  actorId: string | null;
  /** The public ids of the holder who acted, of the customer, and of the one that an export was filtered by. */
  holderPublicId: string | null;
  customerPublicId: string | null;
  filterPublicId: string | null;
  actorName: string | null;
  /** Whether the actor, and the user whom it is about, work for the platform. */
  platform: boolean;
  aboutPlatform: boolean;
  details: Partial<Pick<Activity, "before" | "after">> | null;
  place: { address?: string; device?: string } | null;
};

/** The filter within the reach, as a condition on `audits a`. An owner filters by the own merchant's people only. */
function conditions(reach: Reach, filter: ActivityFilter): Prisma.Sql {
  const { actorId, kind, customerId, merchantId, from, to } = filter;
  const own = reach.scope === "any" ? null : reach.merchantId;
  const parts = [Prisma.sql`true`];
  if (own !== null) parts.push(Prisma.sql`a.merchant_id = ${own}::uuid`);
  if (merchantId) parts.push(Prisma.sql`a.merchant_id = ${merchantId}::uuid`);
  if (kind) parts.push(Prisma.sql`a.kind = ${kind}`);
  if (from) parts.push(Prisma.sql`a.created_at >= ${dayStart(from)}`);
  if (to) parts.push(Prisma.sql`a.created_at < ${dayStart(addDays(to, 1))}`);
  if (actorId) parts.push(Prisma.sql`a.actor_id = ${actorId}::uuid`);
  if (actorId && own !== null)
    parts.push(Prisma.sql`exists (
      select from users f where f.id = ${actorId}::uuid and f.merchant_id = ${own}::uuid)`);
  if (customerId)
    parts.push(Prisma.sql`a.entity = 'customer' and a.entity_id = (
      select f.id::text from customers f where f.id = ${customerId}::uuid or f.public_id = ${customerId}::uuid limit 1)`);
  return Prisma.join(parts, " and ");
}

async function rowsOf({ db }: Context, where: Prisma.Sql, cursor: string | undefined, limit: number) {
  const after = await afterCursor(db, { from: Prisma.sql`audits a`, within: where }, NEWEST, cursor);
  return db.$queryRaw<Row[]>`
    with page as materialized (
      select a.* from audits a where ${where} and ${after} order by ${ordered(NEWEST)} limit ${limit}
    )
    select a.id::text as id, a.created_at as "createdAt", a.action, a.actor_type::text as "actorType",
      coalesce(a.actor_id, a.api_key_id, a.customer_id)::text as "actorId",
      h.public_id::text as "holderPublicId", c.public_id::text as "customerPublicId",
      f.public_id::text as "filterPublicId",
      coalesce(u.first_name || ' ' || u.last_name, case when h.erased_at is null then h.full_name end, ka.name, a.job) as "actorName",
      coalesce(u.role in ('super_admin', 'admin'), false) as platform,
      coalesce(p.role in ('super_admin', 'admin'), false) as "aboutPlatform",
      case when a.merchant_id is not null then json_build_object('id', a.merchant_id,
        'businessName', coalesce(m.business_name, ''), 'businessNameAr', m.business_name_ar) end as merchant,
      a.entity, a.entity_id as "entityId",
      coalesce(b.name, l.name, k.name, case when c.erased_at is null then c.full_name end, e.business_name, p.first_name || ' ' || p.last_name) as "entityName",
      e.business_name_ar as "entityNameAr",
      d.content as details, t.content as place
    from page a
    left join users u on u.id = a.actor_id
    left join customers h on h.id = a.customer_id
    left join merchants m on m.id = a.merchant_id
    left join branches b on b.id = case when a.entity = 'branch' then a.entity_id::uuid end
    left join tills l on l.id = case when a.entity = 'till' then a.entity_id::uuid end
    left join api_keys k on k.id = case when a.entity = 'apiKey' then a.entity_id::uuid end
    left join api_keys ka on ka.id = a.api_key_id
    left join customers c on c.id = case when a.entity = 'customer' then a.entity_id::uuid end
    left join merchants e on e.id = case when a.entity = 'merchant' then a.entity_id::uuid end
    left join users p on p.id = case when a.entity = 'user' then a.entity_id::uuid end
    left join audit_texts d on d.audit_id = a.id and d.part = 'details'
    left join audit_texts t on t.audit_id = a.id and t.part = 'place'
    left join customers f on f.id = case when a.kind = 'export' then (d.content->'after'->>'customerId')::uuid end
    order by ${ordered(NEWEST)}`;
}

const ACTOR_TYPES = { user: "user", api_key: "apiKey", card_holder: "cardHolder", system: "system" } as const;

const shownOr = (viewer: StaffActor, id: string | null, publicId: string | null) =>
  id !== null && publicId !== null ? shownId(viewer, { id, publicId }) : id;

function actorOf(row: Row, viewer: StaffActor, hidden: boolean): ActivityActor {
  if (hidden) return { type: "administrator", id: null, name: null };
  return {
    type: row.actorType === null ? "stranger" : ACTOR_TYPES[row.actorType],
    id: shownOr(viewer, row.actorId, row.holderPublicId),
    name: row.actorName,
  };
}

/** An entry for the reader: an owner sees that an administrator acted, but neither who nor from where, nor whose account it was. */
function toActivity(row: Row, viewer: StaffActor, reach: Reach): Activity {
  const isOwners = reach.scope !== "any";
  const [hidden, hidesRecord] = [row.platform && isOwners, row.aboutPlatform && isOwners];
  const { id, createdAt, action, merchant, entity, entityId, entityName, entityNameAr, filterPublicId } = row;
  const after = row.details?.after ?? null;
  const filteredBy = after && shownOr(viewer, String(after.customerId), filterPublicId);
  return {
    id,
    createdAt,
    action,
    entity,
    entityName: hidesRecord ? null : entityName,
    entityNameAr,
    entityId: hidesRecord ? null : shownOr(viewer, entityId, row.customerPublicId),
    actor: actorOf(row, viewer, hidden),
    merchant,
    before: row.details?.before ?? null,
    after: filterPublicId === null ? after : { ...after, customerId: filteredBy },
    address: hidden ? null : (row.place?.address ?? null),
    device: hidden ? null : (row.place?.device ?? null),
  };
}

/** A page of the audit log within the reader's reach, newest first. */
export const listActivity = operation({
  permission: "activity.read",
  input: activitySchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx, query): Promise<Page<Activity>> => {
    const { cursor, limit, ...filter } = query;
    const rows = await rowsOf(ctx, conditions(ctx.reach, filter), cursor, limit + 1);
    return pageOf(rows, query, (row) => toActivity(row, ctx.actor, ctx.reach));
  },
});

async function* eachActivity(ctx: Context, reach: Reach, filter: ActivityFilter): AsyncGenerator<Activity[]> {
  const where = conditions(reach, filter);
  for (let cursor: string | undefined; ; ) {
    const rows = await readPart(ctx, (on) => rowsOf(on, where, cursor, EXPORT_ROWS));
    if (rows.length > 0) yield rows.map((row) => toActivity(row, ctx.actor, reach));
    if (rows.length < EXPORT_ROWS) return;
    cursor = rows.at(-1)?.id;
  }
}

/** A page; with the format "csv" an empty one, and everything that matches in parts that are read as they are asked for. */
type ActivityReport = { format: "json" | "csv"; page: Page<Activity>; parts: AsyncGenerator<Activity[]> };

/** The audit log within the reader's reach, newest first: a page, or as an export, which is written down. */
export const activityReport = operation({
  permission: "activity.read",
  input: activityReportSchema,
  readOnly: true,
  mayLag: true,
  stepUp: (_ctx, { format }) => format === "csv",
  run: async (ctx, { format = "json", ...query }): Promise<ActivityReport> => {
    const { cursor: _cursor, limit: _limit, ...filter } = query;
    if (format === "csv") await auditExport(ctx, "export.activity", filter);
    const page = format === "json" ? await listActivity(ctx, query) : { results: [], nextCursor: null };
    return { format, page, parts: eachActivity(ctx, ctx.reach, filter) };
  },
});

/** The choices of the filters: merchants (for administrators), and the people of the merchant or else of the platform. */
export const activityOptions = operation({
  permission: "activity.read",
  input: z.object({ merchantId: idSchema.optional() }),
  readOnly: true,
  run: async (ctx, input): Promise<{ merchants: Choice[]; people: Choice[] }> => {
    const { reach } = ctx;
    const merchantId = reach.scope === "any" ? input.merchantId : (reach.merchantId ?? undefined);
    const [merchants, people] = await Promise.all([
      reach.scope === "any" ? merchantChoices(ctx.db, merchantId, {}) : [],
      userChoices(ctx.db, merchantId ? { merchantId } : { role: { in: ["super_admin", "admin"] } }),
    ]);
    return { merchants: byName(merchants, (one) => merchantName(one, ctx.locale)), people };
  },
});

// A spreadsheet shows the marks that isolate a name's direction.
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, "");
const json = (values: Activity["before"]) => values && JSON.stringify(values);

/** The audit log as a CSV download in the user's language. The response is streamed. */
export function activityCsv(locale: Locale, parts: AsyncIterable<Activity[]>): Response {
  const t = translator(locale);
  return csvTable(
    `activity-${qatarDay(new Date())}.csv`,
    parts,
    {
      time: (entry) => qatarTimestamp(entry.createdAt),
      who: (entry) => plain(activityActor(locale, entry)),
      what: (entry) => plain(activityText(locale, entry)),
      merchant: (entry) => entry.merchant && merchantName(entry.merchant, locale),
      address: (entry) => entry.address,
      device: (entry) => entry.device,
      action: (entry) => entry.action,
      before: (entry) => json(entry.before),
      after: (entry) => json(entry.after),
      reference: (entry) => entry.id,
    },
    (column) => t(`activity.csv.${column}`),
  );
}

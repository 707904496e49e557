import { type AuditEntry, audit, difference } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma, type WebhookEndpoint } from "@/lib/db/generated/client";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { assertBranch } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import {
  merchantWhere,
  ownersNameOf,
  type Reach,
  type StaffActor,
  targetMerchantId,
} from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { BRANCH_REF, MERCHANT_REF } from "@/lib/domain/localized-names";
import { mailOwners } from "@/lib/email/queue";
import { env } from "@/lib/env";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import {
  createWebhookSchema,
  DELIVERY_ERRORS,
  deliveriesSchema,
  EVENT_TYPES,
  replaySchema,
  SECRET_OVERLAP_HOURS,
  updateWebhookSchema,
  webhooksSchema,
} from "./model";
import type { Delivery, Endpoint, EndpointWithSecret } from "./names";
import { eventBodies, HORIZON } from "./read-events";
import { checkAddress, newSecret, publicKeyOf } from "./send";

const endpointSelect = {
  id: true,
  url: true,
  events: true,
  ordered: true,
  asymmetric: true,
  disabledAt: true,
  failingSince: true,
  succeededAt: true,
  createdAt: true,
  merchant: { select: MERCHANT_REF },
  branch: { select: BRANCH_REF },
  secrets: {
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: 2,
    select: { secret: true, signingKey: true, endsAt: true },
  },
} as const satisfies Prisma.WebhookEndpointSelect;

type Row = Prisma.WebhookEndpointGetPayload<{ select: typeof endpointSelect }>;

function endpointFrom(row: Row, now: Date): Endpoint {
  const { secrets, events, asymmetric, disabledAt, failingSince, ...own } = row;
  const [newest, older] = secrets;
  return {
    ...own,
    events: EVENT_TYPES.filter((type) => events.includes(type)),
    publicKey: asymmetric && newest ? publicKeyOf(row.id, newest) : null,
    state: disabledAt ? "disabled" : failingSince ? "failing" : "active",
    olderEndsAt: older?.endsAt && older.endsAt > now ? older.endsAt : null,
  };
}

const MANAGED = { permission: "webhooks.manage", keyScope: "webhooks" } as const;

/** The webhooks of the caller's merchant, newest first. */
export const listWebhooks = operation({
  ...MANAGED,
  input: webhooksSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<Endpoint>> => {
    const rows = await ctx.db.webhookEndpoint.findMany({
      where: { AND: [merchantWhere(ctx.reach), { merchantId: query.merchantId }] },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      select: endpointSelect,
      ...pageArgs(query),
    });
    return pageOf(rows, query, (row) => endpointFrom(row, ctx.clock()));
  },
});

const endpointWhere = (id: string, reach: Reach) => ({ id, ...merchantWhere(reach) });

/** The deliveries of an endpoint with their attempts, newest first; of 30 days. Throws webhook_not_found. */
export const listDeliveries = operation({
  ...MANAGED,
  input: deliveriesSchema,
  errors: ["webhook_not_found"],
  readOnly: true,
  run: async (ctx, query): Promise<Page<Delivery> & { endpoint: Endpoint }> => {
    const endpoint = await ctx.db.webhookEndpoint.findFirst({
      where: endpointWhere(query.id, ctx.reach),
      select: endpointSelect,
    });
    if (!endpoint) throw new DomainError("webhook_not_found");
    const { state, from, to } = query;
    const rows = await ctx.db.webhookDelivery.findMany({
      where: { endpointId: query.id, state, createdAt: { gte: from, lt: to } },
      orderBy: { id: "desc" },
      include: { log: { orderBy: [{ sentAt: "desc" }, { id: "desc" }], take: 20 } },
      ...pageArgs(query),
    });
    const eventIds = rows.map(({ eventId }) => eventId);
    const bodies = await eventBodies(ctx.db, eventIds);
    const page = pageOf(rows, query, ({ log, ...row }): Delivery => {
      const body = bodies.get(row.eventId) ?? null;
      const errorOf = (text: string | null) => DELIVERY_ERRORS.find((error) => error === text) ?? null;
      const attempts = log.map((one) => ({ ...one, error: errorOf(one.error) }));
      const nextAt = row.state === "pending" ? row.nextAt : null;
      return { ...row, body, type: body?.type ?? null, nextAt, attempts };
    });
    return { ...page, endpoint: endpointFrom(endpoint, ctx.clock()) };
  },
});

const MOST = 20;

async function readEndpoint(tx: Tx, id: string, now: Date): Promise<Endpoint> {
  const row = await tx.webhookEndpoint.findUniqueOrThrow({ where: { id }, select: endpointSelect });
  return endpointFrom(row, now);
}

/** The endpoint within reach, locked against other changes of it. Throws webhook_not_found. */
async function lockEndpoint(tx: Tx, id: string, reach: Reach) {
  await tx.$queryRaw`select 1 from webhook_endpoints where id = ${id}::uuid for update`;
  const endpoint = await tx.webhookEndpoint.findFirst({ where: endpointWhere(id, reach) });
  if (!endpoint) throw new DomainError("webhook_not_found");
  return endpoint;
}

type Deed = "created" | "changed" | "deleted" | "rotated" | "replayed";

/** The settings of an endpoint as the log has them. Of its address only the host: the rest may be a secret of the receiver. */
const settingsOf = ({ url, events, branchId, ordered, asymmetric, disabledAt }: WebhookEndpoint) => ({
  host: new URL(url).host,
  events,
  branchId,
  ordered,
  asymmetric,
  sending: disabledAt === null,
});

/** Writes down what was done to an endpoint, under the name of its host. Owners get an e-mail, but not of a replay. */
async function auditWebhook(
  tx: Tx,
  ctx: Context<StaffActor>,
  { id, merchantId, url }: { id: string; merchantId: string; url: string },
  deed: Deed,
  { before, after }: Pick<AuditEntry, "before" | "after"> = {},
): Promise<void> {
  const { host } = new URL(url);
  const values = { ...(before && { before }), after: { name: host, ...after } };
  await audit(tx, ctx, { merchantId, action: `webhook.${deed}`, entity: "webhook", entityId: id, ...values });
  if (deed === "replayed") return;
  await mailOwners(tx, merchantId, "webhook_changed", ({ name }) => ({
    host,
    change: deed,
    person: ownersNameOf(ctx.actor),
    key: ctx.actor.type === "apiKey" ? ctx.actor.name : "",
    at: ctx.clock(),
    url: `${env().APP_URL}/merchant/settings/integrations/webhooks`,
    name,
  }));
}

/** Makes an endpoint, which gets what happens from now on. Its secret is in this answer only. */
export const createWebhook = operation({
  ...MANAGED,
  input: createWebhookSchema,
  errors: ["webhook_address", "branch_not_found", "merchant_not_found", "too_many_webhooks"],
  stepUp: true,
  run: async (ctx, { merchantId: named, ...given }): Promise<EndpointWithSecret> => {
    const merchantId = targetMerchantId(ctx.reach, named);
    await checkAddress(given.url);
    return ctx.db.$transaction(async (tx) => {
      const [merchant] = await tx.$queryRaw<unknown[]>`
        select 1 from merchants where id = ${merchantId}::uuid for no key update`;
      if (!merchant) throw new DomainError("merchant_not_found");
      if ((await tx.webhookEndpoint.count({ where: { merchantId } })) >= MOST)
        throw new DomainError("too_many_webhooks", { limit: MOST });
      await assertBranch(tx, given.branchId, { merchantId });
      const [now] = await tx.$queryRaw<{ horizon: bigint }[]>`select ${HORIZON} as horizon`;
      const data = { ...given, merchantId, afterTx: now?.horizon ?? 0n };
      const made = await tx.webhookEndpoint.create({ data });
      const { id } = made;
      const { secret, kept } = newSecret(id);
      await tx.webhookSecret.create({ data: { ...kept, endpointId: id }, select: { id: true } });
      await auditWebhook(tx, ctx, made, "created", { after: settingsOf(made) });
      return { ...(await readEndpoint(tx, id, ctx.clock())), secret };
    });
  },
});

/** Changes an endpoint; what is left out stays. Made active again, it gets first what happened while it was disabled. */
export const updateWebhook = operation({
  ...MANAGED,
  input: updateWebhookSchema,
  errors: ["webhook_not_found", "webhook_address", "branch_not_found"],
  stepUp: true,
  run: async (ctx, { id, state, ...given }): Promise<Endpoint> => {
    if (given.url !== undefined) await checkAddress(given.url);
    return ctx.db.$transaction(async (tx) => {
      const before = await lockEndpoint(tx, id, ctx.reach);
      await assertBranch(tx, given.branchId, { merchantId: before.merchantId });
      const now = ctx.clock();
      const data = {
        ...given,
        ...(state === "active" && { disabledAt: null, failingSince: null }),
        ...(state === "disabled" && { disabledAt: before.disabledAt ?? now }),
      };
      const after = await tx.webhookEndpoint.update({ where: { id }, data });
      const changed = difference(settingsOf(before), settingsOf(after));
      if (changed || after.url !== before.url) await auditWebhook(tx, ctx, after, "changed", changed ?? {});
      return readEndpoint(tx, id, now);
    });
  },
});

/** Deletes an endpoint with its log: nothing more is sent. Throws webhook_not_found. */
export const deleteWebhook = operation({
  ...MANAGED,
  input: byIdSchema,
  errors: ["webhook_not_found"],
  stepUp: true,
  run: async (ctx, { id }): Promise<void> =>
    ctx.db.$transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, id, ctx.reach);
      await auditWebhook(tx, ctx, endpoint, "deleted");
      await tx.webhookEndpoint.delete({ where: { id }, select: { id: true } });
    }),
});

/** Adds a second secret; both sign for 24 hours. Throws webhook_not_found, webhook_rotating meanwhile. */
export const rotateWebhook = operation({
  ...MANAGED,
  input: byIdSchema,
  errors: ["webhook_not_found", "webhook_rotating"],
  stepUp: true,
  run: async (ctx, { id }): Promise<EndpointWithSecret> => {
    const { secret, kept } = newSecret(id);
    return ctx.db.$transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, id, ctx.reach);
      const now = ctx.clock();
      const own = { endpointId: id };
      if ((await tx.webhookSecret.count({ where: { ...own, endsAt: { gt: now } } })) > 0)
        throw new DomainError("webhook_rotating");
      const endsAt = new Date(now.getTime() + SECRET_OVERLAP_HOURS * 60 * 60 * 1000);
      await tx.webhookSecret.updateMany({ where: { ...own, endsAt: null }, data: { endsAt } });
      await tx.webhookSecret.create({ data: { ...own, ...kept }, select: { id: true } });
      await auditWebhook(tx, ctx, endpoint, "rotated");
      return { ...(await readEndpoint(tx, id, now)), secret };
    });
  },
});

/** Tests and replays of a merchant: a replay may send ninety days again, and a test is kept as long. */
const SENDINGS: GuardLimit = { name: "webhook-sendings", points: 60, seconds: 60 };

/** Counts a test or a replay of an endpoint within reach. Throws webhook_not_found, rate_limited. */
async function countSending({ db, reach }: { db: Db; reach: Reach }, id: string): Promise<void> {
  const where = endpointWhere(id, reach);
  const endpoint = await db.webhookEndpoint.findFirst({ where, select: { merchantId: true } });
  if (!endpoint) throw new DomainError("webhook_not_found");
  await consume(db, SENDINGS, endpoint.merchantId);
}

/** Sends the endpoint, and no other, an endpoint.test. Answers the event's id. Throws rate_limited as a replay does. */
export const testWebhook = operation({
  ...MANAGED,
  input: byIdSchema,
  errors: ["webhook_not_found"],
  run: async (ctx, { id }): Promise<{ eventId: string }> => {
    await countSending(ctx, id);
    return ctx.db.$transaction(async (tx) => {
      await lockEndpoint(tx, id, ctx.reach);
      const [event] = await tx.$queryRaw<{ eventId: string }[]>`
        select add_test_event(${id}::uuid)::text as "eventId"`;
      return { eventId: event?.eventId ?? "" };
    });
  },
});

/** Sends an event, a range or what failed again; they keep their ids. Throws rate_limited above SENDINGS. */
export const replayWebhook = operation({
  ...MANAGED,
  input: replaySchema,
  errors: ["webhook_not_found", "not_found"],
  run: async (ctx, { id, eventId, from, to, failedOnly }): Promise<{ count: number }> => {
    await countSending(ctx, id);
    return ctx.db.$transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, id, ctx.reach);
      const [start, end] = [from ?? "-infinity", to ?? "infinity"];
      const within = Prisma.sql`v.created_at >= ${start}::timestamptz and v.created_at < ${end}::timestamptz`;
      const one = eventId ? Prisma.sql`v.id = ${eventId}::uuid` : Prisma.sql`true`;
      const failed = failedOnly
        ? Prisma.sql`exists (select from webhook_deliveries d
            where d.endpoint_id = w.id and d.event_id = v.id and d.state = 'failed')`
        : Prisma.sql`true`;
      // Events that are not yet followed come by themselves.
      const count = await tx.$executeRaw`
        insert into webhook_deliveries (endpoint_id, event_id, subject_id, i_seq, tx)
        select w.id, v.id, v.subject_id, v.i_seq, v.tx
        from webhook_endpoints w join events v on v.merchant_id = w.merchant_id
        where w.id = ${id}::uuid and ${within} and ${one} and ${failed}
          and (v.tx, v.subject_id, v.i_seq) <= (w.after_tx, w.after_subject, w.after_seq)
          and ((v.type = any (w.events) and (w.branch_id is null or w.branch_id = v.branch_id))
            or (v.type = 'endpoint.test' and v.subject_id = w.id))
        order by v.tx, v.subject_id, v.i_seq
        on conflict (endpoint_id, event_id)
          do update set state = 'pending', attempts = 0, next_at = now(), failed_at = null`;
      if (eventId && count === 0) throw new DomainError("not_found");
      await auditWebhook(tx, ctx, endpoint, "replayed");
      return { count };
    });
  },
});

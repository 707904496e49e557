import type { Prisma } from "@/lib/db/generated/client";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { merchantWhere, type Reach } from "@/lib/domain/actor";
import { BRANCH_REF } from "@/lib/domain/branch-name";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_REF } from "@/lib/domain/merchant-name";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import {
  DELIVERY_ERRORS,
  type Delivery,
  deliveriesSchema,
  type Endpoint,
  EVENT_TYPES,
  webhooksSchema,
} from "./model";
import { eventBodies } from "./read-events";
import { publicKeyOf } from "./signatures";

/** What an endpoint's list shows of it, and its newest two secrets. */
export const endpointSelect = {
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

/** Maps a row of endpointSelect to an endpoint. */
export function endpointFrom(row: Row, now: Date): Endpoint {
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

/** The webhooks of the caller's merchant, newest first. */
export const listWebhooks = operation({
  permission: "webhooks.manage",
  keyScope: "webhooks",
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

/** The where of one endpoint within reach. */
export const endpointWhere = (id: string, reach: Reach) => ({ id, ...merchantWhere(reach) });

/** The deliveries of an endpoint with their attempts, newest first; of 30 days. Throws webhook_not_found. */
export const listDeliveries = operation({
  permission: "webhooks.manage",
  keyScope: "webhooks",
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
      return {
        ...row,
        body,
        type: body?.type ?? null,
        nextAt: row.state === "pending" ? row.nextAt : null,
        attempts: log.map((one) => ({
          ...one,
          error: DELIVERY_ERRORS.find((error) => error === one.error) ?? null,
        })),
      };
    });
    return { ...page, endpoint: endpointFrom(endpoint, ctx.clock()) };
  },
});

import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { audit } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import { rowCount } from "@/lib/db/query";
import { mailOwners } from "@/lib/email/queue";
import type { TemplateParams } from "@/lib/email/render";
import { env } from "@/lib/env";
import type { Task } from "@/lib/jobs/queue";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import type { EventBody } from "./model";
import { eventBodies, HORIZON } from "./read-events";
import {
  type CheckedAddress,
  checkAddress,
  closeConnections,
  type Outcome,
  outcomeOf,
  post,
  type Signer,
  signerOf,
} from "./send";

const payloadSchema = z.object({
  owner: z.uuid(),
  stop: z.instanceof(AbortSignal),
  once: z.boolean().default(false),
});

/**
 * Delivers webhooks until it is stopped, or with `once` until nothing is due: each endpoint in a separate lane. At least
 * once: what a dead process had sent and not written down is sent again by who takes over its endpoints (`owner`).
 */
export const deliverWebhooks: Task = async ({ db }, payload) => {
  const { owner, stop, once } = payloadSchema.parse(payload);
  const lanes = new Map<string, Promise<void>>();
  const start = (id: string) => {
    const lane = new EndpointLane({ db, id, owner, stop, once })
      .run()
      .catch(async (error: unknown) => {
        log("error", "webhooks", { endpointId: id, error });
        // Not at once: a lane that fails at its first statement would begin again and again.
        await pause(1_000, undefined, { signal: stop }).catch(() => undefined);
        await releaseEndpoint(db, owner, id).catch(() => undefined);
      })
      .finally(() => lanes.delete(id));
    lanes.set(id, lane);
  };
  try {
    while (!stop.aborted) {
      const claimed = await claimEndpoints(db, owner, [...lanes.keys()]);
      for (const id of claimed) start(id);
      if (once && claimed.length === 0) break;
      if (once) await Promise.all(lanes.values());
      else await pause(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  } finally {
    await Promise.all(lanes.values());
    if (!once) closeConnections();
  }
};

/** Requests in flight: while it fails or is slow, and while its answers take less than a second. */
const [FEW, MANY] = [4, 32];
const FAST_MS = 1_000;
/** Milliseconds between two looks for more: for endpoints, and while requests are under way or wait for earlier ones. */
const LOOK_MS = 200;
/** Milliseconds for everything that an attempt waits for. */
const PATIENCE_MS = 15_000;

type Target = { url: string; ordered: boolean; sign: Signer };

/** `stop` lets finish what is in flight; `once` ends a lane when nothing can be sent now, though something waits for others. */
type LaneOptions = { db: Db; id: string; owner: string; stop: AbortSignal; once: boolean };

class EndpointLane {
  /** The deliveries that are being sent, and those that were sent and are not yet written down. */
  private readonly inFlight = new Map<string, Due>();
  private made: Made[] = [];
  private limit = FEW;
  private wake: () => void = () => undefined;
  private checking: Promise<CheckedAddress> | undefined;

  constructor(private readonly options: LaneOptions) {}

  /** Resolves when there is nothing to send now, and the endpoint is given back. Throws errors of the database. */
  async run(): Promise<void> {
    const { db, id, owner } = this.options;
    try {
      while (await this.turn());
    } finally {
      while (this.inFlight.size > 0) {
        await this.next();
        await this.record();
      }
    }
    await releaseEndpoint(db, owner, id);
  }

  /** Sends what may be sent, then waits for an answer. Answers whether there may be more. */
  private async turn(): Promise<boolean> {
    const { db, id, stop, once } = this.options;
    await this.record();
    if (stop.aborted) return false;
    const target = await this.readTarget();
    if (!target) return false;
    const due = await this.readDue(target);
    const eventIds = due.map(({ eventId }) => eventId);
    const bodies = await eventBodies(db, eventIds);
    for (const one of due) this.start(target, one, bodies.get(one.eventId));
    if (this.inFlight.size > 0) {
      await this.next();
      return true;
    }
    if (once || !(await hasDue(db, id))) return false;
    await pause(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
    return true;
  }

  /** Waits until an attempt ends, or for a moment. */
  private async next(): Promise<void> {
    if (this.made.length > 0) return;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    await Promise.race([ended, pause(LOOK_MS)]);
  }

  /** The endpoint as it is now; null once it is disabled, deleted or another process's. */
  private async readTarget(): Promise<Target | null> {
    const { db, id, owner } = this.options;
    const endpoint = await db.webhookEndpoint.findFirst({
      where: { id, claimedBy: owner, disabledAt: null },
      select: {
        url: true,
        ordered: true,
        asymmetric: true,
        secrets: {
          where: { OR: [{ endsAt: null }, { endsAt: { gt: new Date() } }] },
          orderBy: { createdAt: "desc" },
          select: { secret: true, signingKey: true },
        },
      },
    });
    if (!endpoint) return null;
    const { url, ordered, asymmetric, secrets } = endpoint;
    return { url, ordered, sign: signerOf(id, secrets, asymmetric) };
  }

  /** The deliveries that may be sent now. Events become deliveries only as they are needed: a long backlog stays where it is. */
  private async readDue({ ordered }: Target): Promise<Due[]> {
    const { db, id, owner } = this.options;
    const free = this.limit - this.inFlight.size;
    if (free <= 0) return [];
    const found = new Map<string, Due>();
    const read = async () => {
      const all = [...this.inFlight.values(), ...found.values()];
      const sent = { ids: all.map((one) => one.id), subjects: all.map((one) => one.subjectId) };
      for (const one of await nextDeliveries(db, id, free - found.size, sent)) {
        const key = ordered ? one.subjectId : one.id;
        if (!found.has(key)) found.set(key, one);
      }
    };
    await read();
    if (found.size < free && (await followEvents(db, owner, id)) > 0) await read();
    return [...found.values()];
  }

  private start(target: Target, due: Due, body: EventBody | undefined): void {
    const sentAt = new Date();
    const since = performance.now();
    this.inFlight.set(due.id, due);
    const sent = this.send(target, due, body, sentAt).catch(() => outcomeOf(since, { error: "connection" }));
    const late = pause(PATIENCE_MS, undefined, { ref: false });
    const timeout = late.then(() => outcomeOf(since, { error: "timeout" }));
    void Promise.race([sent, timeout]).then((outcome) => {
      this.made.push({ due, url: target.url, sentAt, outcome });
      const good = outcome.status !== null && outcome.status < 300 && outcome.duration < FAST_MS;
      this.limit = good ? Math.min(MANY, this.limit + 1) : FEW;
      this.wake();
    });
  }

  private async send(target: Target, due: Due, body: EventBody | undefined, at: Date): Promise<Outcome> {
    const since = performance.now();
    // An event that was forgotten cannot be sent: its retries come to nothing.
    if (!body) return outcomeOf(since, { error: "address" });
    // Attempts that begin together share one look-up.
    this.checking ??= checkAddress(target.url).finally(() => {
      this.checking = undefined;
    });
    const checked = await this.checking.catch(() => null);
    if (!checked) return outcomeOf(since, { error: "address" });
    const text = JSON.stringify(body);
    return post(checked, target.sign(due.eventId, at, text), text);
  }

  private async record(): Promise<void> {
    const made = this.made.splice(0);
    if (made.length === 0) return;
    try {
      await recordAttempts(this.options.db, this.options.id, made);
    } finally {
      for (const { due } of made) this.inFlight.delete(due.id);
    }
  }
}

/** Seconds after each failed attempt until the next; none follows the tenth. */
const RETRIES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const DAY = 86_400;
/** Events that become deliveries at once. */
const EVENTS = 500;

type Due = { id: string; eventId: string; subjectId: string; attempts: number };
type Made = { due: Due; url: string; sentAt: Date; outcome: Outcome };

const isSuccess = ({ status }: Outcome) => status !== null && status >= 200 && status < 300;

/** Seconds until the next attempt, with a jitter of 20 %; null after the last. */
function retryAfter(attempts: number, { retryAfter: asked }: Outcome): number | null {
  const delay = RETRIES[attempts - 1];
  return delay === undefined
    ? null
    : Math.max(delay * (0.8 + 0.4 * Math.random()), Math.min(asked ?? 0, DAY));
}

/** Takes the endpoints with something to send that no living process has, for `owner`, a row of background_workers. */
async function claimEndpoints(db: Db, owner: string, running: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    update webhook_endpoints set claimed_by = ${owner}::uuid where id in (
      select e.id from webhook_endpoints e
      where e.disabled_at is null and e.id <> all (${running}::uuid[])
        and (e.claimed_by is null or e.claimed_by = ${owner}::uuid
          or not exists (select from background_workers b where b.id = e.claimed_by))
        and (
          exists (select from webhook_deliveries d
            where d.endpoint_id = e.id and d.state = 'pending' and d.next_at <= now())
          or exists (select from events v where v.merchant_id = e.merchant_id and v.tx < ${HORIZON}
            and (v.tx, v.subject_id, v.i_seq) > (e.after_tx, e.after_subject, e.after_seq)))
      for update skip locked)
    returning id::text as id`;
  return rows.map(({ id }) => id);
}

async function releaseEndpoint(db: Db, owner: string, id: string): Promise<void> {
  await db.$executeRaw`
    update webhook_endpoints set claimed_by = null where id = ${id}::uuid and claimed_by = ${owner}::uuid`;
}

/** Makes deliveries of the next events of an endpoint that `owner` has. Answers how many events it read. */
async function followEvents(db: Db, owner: string, id: string): Promise<number> {
  const [row] = await db.$queryRaw<{ read: number }[]>`
    with mine as materialized (
      select * from webhook_endpoints
      where id = ${id}::uuid and claimed_by = ${owner}::uuid and disabled_at is null for update
    ), read as materialized (
      select v.* from mine e cross join lateral (
        select * from events o where o.merchant_id = e.merchant_id and o.tx < ${HORIZON}
          and (o.tx, o.subject_id, o.i_seq) > (e.after_tx, e.after_subject, e.after_seq)
        order by o.tx, o.subject_id, o.i_seq limit ${rowCount(EVENTS)}) v
    ), made as (
      insert into webhook_deliveries (endpoint_id, event_id, subject_id, i_seq, tx)
      select e.id, r.id, r.subject_id, r.i_seq, r.tx from read r cross join mine e
      where (r.type = any (e.events) and (e.branch_id is null or e.branch_id = r.branch_id))
        or (r.type = 'endpoint.test' and r.subject_id = e.id)
      order by r.tx, r.subject_id, r.i_seq
      on conflict (endpoint_id, event_id) do nothing
    ), moved as (
      update webhook_endpoints w set after_tx = l.tx, after_subject = l.subject_id, after_seq = l.i_seq
      from (select tx, subject_id, i_seq from read order by tx desc, subject_id desc, i_seq desc limit 1) l
      where w.id = ${id}::uuid
    )
    select count(*)::int as read from read`;
  return row?.read ?? 0;
}

type InFlight = { ids: string[]; subjects: string[] };

/** If ordered: one a customer, none before an earlier one, unless that failed alone for ten minutes. */
async function nextDeliveries(db: Db, id: string, most: number, sent: InFlight): Promise<Due[]> {
  return db.$queryRaw<Due[]>`
    select d.id::text as id, d.event_id::text as "eventId", d.subject_id::text as "subjectId", d.attempts
    from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
    where e.id = ${id}::uuid and d.state = 'pending' and d.next_at <= now() and d.id <> all (${sent.ids}::uuid[])
      and (not e.ordered or (d.subject_id <> all (${sent.subjects}::uuid[]) and not exists (
        select from webhook_deliveries p
        where p.endpoint_id = d.endpoint_id and p.subject_id = d.subject_id and p.state = 'pending'
          and (p.tx, p.i_seq) < (d.tx, d.i_seq)
          and not (p.failed_at < now() - interval '10 minutes' and e.succeeded_at > p.failed_at)
        offset 0)))
    order by d.next_at, d.id limit ${rowCount(most)}`;
}

/** Whether something of the endpoint is due, though it may have to wait for an earlier one. */
async function hasDue(db: Db, id: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ due: boolean }[]>`
    select exists (select from webhook_deliveries d
      where d.endpoint_id = ${id}::uuid and d.state = 'pending' and d.next_at <= now()) as due`;
  return row?.due ?? false;
}

type Kept = { id: string; attempts: number; state: string; failedAt: Date | null };

async function recordAttempts(db: Db, id: string, made: Made[]): Promise<void> {
  const rows = made.map(({ due, sentAt, outcome }) => {
    const { status, error, duration, answer } = outcome;
    const success = isSuccess(outcome);
    metrics().webhooks.inc({ outcome: success ? "succeeded" : "failed" });
    const wait = success || status === 410 ? null : retryAfter(due.attempts + 1, outcome);
    const tried = { id: due.id, sent_at: sentAt, status, error, duration, answer };
    return { ...tried, state: success ? "succeeded" : wait === null ? "failed" : "pending", wait };
  });
  const anySuccess = rows.some(({ state }) => state === "succeeded");
  await db.$transaction(async (tx) => {
    const kept = await tx.$queryRaw<Kept[]>`
      with given as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(id uuid, sent_at timestamptz, status int,
          error text, duration int, answer text, state text, wait float8)
      ), logged as (
        insert into webhook_attempts (delivery_id, sent_at, status, error, duration, answer)
        select d.id, g.sent_at, g.status, g.error, g.duration, g.answer
        from given g join webhook_deliveries d on d.id = g.id
      )
      update webhook_deliveries d set state = g.state::"DeliveryState", attempts = d.attempts + 1,
        next_at = now() + coalesce(g.wait, 0) * interval '1 second',
        failed_at = case when g.state = 'succeeded' then d.failed_at else coalesce(d.failed_at, now()) end
      from given g where d.id = g.id
      returning d.id::text as id, d.attempts, d.state::text as state, d.failed_at as "failedAt"`;
    const failed = kept.filter(({ state }) => state !== "succeeded");
    await tx.$executeRaw`
      update webhook_endpoints set
        succeeded_at = case when ${anySuccess} then now() else succeeded_at end,
        failing_since = case when ${anySuccess} then null else coalesce(failing_since, now()) end
      where id = ${id}::uuid`;
    if (failed.length > 0) await afterFailures(tx, id, failed, made);
  });
}

/** An e-mail at a third failure, the end after the last or a 410. Answers of an address before the present one do not count. */
async function afterFailures(tx: Tx, id: string, kept: Kept[], made: Made[]): Promise<void> {
  await tx.$queryRaw`select 1 from webhook_endpoints where id = ${id}::uuid for update`;
  const endpoint = await tx.webhookEndpoint.findUnique({ where: { id } });
  if (!endpoint || endpoint.disabledAt) return;
  const { merchantId, url, succeededAt, thirdMailedAt } = endpoint;
  const sent = new Map(made.filter((one) => one.url === url).map((one) => [one.due.id, one.outcome]));
  const failed = kept.filter((one) => sent.has(one.id));
  const gone = failed.some((one) => sent.get(one.id)?.status === 410);
  const now = new Date();
  const aDayAgo = new Date(now.getTime() - DAY * 1000);
  const tell = (change: Change) => tellOwners(tx, merchantId, { id, url, change, at: now });
  const isLost = ({ state, failedAt }: Kept) =>
    state === "failed" && (succeededAt === null || failedAt === null || succeededAt < failedAt);
  if (gone || failed.some(isLost)) {
    await tx.webhookEndpoint.update({ where: { id }, data: { disabledAt: now } });
    const system = { actor: { type: "system", job: "webhooks" } } as const;
    await audit(tx, system, { merchantId, action: "webhook.disabled", entity: "webhook", entityId: id });
    await tell("disabled");
  } else if (failed.some(({ attempts }) => attempts === 3) && (!thirdMailedAt || thirdMailedAt < aDayAgo)) {
    await tx.webhookEndpoint.update({ where: { id }, data: { thirdMailedAt: now } });
    await tell("third");
  }
}

/** Tells owners, once, of each webhook that has failed for a day. */
export async function mailFailingDays(db: Db): Promise<void> {
  await db.$transaction(async (tx) => {
    const failing = await tx.$queryRaw<{ id: string; merchantId: string; url: string; at: Date }[]>`
      update webhook_endpoints set day_mailed_at = now()
      where disabled_at is null and failing_since < now() - interval '1 day'
        and (day_mailed_at is null or day_mailed_at < failing_since)
      returning id::text as id, merchant_id::text as "merchantId", url, failing_since as at`;
    for (const { merchantId, ...told } of failing)
      await tellOwners(tx, merchantId, { ...told, change: "day" });
  });
}

type Change = TemplateParams["webhook_fails"]["change"];
type Told = { id: string; url: string; change: Change; at: Date };

async function tellOwners(tx: Tx, merchantId: string, { id, url: address, ...about }: Told): Promise<void> {
  const host = new URL(address).host;
  const url = `${env().APP_URL}/merchant/settings/integrations/webhooks/${id}`;
  await mailOwners(tx, merchantId, "webhook_fails", ({ name }) => ({ ...about, host, name, url }));
}

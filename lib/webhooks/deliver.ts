import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Db } from "@/lib/db/client";
import type { Task } from "@/lib/jobs/queue";
import { log } from "@/lib/observe/log";
import {
  claimEndpoints,
  type Due,
  followEvents,
  hasDue,
  type Made,
  nextDeliveries,
  recordAttempts,
  releaseEndpoint,
} from "./deliveries";
import type { EventBody } from "./model";
import { eventBodies } from "./read-events";
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
 * Delivers webhooks until it is stopped, or with `once` until nothing is due: each endpoint in a separate lane. `owner` is
 * a row of background_workers, whose endpoints another process takes over once it is gone. At least once: what a process had
 * sent and not written down when it died is sent again.
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

/** Sends what one endpoint gets, for as long as there is something. Endpoints do not wait for each other. */
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

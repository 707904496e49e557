import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Task } from "@/lib/jobs/queue";
import { log } from "@/lib/observe/log";
import { claimEndpoints, releaseEndpoint } from "./deliveries";
import { EndpointLane } from "./lane";
import { closeConnections } from "./send";

/** Milliseconds between two looks for endpoints with something to send. */
const POLL_MS = 200;

const payloadSchema = z.object({
  owner: z.uuid(),
  stop: z.instanceof(AbortSignal),
  once: z.boolean().default(false),
});

/**
 * Delivers webhooks until it is stopped, or with `once` until nothing is due: each endpoint in a lane of its own. `owner` is
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
      else await pause(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  } finally {
    await Promise.all(lanes.values());
    if (!once) closeConnections();
  }
};

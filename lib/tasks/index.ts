import { createHash, timingSafeEqual } from "node:crypto";
import type { ActorFrom, Context } from "@/lib/db/context";
import { authorize, type SystemActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { mailTransport } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { removeStale } from "@/lib/files/uploads";
import { CORE_TASKS } from "@/lib/jobs/known-tasks";
import type { TaskTable } from "@/lib/jobs/queue";
import { runCron } from "@/lib/jobs/run-due";
import { mailSealsOfYesterday } from "@/lib/ledger/mail-seals";
import { checkLedger } from "@/lib/ledger/run-check";
import { pushPass, updateGoogle, updateGoogleMerchant } from "@/lib/passes/push";
import {
  cardsChanged,
  customerErased,
  customerRenamed,
  followPostings,
  movementPosted,
} from "./movement-posted";

/**
 * All background work of the product, by job name: the operations' own is added here. Read by the server's start and
 * the cron route only.
 */
export const TASKS: TaskTable = {
  ...CORE_TASKS,
  // Queued by servers of the release before; posting now leaves rows in its outbox.
  movement_posted: movementPosted,
  follow_postings: followPostings,
  check_ledger: checkLedger,
  mail_seals: mailSealsOfYesterday,
  customer_erased: customerErased,
  customer_renamed: customerRenamed,
  cards_changed: cardsChanged,
  push_pass: pushPass,
  update_google_pass: updateGoogle,
  update_google_class: updateGoogleMerchant,
  async sweep(ctx, payload) {
    await CORE_TASKS.sweep(ctx, payload);
    await removeStale(ctx.db);
  },
};

const digest = (value: string) => createHash("sha256").update(value).digest();

/** The system, where the header is `Bearer` and CRON_SECRET. Throws unauthenticated otherwise. */
const systemBySecret: ActorFrom<unknown> = async (_ctx, _input, { authorization }) => {
  const secret = env().CRON_SECRET;
  const expected = digest(`Bearer ${secret ?? ""}`);
  // Digests are of one length, so the comparison takes the same time for every guess.
  if (!secret || !timingSafeEqual(digest(authorization ?? ""), expected)) {
    throw new DomainError("unauthenticated");
  }
  return { type: "system", job: "cron" };
};

/** One turn of the background work, for machines without a worker: the sweep, the daily sums, every due job. */
export async function cronTurn(ctx: Context<SystemActor>, _input: object): Promise<{ done: true }> {
  authorize(ctx.actor, "jobs.run");
  await runCron({ db: ctx.db, transport: mailTransport() }, TASKS);
  return { done: true };
}
cronTurn.permission = "jobs.run" as const;
cronTurn.input = nothingSchema;
cronTurn.errors = ["unauthenticated"] as const;
cronTurn.actorFrom = systemBySecret;

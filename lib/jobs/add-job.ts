import type { Tx } from "@/lib/db/client";
import { type Actor, actorRef } from "@/lib/domain/actor";

/** The part of a transaction that the queue needs. */
export type QueueTx = {
  $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<Rows>;
};

/** Whose doing a job is. */
type CausedBy = { actor: Actor | null };

/** The queue takes the lowest first. News for passes go before what follows a movement, which is 0. */
const PRIORITY: Readonly<Record<string, number>> = {
  customer_erased: -10,
  customer_renamed: -10,
  cards_changed: -10,
  push_pass: -10,
  update_google_pass: -10,
};

/** `key`: of several waiting jobs with the same key one stays, the latest. */
export type JobOptions = { key?: string; runAt?: Date; maxAttempts?: number };

/**
 * As addJob, but where the database has no queue nothing happens: for news that nobody misses. The payload names who
 * caused it.
 */
export async function addJobIfAny(
  tx: QueueTx,
  ctx: CausedBy,
  task: string,
  payload: object,
  options: JobOptions = {},
): Promise<void> {
  const [queue] = await tx.$queryRaw<{ there: boolean }[]>`
    select to_regnamespace('graphile_worker') is not null as there`;
  if (queue?.there) await addJob(tx, task, { ...payload, actor: actorRef(ctx.actor) }, options);
}

/** Puts a job into the queue within the caller's transaction: it is there when that commits, not when it rolls back. */
export async function addJob(
  tx: QueueTx,
  task: string,
  payload: object,
  options: JobOptions = {},
): Promise<void> {
  await tx.$queryRaw`
    select (graphile_worker.add_job(${task}::text, ${JSON.stringify(payload)}::json,
      run_at := coalesce(${options.runAt ?? null}::timestamptz, now()),
      max_attempts := ${options.maxAttempts ?? 25}::int, job_key := ${options.key ?? null}::text,
      priority := ${PRIORITY[task] ?? 0}::int)).id::text as job`;
}

/** Where jobs run, the devices that hold the card's wallet pass hear of what happened to it, once this commits. */
export async function tellPass(
  tx: Tx,
  ctx: CausedBy,
  task: "customer_erased" | "customer_renamed",
  customerId: string,
): Promise<void> {
  await addJobIfAny(tx, ctx, task, { customerId }, { key: `${task}:${customerId}` });
}

import { z } from "zod";
import type { Db, Queries, Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { type Actor, actorRef } from "@/lib/domain/actor";
import { LOCALES } from "@/lib/domain/roles";
import { traceparent } from "@/lib/observe/trace";

type JobOrigin = { actor: Actor | null };

/** The lowest number runs first: what a person waits for, pass updates, then jobs of movements (0). */
const PRIORITY: Readonly<Record<string, number>> = {
  mail_cards: -20,
  mail_reset: -20,
  customer_erased: -10,
  customer_renamed: -10,
  cards_changed: -10,
  push_pass: -10,
  update_google_pass: -10,
};

/** A waiting job is replaced by a new one with the same `key`. */
export type JobOptions = { key?: string; runAt?: Date; maxAttempts?: number };

/** Adds a job that carries the actor of the operation that queues it. */
export const addJobOf = (tx: Queries, ctx: JobOrigin, task: string, payload: object, options: JobOptions) =>
  addJob(tx, task, { ...payload, actor: actorRef(ctx.actor) }, options);

/** Adds a job to the queue in the caller's transaction, so it runs only if that commits. A traced job keeps its cause. */
export async function addJob(
  tx: Queries,
  task: string,
  payload: object,
  options: JobOptions = {},
): Promise<void> {
  const trace = traceparent();
  const traced = trace ? { ...payload, traceparent: trace } : payload;
  await tx.$queryRaw`
    select (graphile_worker.add_job(${task}::text, ${JSON.stringify(traced)}::json,
      run_at := coalesce(${options.runAt ?? null}::timestamptz, now()),
      max_attempts := ${options.maxAttempts ?? 25}::int, job_key := ${options.key ?? null}::text,
      priority := ${PRIORITY[task] ?? 0}::int)).id::text as job`;
}

/** Queues the update of these customers' wallet passes, those that have one, because what they show has changed. */
export async function updatePasses(db: Db | Tx, ctx: JobOrigin, customerIds: string[]): Promise<void> {
  if (customerIds.length === 0) return;
  const passes = await db.pass.findMany({
    where: { customerId: { in: customerIds }, voidedAt: null },
    select: { customerId: true },
  });
  for (const { customerId } of passes) await notifyPass(db, ctx, "customer_renamed", customerId);
}

/** Queues the update of a customer's wallet pass after the card was erased or renamed. */
export const notifyPass = (
  tx: Db | Tx,
  ctx: JobOrigin,
  task: "customer_erased" | "customer_renamed",
  customerId: string,
) => addJobOf(tx, ctx, task, { customerId }, { key: `${task}:${customerId}` });

const askedMailSchema = z.object({
  /** The e-mail's id, so that a job that runs twice writes one. */
  mailId: z.guid(),
  email: z.string(),
  locale: z.enum(LOCALES),
  askedAt: z.coerce.date(),
  address: z.string(),
  userAgent: z.string().nullable(),
});

/** Leaves look-up and e-mail to the job `task`, so that the answer's time reveals nothing of the address. */
export async function leaveMailToJob(ctx: PublicContext, task: string, email: string): Promise<void> {
  const [mail] = await ctx.db.$queryRaw<{ id: string }[]>`select uuidv7()::text as id`;
  const { locale, address, userAgent = null } = ctx;
  const asked = { email, locale, address, userAgent, askedAt: ctx.clock() };
  await addJob(ctx.db, task, { mailId: mail?.id, ...asked });
}

/** The payload of such a job; null once its link would have ended, `minutes` after it was asked for. */
export function askedMail(payload: unknown, minutes: number): z.output<typeof askedMailSchema> | null {
  const asked = askedMailSchema.parse(payload);
  return asked.askedAt.getTime() + minutes * 60_000 > Date.now() ? asked : null;
}

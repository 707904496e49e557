import { z } from "zod";
import type { Db, Tx } from "@/lib/db/client";
import { Prisma, type LedgerCheck as Row } from "@/lib/db/generated/client";
import { assertMerchant } from "@/lib/db/query";
import { readLaggingAsProgram } from "@/lib/db/replica";
import { targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { addJob } from "@/lib/jobs/add-job";
import type { Task } from "@/lib/jobs/queue";
import { log } from "@/lib/observe/log";
import { operation } from "@/lib/operations/operation";
import { ledgerCheckSchema, type Wrong } from "./model/ledger-check";
import type { LedgerCheck } from "./names";
import { type Progress, type Verdict, verifyMerchant } from "./verify";

/** No progress for two minutes: its server died. A run that waits for a worker has an hour. */
const DEAD = Prisma.sql`state = 'running' and alive_at < clock_timestamp()
  - case when alive_at = started_at then interval '1 hour' else interval '2 minutes' end`;
const HEARTBEAT = 20_000;

function toCheck(row: Row): LedgerCheck {
  const { head, firstWrong, movements, total, ...same } = row;
  return {
    ...same,
    movements: Number(movements),
    total: Number(total),
    head: head && Buffer.from(head).toString("hex"),
    firstWrong: firstWrong as Wrong | null,
  };
}

/** The last check, running or done, or null. One whose server died has ended without a verdict when it was last alive. */
export const lastCheck = operation({
  permission: "ledger.verify",
  input: ledgerCheckSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, query): Promise<LedgerCheck | null> => {
    const merchantId = targetMerchantId(ctx.reach, query.merchantId);
    await assertMerchant(ctx.db, merchantId);
    const row = await ctx.db.ledgerCheck.findFirst({
      where: { merchantId },
      orderBy: [{ startedAt: "desc" }, { id: "desc" }],
    });
    if (row?.state !== "running") return row && toCheck(row);
    const dead = await ctx.db.$queryRaw<unknown[]>`
    select 1 from ledger_checks where id = ${row.id}::uuid and ${DEAD}`;
    return toCheck(dead.length > 0 ? { ...row, state: "done", finishedAt: row.aliveAt } : row);
  },
});

/** Writes the row of a new run, after giving up one whose server died. Answers its id; null while another one runs. */
async function openRun(db: Db | Tx, merchantId: string, userId: string | null): Promise<string | null> {
  await db.$executeRaw`
    update ledger_checks set state = 'done', finished_at = clock_timestamp()
    where merchant_id = ${merchantId}::uuid and ${DEAD}`;
  const [made] = await db.$queryRaw<{ id: string }[]>`
    insert into ledger_checks (merchant_id, requested_by_id, started_at, alive_at)
    select ${merchantId}::uuid, ${userId}::uuid, at, at from clock_timestamp() as at
    on conflict (merchant_id) where state = 'running' do nothing returning id::text as id`;
  return made?.id ?? null;
}

/** Starts a check of a merchant's ledger as a job, or answers the running one. Throws merchant_not_found. */
export const startCheck = operation({
  permission: "ledger.verify",
  input: ledgerCheckSchema,
  errors: ["merchant_not_found"],
  run: async (ctx, query): Promise<LedgerCheck> => {
    const merchantId = targetMerchantId(ctx.reach, query.merchantId);
    await assertMerchant(ctx.db, merchantId);
    await ctx.db.$transaction(async (tx) => {
      const checkId = await openRun(tx, merchantId, ctx.actor.userId);
      if (checkId) await addJob(tx, "check_ledger", { checkId }, { maxAttempts: 1 });
    });
    const last = await lastCheck(ctx, query);
    if (!last) throw new DomainError("merchant_not_found");
    return last;
  },
});

async function alive(db: Db, id: string, data: { movements?: number; total?: number } = {}): Promise<void> {
  await db.ledgerCheck.updateMany({
    where: { id, state: "running" },
    data: { ...data, aliveAt: new Date() },
  });
}

async function keepVerdict(
  db: Db,
  { id, merchantId }: Pick<Row, "id" | "merchantId">,
  progress?: Progress,
): Promise<Verdict> {
  const beat = setInterval(() => void alive(db, id).catch(() => undefined), HEARTBEAT);
  try {
    await alive(db, id);
    const told: Progress = async (movements, total) => {
      await alive(db, id, { movements, total });
      await progress?.(movements, total);
    };
    const verdict = await readLaggingAsProgram(db, (from) => verifyMerchant(from, merchantId, told));
    const { firstWrong, ...rest } = verdict;
    const data = { ...rest, ok: firstWrong === null, firstWrong: firstWrong ?? Prisma.DbNull };
    await db.ledgerCheck.update({ where: { id }, data: { state: "done", finishedAt: new Date(), ...data } });
    return verdict;
  } catch (error) {
    const done = { state: "done", finishedAt: new Date() } as const;
    await db.ledgerCheck.updateMany({ where: { id, state: "running" }, data: done });
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** The job of a check: recomputes the merchant's ledger and keeps progress and verdict in the run's row. */
export const checkLedger: Task = async ({ db }, payload) => {
  const { checkId } = z.object({ checkId: z.uuid() }).parse(payload);
  const run = await db.ledgerCheck.findUnique({ where: { id: checkId } });
  if (run?.state !== "running") return;
  const { firstWrong } = await keepVerdict(db, run);
  if (firstWrong) log("error", "the ledger is wrong", { merchantId: run.merchantId, firstWrong });
};

/** Recomputes a ledger for a command. Keeps no verdict while another check runs or on a read-only copy. */
export async function verifyAndKeep(db: Db, merchantId: string, progress?: Progress): Promise<Verdict> {
  const [{ writable } = { writable: false }] = await db.$queryRaw<{ writable: boolean }[]>`
    select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off'
      and has_table_privilege('ledger_checks', 'insert') as writable`;
  const id = writable ? await openRun(db, merchantId, null) : null;
  return id === null
    ? readLaggingAsProgram(db, (from) => verifyMerchant(from, merchantId, progress))
    : keepVerdict(db, { id, merchantId }, progress);
}

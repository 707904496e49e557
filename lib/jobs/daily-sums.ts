import type { Db } from "@/lib/db/client";
import { qatarDay } from "@/lib/domain/time";
import { log } from "@/lib/observe/log";
import type { Task } from "./queue";

/** `all` writes every past day again, else only the latest recorded day and later ones. `now` is for tests. */
type FillOptions = { all?: boolean; now?: Date };

/**
 * Adds the movements posted since the last run to the sums of their days (daily_sums, staff_sums, pocket_days),
 * including today. Each movement is counted once, whatever the clock was. Answers how many movements it counted.
 */
export async function fillDailySums(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ counted: bigint }[]>`select keep_sums() as counted`;
  return Number(row?.counted ?? 0n);
}

/**
 * Records for each merchant and past day in Qatar how many customers had ever registered and how many points they held
 * at the end of the day. The latest recorded day is written again; `all` writes every day again. Answers how many rows
 * changed.
 */
export async function fillMerchantDays(
  db: Db,
  { all = false, now = new Date() }: FillOptions = {},
): Promise<number> {
  const [row] = await db.$queryRaw<{ written: bigint }[]>`
    select keep_merchant_days(${qatarDay(now)}::date, ${all}) as written`;
  return Number(row?.written ?? 0n);
}

/** Seals the movements posted since the last seal, of one merchant or (null) of all. Answers how many it sealed. */
export async function sealMovements(db: Db, merchantId: string | null = null): Promise<number> {
  const [row] = await db.$queryRaw<{ sealed: bigint }[]>`
    select seal_movements(${merchantId}::uuid) as sealed`;
  return Number(row?.sealed ?? 0n);
}

/** Seals the audit entries written since the last seal. Answers how many it sealed. */
export async function sealAudits(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ sealed: bigint }[]>`select seal_audits() as sealed`;
  return Number(row?.sealed ?? 0n);
}

/** Runs every minute: counts new movements, and seals them and new audit entries. */
export const sealAndCount: Task = async ({ db }) => {
  // First, since pages read what is in no sum row by row, and sealing many takes its time.
  await fillDailySums(db);
  await sealMovements(db);
  await sealAudits(db);
};

/** Runs after midnight in Qatar, and every hour for a server that was down then: records the past day. */
export const dailySumsTask: Task = async ({ db }) => {
  await fillDailySums(db);
  await fillMerchantDays(db);
};

/** Runs every night: recomputes the sums, corrects differences and logs them. */
export const repairSumsTask: Task = async ({ db }) => {
  await fillDailySums(db);
  const corrected = await db.$queryRaw<Record<string, unknown>[]>`
    select kept_in as "keptIn", merchant_id::text as "merchantId", day::text as day, kept, counted from mend_sums()`;
  for (const sum of corrected) log("error", "a daily sum was wrong and is corrected", sum);
  const days = await fillMerchantDays(db, { all: true });
  if (days > 1) log("warn", "merchant_days were corrected or written", { days });
};

import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { qatarDay } from "@/lib/domain/time";
import { log } from "@/lib/observe/log";
import type { Task } from "./queue";

/** `all` writes every past day again, else only the latest recorded day and later ones. `now` is for tests. */
type FillOptions = { all?: boolean; now?: Date };

async function numberOf(db: Db, call: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`select ${call} as count`;
  return Number(row?.count ?? 0n);
}

/** Adds the movements since the last run to the sums of their days, each once. Answers how many. */
export const fillDailySums = (db: Db) => numberOf(db, Prisma.sql`keep_sums()`);

/** Records each merchant's customers and points at past days' ends (Qatar). Answers how many rows changed. */
export const fillMerchantDays = (db: Db, { all = false, now = new Date() }: FillOptions = {}) =>
  numberOf(db, Prisma.sql`keep_merchant_days(${qatarDay(now)}::date, ${all})`);

/** Seals the movements posted since the last seal, of one merchant or (null) of all. Answers how many it sealed. */
export const sealMovements = (db: Db, merchantId: string | null = null) =>
  numberOf(db, Prisma.sql`seal_movements(${merchantId}::uuid)`);

/** Seals the audit entries written since the last seal. Answers how many it sealed. */
export const sealAudits = (db: Db) => numberOf(db, Prisma.sql`seal_audits()`);

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

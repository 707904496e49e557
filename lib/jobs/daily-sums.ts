import type { Db } from "@/lib/db/client";
import { qatarDay } from "@/lib/domain/time";
import type { Task } from "./queue";

type FillOptions = { all?: boolean; now?: Date };

/**
 * Counts what was posted since the last time in the sums of its days (daily_sums, pocket_days), today's included: each
 * movement once, whatever the clock said. Answers how many movements.
 */
export async function fillDailySums(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ counted: bigint }[]>`select keep_sums() as counted`;
  return Number(row?.counted ?? 0n);
}

/**
 * Writes down where each merchant stood at the end of the days gone by in Qatar: who ever registered, what its customers
 * held. The latest day that stands is written once more; `all` writes every day anew. Answers how many rows changed.
 */
export async function fillMerchantDays(
  db: Db,
  { all = false, now = new Date() }: FillOptions = {},
): Promise<number> {
  const [row] = await db.$queryRaw<{ written: bigint }[]>`
    select keep_merchant_days(${qatarDay(now)}::date, ${all}) as written`;
  return Number(row?.written ?? 0n);
}

/** Seals what was posted since the last time. Answers how many movements; all merchants unless one is named. */
export async function sealMovements(db: Db, merchantId: string | null = null): Promise<number> {
  const [row] = await db.$queryRaw<{ sealed: bigint }[]>`
    select seal_movements(${merchantId}::uuid) as sealed`;
  return Number(row?.sealed ?? 0n);
}

type MendedSum = { keptIn: string; merchantId: string; day: string; kept: unknown; counted: unknown };

/** Adds every sum of the days up anew and puts right those that differ. Answers them. */
async function mendSums(db: Db): Promise<MendedSum[]> {
  return db.$queryRaw<MendedSum[]>`
    select kept_in as "keptIn", merchant_id::text as "merchantId", day::text as day, kept, counted from mend_sums()`;
}

/** Each minute: what was posted is sealed and counted. */
export const sealAndCount: Task = async ({ db }) => {
  await sealMovements(db);
  await fillDailySums(db);
};

/** After midnight in Qatar, and each hour for a server that slept then: the day gone by is written down. */
export const dailySums: Task = async ({ db }) => {
  await fillDailySums(db);
  await fillMerchantDays(db);
};

/** Each night: the sums are added up anew; what differed is put right and reported in the log. */
export const mendDays: Task = async ({ db }) => {
  await fillDailySums(db);
  for (const { keptIn, merchantId, day, kept, counted } of await mendSums(db)) {
    console.error(
      `ledger: ${keptIn} of merchant ${merchantId} on ${day} was ${JSON.stringify(kept)}, is ${JSON.stringify(counted)}`,
    );
  }
  const days = await fillMerchantDays(db, { all: true });
  if (days > 1) console.warn(`ledger: merchant_days put right or written: ${days}`);
};

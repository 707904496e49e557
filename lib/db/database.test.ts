import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { pendingMigrations } from "@/scripts/lib/migrate";
import { getDb } from "./client";

const db = await testDb();

test("each test file has its own migrated database", async () => {
  expect(await pendingMigrations(process.env.DATABASE_URL ?? "")).toEqual([]);
  expect(await db.merchant.count({ select: { _all: true } })).toEqual({ _all: 0 });
});

test("the program's own client reaches the same database", async () => {
  const [mine] = await db.$queryRaw<{ name: string }[]>`select current_database() as name`;
  const [its] = await getDb().$queryRaw<{ name: string }[]>`select current_database() as name`;
  expect(its).toEqual(mine);
});

test("Arabic names have trigrams, and letters beyond ASCII have upper case", async () => {
  await db.$executeRaw`create extension if not exists pg_trgm`;
  const [row] = await db.$queryRaw<{ near: number; upper: string }[]>`
    select word_similarity('ليلى', 'ليلى الكواري')::float8 as near, upper('é') as upper`;
  expect(row).toEqual({ near: 1, upper: "É" });
});

test("a transaction's connection gets one statement at a time, also for what is asked for side by side", async () => {
  const shop = await makeMerchant(db);
  await makeCustomer(db, shop);
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on("warning", hear);
  try {
    const { merchant, sums } = await db.$transaction(async (tx) => ({
      merchant: await tx.merchant.findUniqueOrThrow({
        where: { id: shop.merchant.id },
        select: { staff: true, branches: true, customers: true, documents: true },
      }),
      sums: await Promise.all([1, 2, 3, 4].map((n) => tx.$queryRaw`select ${n}::int + 1 as sum`)),
    }));
    expect([merchant.staff, merchant.branches, merchant.customers].map(({ length }) => length)).toEqual([
      1, 1, 1,
    ]);
    expect(sums).toEqual([2, 3, 4, 5].map((sum) => [{ sum }]));
    // After one that failed the next is still sent; Postgres refuses it.
    const broken = db.$transaction(async (tx) => {
      await expect(tx.$queryRaw`select 1 / 0`).rejects.toThrow(/division by zero/);
      await tx.$queryRaw`select 1`;
    });
    await expect(broken).rejects.toThrow(/aborted/);
    // a warning is reported in the next turn of the event loop.
    await new Promise((done) => setImmediate(done));
  } finally {
    process.off("warning", hear);
  }
  expect(warnings.filter((text) => text.includes("client.query()"))).toEqual([]);
});

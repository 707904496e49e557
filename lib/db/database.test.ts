import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
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

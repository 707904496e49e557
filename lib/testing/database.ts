import { afterAll, inject } from "vitest";
import { createDb, type Db } from "@/lib/db/client";
import { cloneDatabase, dropDatabase } from "./server";

let made: Promise<Db> | undefined;

/**
 * The migrated database of this file of tests: real Postgres, nobody else's, gone after the file's last test.
 * Call it once, at the top: `const db = await testDb();`. `getDb()` reaches the same database.
 */
export function testDb(): Promise<Db> {
  made ??= make();
  return made;
}

async function make(): Promise<Db> {
  const { url, template } = inject("testServer");
  const own = process.env.DATABASE_URL ?? "";
  const name = new URL(own).pathname.slice(1);
  await cloneDatabase(url, template, name);
  const db = createDb(own, 20);
  afterAll(async () => {
    await db.$disconnect();
    await (globalThis as typeof globalThis & { walletDb?: Db }).walletDb?.$disconnect();
    await dropDatabase(url, name);
  });
  return db;
}

import pg from "pg";
import { afterAll, inject } from "vitest";
import { createDb, type Db } from "@/lib/db/client";

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

/** The same server's connection string, for another of its databases. */
export function atDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.toString();
}

async function onServer(url: string, statement: (name: (raw: string) => string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement((raw) => client.escapeIdentifier(raw)));
  } finally {
    await client.end();
  }
}

/** Makes a copy of a database to which nobody is connected. */
export const cloneDatabase = (url: string, template: string, copy: string): Promise<void> =>
  onServer(url, (name) => `create database ${name(copy)} template ${name(template)} strategy file_copy`);

/** Drops a database, its open connections included. */
export const dropDatabase = (url: string, database: string): Promise<void> =>
  onServer(url, (name) => `drop database if exists ${name(database)} with (force)`);

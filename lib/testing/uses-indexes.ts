import { expect } from "vitest";
import type { Context } from "@/lib/db/context";
import { explainStatements } from "./database";

/** Runs an operation and checks that none of its statements scans a large table sequentially. */
export async function usesIndexes(ctx: Context, run: (ctx: Context) => Promise<unknown>): Promise<void> {
  const watched = explainStatements(ctx.db);
  await run({ ...ctx, db: watched.db });
  expect(watched.statements.length).toBeGreaterThan(0);
  for (const { sql, scanned } of watched.statements) {
    const largeTables = scanned.filter((table) => table === "customers" || table === "movements");
    expect(largeTables, sql).toEqual([]);
  }
}

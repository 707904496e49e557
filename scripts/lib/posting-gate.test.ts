import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { ownerUrl, testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { migrate } from "./migrate";

const db = await testDb();
const root = mkdtempSync(join(tmpdir(), "wallet-gate-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folderOf(migrations: Record<string, string>): string {
  const folder = mkdtempSync(join(root, "m-"));
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "migration.sql"), sql);
  }
  return folder;
}

const CUSTOMERS = 6;

/** Counters that post until `stop` is called; it answers how many top-ups there were, and what failed. */
async function openCounters() {
  const shop = await makeMerchant(db);
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(db, shop)));
  const owner = contextOf(db, shop.owner);
  const failed: unknown[] = [];
  let posted = 0;
  let stopped = false;
  // Two at each customer, so that some wait for each other.
  const loops = [...customers, ...customers].map(async ({ id }) => {
    while (!stopped) {
      try {
        await topUp(owner, { customerId: id, branchId: shop.branch.id, points: 1 });
        posted++;
      } catch (error) {
        failed.push(error);
      }
    }
  });
  const more = async (count: number) => {
    const until = posted + count;
    await expect.poll(() => posted).toBeGreaterThanOrEqual(until);
  };
  await more(20);
  return {
    more,
    async stop() {
      stopped = true;
      await Promise.all(loops);
      const movements = await db.movement.count({ where: { merchantId: shop.merchant.id } });
      return { posted, movements, failed: failed.map(String) };
    },
  };
}

/** Tables in an order in which postings do not take them; what the first leaves half done the second completes. */
const HALF = `
  alter table merchants add column gate_one int;
  select pg_sleep(0.3);
  alter table customers add column gate_two int;
  alter table movements add column gate_three int not null default 0;
  alter table movements alter column gate_three drop default;`;
/** A function that postings on their way are about to call has another name afterwards. */
const WHOLE = `
  alter table movements alter column gate_three set default 0;
  do $do$
  declare
    writes text := pg_get_functiondef('write_postings(posting_step[], boolean)'::regprocedure);
  begin
    alter function posting_tx() rename to posting_tx_again;
    execute replace(writes, 'posting_tx()', 'posting_tx_again()');
  end $do$;
  drop function if exists nobody_has_this();`;

test("postings go on while migrations change their tables and functions: none fails, none is lost", async () => {
  const counters = await openCounters();
  const applied = await migrate(ownerUrl(), { folder: folderOf({ "1_half": HALF, "2_whole": WHOLE }) });
  expect(applied).toEqual(["1_half", "2_whole"]);
  await counters.more(20);
  const { posted, movements, failed } = await counters.stop();
  expect(failed).toEqual([]);
  expect(movements).toBe(posted);
  const [usual] = await db.$queryRaw<{ provolatile: string }[]>`
    select provolatile::text from pg_proc where oid = 'posting_lock()'::regprocedure`;
  expect(usual).toEqual({ provolatile: "i" });
});

test("a migration that fails under the gate leaves it open", async () => {
  const counters = await openCounters();
  const folder = folderOf({ "3_wrong": "alter table movements add column wrong int; select 1 / 0;" });
  await expect(migrate(ownerUrl(), { folder })).rejects.toThrow("division by zero");
  await counters.more(20);
  expect((await counters.stop()).failed).toEqual([]);
});

import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { createDb } from "@/lib/db/client";
import { ownerUrl, testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { type PgBouncer, startPgBouncer } from "@/lib/testing/proxies";
import { findProxy } from "@/scripts/lib/tools";
import type { Posting } from "./batch";
import { post } from "./post";
import { endPostingPools } from "./posting-pool";

const db = await testDb();
const url = process.env.DATABASE_URL ?? "";
const name = new URL(url).pathname.slice(1);
const ending: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ending.reverse()) await end();
});

const SETTINGS = [
  "lock_timeout",
  "statement_timeout",
  "transaction_timeout",
  "idle_in_transaction_session_timeout",
  "default_transaction_isolation",
  "default_transaction_read_only",
  "synchronous_commit",
];

/** Each setting's values in these connections, which are all busy at once. */
async function settingsOf(connectionString: string, connections: number): Promise<Record<string, string[]>> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString }));
  await Promise.all(clients.map((client) => client.connect()));
  const seen = new Map(SETTINGS.map((setting) => [setting, new Set<string>()]));
  try {
    // In transactions, so that the pooler gives each client another connection.
    for (const client of clients) await client.query("begin");
    for (const client of clients) {
      for (const [setting, values] of seen) {
        const { rows } = await client.query<{ value: string }>("select current_setting($1) as value", [
          setting,
        ]);
        values.add(rows[0]?.value ?? "");
      }
      await client.query("commit");
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  return Object.fromEntries([...seen].map(([setting, values]) => [setting, [...values]]));
}

/** A trigger's record of the settings that a posting ran under. */
async function recordSettings(): Promise<void> {
  await db.$executeRawUnsafe(
    "create table seen_settings (setting text, value text, primary key (setting, value))",
  );
  await db.$executeRawUnsafe("grant insert, select on seen_settings to public");
  await db.$executeRawUnsafe(`create function see_settings() returns trigger language plpgsql as $$
    begin
      insert into seen_settings select s, current_setting(s) from unnest(array['lock_timeout', 'statement_timeout',
        'transaction_timeout', 'transaction_isolation', 'synchronous_commit']) s on conflict do nothing;
      return null;
    end $$`);
  await db.$executeRawUnsafe(
    "create trigger see_settings after insert on movements for each statement execute function see_settings()",
  );
}

test.runIf(findProxy("pgbouncer"))(
  "behind a pooler in transaction mode, postings have their limits and leave none on the shared connections",
  async () => {
    const shop = await makeMerchant(db);
    const customers = await Promise.all(Array.from({ length: 20 }, () => makeCustomer(db, shop)));
    await recordSettings();
    // Posting is wrong under this isolation, so it must not be the one of the role.
    await db.$executeRawUnsafe(`alter database "${name}" set default_transaction_isolation = 'serializable'`);
    vi.stubEnv("DATABASE_POOLER", "transaction");
    vi.stubEnv("DATABASE_DIRECT_URL", url);
    vi.stubEnv("DATABASE_STATEMENTS", "");
    const bouncer: PgBouncer = await startPgBouncer([url, ownerUrl()]);
    ending.push(() => bouncer.stop());
    const pooled = bouncer.through(url);
    // Two servers, which share the pooler's connections.
    const servers = [0, 1].map(() => createDb(pooled, 4, { pooler: "transaction" }));
    ending.push(() => Promise.all(servers.map((one) => endPostingPools(one).then(() => one.$disconnect()))));
    const fresh = await settingsOf(url, 1);

    const rowOf = (nth: number): Posting => ({
      type: "TOP_UP",
      customer: customers[nth % customers.length]?.id,
      branch: shop.branch.id,
      actor: shop.owner.id,
      scope: "any",
      points: 1,
      key: randomUUID(),
      hash: "h",
    });
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, async (_, nth) => {
        const server = servers[nth % 2];
        if (!server) throw new Error("no server");
        if (nth % 10 === 0) await server.branch.count();
        return (await post(server, rowOf(nth))).outcome;
      }),
    );
    expect(new Set(outcomes)).toEqual(new Set(["posted"]));
    expect(await db.movement.count({ where: { merchantId: shop.merchant.id } })).toBe(1_000);
    // A refused row ends its transaction too.
    const [server] = servers;
    if (!server) throw new Error("no server");
    await expect(post(server, { ...rowOf(0), reason: "\0" })).rejects.toThrow();
    expect((await post(server, rowOf(0))).outcome).toBe("posted");

    const seen = await db.$queryRaw<{ setting: string; value: string }[]>`
      select setting, value from seen_settings order by setting`;
    expect(seen).toEqual([
      { setting: "lock_timeout", value: "10s" },
      { setting: "statement_timeout", value: "20s" },
      { setting: "synchronous_commit", value: "on" },
      { setting: "transaction_isolation", value: "read committed" },
      { setting: "transaction_timeout", value: "0" },
    ]);
    expect(await settingsOf(pooled, 8)).toEqual(fresh);
  },
  120_000,
);

import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Client } from "pg";
import { createDb } from "@/lib/db/client";
import { seedLarge } from "@/prisma/seed/large";
import { atEnd, runCommand } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { connected, ensureDatabase, type Postgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { mostOf } from "./budgets";
import { GROWTH } from "./growth-cases";
import { makeGrowthWorld, startTimed } from "./growth-world";

// npm run bench:storage [-- --movements 50000 --check]: docs/operate/bench.md.
const { values } = parseArgs({
  options: {
    movements: { type: "string", default: "50000" },
    check: { type: "boolean", default: false },
  },
});
const MOVEMENTS = Number(values.movements);
/** As a chain posts them: so many cards, employees and branches, and a transaction for each row, as at fifty a second. */
const CHAIN = { customers: 20_000, workers: 300, branches: 50 };
/** Fifty postings a second from one checkpoint to the next. */
const BETWEEN_CHECKPOINTS = 15_000;
const FIRST = 2_000;
/** What belongs to a movement. Audits, jobs and the outbox are events, and are thrown away. */
const TABLES = ["movements", "movement_texts", "lots", "lot_moves"];
const READ_ROUNDS = 5;

const id = (kind: number, number: string): string =>
  `('00000000-0000-4000-8000-' || (${kind}00000000000 + ${number}))::uuid`;
const MERCHANT = "'00000000-0000-4000-8000-000000000001'::uuid";

const FILL = `
  INSERT INTO merchants (id, business_name, first_name, last_name, email, phone, status, redeem_allowance, unproved_worker_daily)
  VALUES (${MERCHANT}, 'Chain', 'A', 'B', 'chain@bench.test', '+97430000000', 'approved', 1000000000, 1000000000);
  INSERT INTO points_configs (merchant_id, version, dirhams_per_point, min_top_up, max_top_up, max_balance, undo_minutes)
  VALUES (${MERCHANT}, 1, 100, 1, 5000, 1000000000, 15);
  INSERT INTO branches (id, merchant_id, name, city)
  SELECT ${id(3, "n")}, ${MERCHANT}, 'Branch ' || n, 'Doha' FROM generate_series(0, ${CHAIN.branches - 1}) n;
  INSERT INTO users (id, role, email, first_name, last_name, phone, merchant_id)
  SELECT ${id(2, "n")}, 'branch_worker', 'w' || n || '@bench.test', 'Worker', 'Number ' || n, '+974' || 30000100 + n, ${MERCHANT}
  FROM generate_series(0, ${CHAIN.workers - 1}) n;
  INSERT INTO customers (id, public_id, merchant_id, full_name, email, phone)
  SELECT ${id(1, "n")}, gen_random_uuid(), ${MERCHANT}, 'Customer ' || n, 'c' || n || '@bench.test', '+974' || (40000000 + n)
  FROM generate_series(0, ${CHAIN.customers - 1}) n;
  ANALYZE;`;

const anyOf = (kind: number, many: number): string => id(kind, `floor(random() * ${many})::bigint`);

/** Top-ups with a bill number, two of three, and redemptions, of any cards by anybody. */
const POST = (count: number): string => `DO $$
  BEGIN
    FOR n IN 1..${count} LOOP
      PERFORM post_movements(jsonb_build_array(jsonb_build_object('idx', 0, 'type', CASE WHEN n % 3 < 2 THEN 'TOP_UP' ELSE 'REDEEM' END,
        'customer', ${anyOf(1, CHAIN.customers)}, 'branch', ${anyOf(3, CHAIN.branches)}, 'actor', ${anyOf(2, CHAIN.workers)},
        'scope', 'merchant', 'scope_merchant', ${MERCHANT}, 'points', CASE WHEN n % 3 < 2 THEN 40 ELSE 20 END, 'key', gen_random_uuid(),
        'hash', left(encode(sha256(convert_to(n::text, 'UTF8')), 'base64'), 16), 'proof', 'none')
        || CASE WHEN n % 3 < 2 THEN jsonb_build_object('tender', 'card', 'sale_ref', 'B-' || (1000000 + floor(random() * 1000000)::int)) ELSE '{}' END), true);
      COMMIT;
    END LOOP;
  END $$`;

type Size = { name: string; owner: string; bytes: number };

/** The main parts of the tables with their toast, and each index. */
async function sizesOf(client: Client): Promise<Size[]> {
  const { rows } = await client.query<Size>(
    `select c.relname as name, c.relname as owner, (pg_table_size(c.oid))::float8 as bytes from pg_class c where c.oid = any ($1::regclass[])
     union all
     select i.indexrelid::regclass::text, i.indrelid::regclass::text, pg_relation_size(i.indexrelid)::float8 from pg_index i
     where i.indrelid = any ($1::regclass[]) order by bytes desc`,
    [TABLES],
  );
  return rows;
}

const total = (sizes: Size[]): number => sizes.reduce((sum, { bytes }) => sum + bytes, 0);

async function walOf(client: Client, work: () => Promise<unknown>): Promise<number> {
  const { rows } = await client.query<{ at: string }>("select pg_current_wal_insert_lsn() as at");
  await work();
  const { rows: after } = await client.query<{ bytes: number }>(
    "select (pg_current_wal_insert_lsn() - $1::pg_lsn)::float8 as bytes",
    [rows[0]?.at],
  );
  return after[0]?.bytes ?? 0;
}

/** Prints what a movement takes, and the log of a posting. Answers both. */
async function measureBytes(url: string): Promise<{ movement: number; posting: number }> {
  return connected(url, async (client) => {
    // Fewer waits for the disk, and the same log.
    await client.query("set synchronous_commit = off");
    await client.query(FILL);
    // Plans of posting that were made for an empty table would read it whole, again and again.
    await client.query(POST(FIRST));
    await client.query("vacuum analyze");
    const before = new Map((await sizesOf(client)).map(({ name, bytes }) => [name, bytes]));
    await client.query(POST(MOVEMENTS));
    await client.query("vacuum analyze");
    const { rows } = await client.query<{ count: number }>(
      `select count(*) - ${FIRST}::float8 as count from movements`,
    );
    const count = rows[0]?.count ?? Number.NaN;
    const grown = (await sizesOf(client)).map((one) => ({
      ...one,
      bytes: one.bytes - (before.get(one.name) ?? 0),
    }));
    for (const { name, owner, bytes } of grown) {
      const each = bytes / count;
      if (each >= 1)
        console.log(
          `  ${(name === owner ? name : `  ${name}`).padEnd(48)} ${each.toFixed(0).padStart(6)} bytes`,
        );
    }
    await client.query("checkpoint");
    const wal = await walOf(client, () => client.query(POST(BETWEEN_CHECKPOINTS)));
    return { movement: total(grown) / count, posting: wal / BETWEEN_CHECKPOINTS };
  });
}

/** Runs the program's reads on a larger database, and names the indexes of movements that neither they nor postings used. */
async function unusedIndexes(server: Postgres, database: string): Promise<string[]> {
  const ownerUrl = server.ownerUrl(database);
  const owner = createDb(ownerUrl, 2);
  const db = createDb(server.url(database), 3, { statements: "named" });
  try {
    const size = { merchants: 20, days: 365, customers: 10_000, movements: 100_000 };
    await seedLarge(owner, size);
    await owner.$executeRaw`select pg_stat_reset()`;
    const world = await makeGrowthWorld(owner, ownerUrl, db);
    for (const one of GROWTH) for (let nth = 0; nth < READ_ROUNDS; nth++) await one.run(world, nth);
  } finally {
    // A connection hands its statistics in when it ends.
    await Promise.all([owner.$disconnect(), db.$disconnect()]);
  }
  return connected(ownerUrl, async (client) => {
    await client.query(FILL);
    await client.query(POST(100));
    await client.query("select pg_stat_force_next_flush()");
    const { rows } = await client.query<{ name: string }>(
      `select indexrelname as name from pg_stat_user_indexes s join pg_index i using (indexrelid)
       where relname = any ($1) and idx_scan = 0 order by 1`,
      [TABLES],
    );
    return rows.map(({ name }) => name);
  });
}

await runCommand(async () => {
  const dataDir = temporaryDataDir("storage");
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = await startTimed(dataDir);
  atEnd(() => server.stop());
  const urls: string[] = [];
  for (const database of ["storage_bytes", "storage_reads"]) {
    await ensureDatabase(server.ownerUrl("postgres"), database);
    await migrate(server.ownerUrl(database), { application: server.url(database) });
    urls.push(server.ownerUrl(database));
  }
  const { movement, posting } = await measureBytes(urls[0] ?? "");
  console.log(`${movement.toFixed(0)} bytes per movement`);
  console.log(
    `${(posting / 1_000).toFixed(1)} kB of WAL per posting, the first ${BETWEEN_CHECKPOINTS} after a checkpoint`,
  );
  const unused = await unusedIndexes(server, "storage_reads");
  console.log(
    unused.length > 0 ? `Indexes that nothing used: ${unused.join(", ")}` : "Every index was used.",
  );
  const missed = movement > mostOf("bytes of a movement") || posting / 1_000 > mostOf("log of a posting");
  return values.check && missed ? 1 : 0;
});

import { rmSync } from "node:fs";
import { createDb } from "@/lib/db/client";
import { addDays, qatarDay } from "@/lib/domain/time";
import { liability } from "@/lib/reports/liability";
import { contextOf, makeAdmin, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { migrate } from "@/scripts/lib/migrate";
import { connected, startPostgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";

// npm run bench:liability [-- movements, merchants]: the liability report between any two days over a large ledger, as the
// application's role. The rows are made by SQL, a year of top-ups and redemptions; the sums of their days by the job's
// own function, and a thousand movements of today by none, as between two runs of the job. Prints milliseconds.
const MOVEMENTS = Number(process.argv[2] ?? 10_000_000);
const MERCHANTS = Number(process.argv[3] ?? 50);
const DAYS = 365;
const UNSUMMED = 1_000;
const ROUNDS = 9;
const SPANS = [
  ["a day long ago", -300, -300],
  ["a month", -90, -60],
  ["this month", -30, 0],
  ["the year", -364, 0],
] as const;

/** One customer a merchant stands for all: the report reads none. */
const rows = (from: number, count: number, tx: string) => `
  insert into movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, type, points, balance_after, rate,
    seq, idempotency_key, request_hash, tender, paid_points, balance_rate, tx, occurred_at, created_at)
  select uuidv7(), s.customer, s.merchant, s.branch, 'user', s.owner, case when g % 4 = 3 then 'REDEEM' else 'TOP_UP' end::"MovementType",
    v.points, 0, 100, g, 'bench ' || g, 'bench', case when g % 4 <> 3 then 'cash'::"Tender" end, v.points, 100, ${tx}, at, at
  from generate_series(${from}, ${from + count - 1}) g
  join shops s on s.n = g % ${MERCHANTS}
  cross join lateral (select case when g % 4 = 3 then -20 else 10 + g % 7 end as points) v
  cross join lateral (select now() - interval '${DAYS} days' * (1 - (g - 1)::float8 / ${MOVEMENTS + UNSUMMED}) as at) t`;

async function fill(url: string): Promise<void> {
  await connected(url, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query("set synchronous_commit = off");
    // Lists and keys: the report reads none of these indexes, and they take most of the time to fill.
    const { rows: indexes } = await client.query<{ name: string }>(
      `select i.indexrelid::regclass::text as name from pg_index i
       where i.indrelid = 'movements'::regclass and not i.indisprimary and i.indexrelid::regclass::text <> 'movements_tx_idx'
         and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await client.query(
      `create table shops as select row_number() over (order by m.id)::int - 1 as n, m.id as merchant, b.id as branch,
         u.id as owner, c.id as customer
       from merchants m join branches b on b.merchant_id = m.id join users u on u.merchant_id = m.id
       join customers c on c.merchant_id = m.id`,
    );
    for (let from = 1; from <= MOVEMENTS; from += 500_000) {
      await client.query(rows(from, Math.min(500_000, MOVEMENTS - from + 1), "posting_tx()"));
    }
    await client.query("set session_replication_role = origin");
    await client.query("vacuum analyze movements");
    // Until nothing that is still open in the cluster (autovacuum) holds the sums back.
    for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
      await client.query("select keep_sums()");
      const { rows: waiting } = await client.query<{ left: string }>(
        `select count(*) as left from movements where tx >= (select to_tx from ledger_progress where what = 'sums')`,
      );
      left = Number(waiting[0]?.left);
    }
    await client.query("set session_replication_role = replica");
    await client.query(rows(MOVEMENTS + 1, UNSUMMED, "posting_tx()"));
    await client.query("analyze");
  });
}

const dataDir = temporaryDataDir("bench-liability");
const server = await startPostgres({ dataDir, throwaway: true });
const [owner, db] = [createDb(server.ownerUrl(), 4), createDb(server.url(), 4)];
try {
  await migrate(server.ownerUrl(), { application: server.url() });
  for (let nth = 0; nth < MERCHANTS; nth++) await makeCustomer(owner, await makeMerchant(owner));
  const started = Date.now();
  await fill(server.ownerUrl());
  console.log(
    `${MOVEMENTS} movements of ${MERCHANTS} merchants in ${Math.round((Date.now() - started) / 1000)} s`,
  );
  const ctx = contextOf(db, await makeAdmin(owner));
  const one = (await db.merchant.findFirstOrThrow({ select: { id: true } })).id;
  const today = qatarDay(new Date());
  for (const [who, merchantId] of [
    ["the platform", undefined],
    ["one merchant", one],
  ] as const) {
    for (const [name, first, last] of SPANS) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const began = performance.now();
        await liability(ctx, { from: addDays(today, first), to: addDays(today, last), merchantId });
        times.push(performance.now() - began);
      }
      times.sort((a, b) => a - b);
      const shown = [times[0], times[Math.floor(ROUNDS / 2)], times.at(-1)].map((ms) => (ms ?? 0).toFixed(1));
      console.log(`${who.padEnd(14)} ${name.padEnd(16)} ${shown.join(" / ")} ms (least / median / most)`);
    }
  }
} finally {
  await Promise.all([owner.$disconnect(), db.$disconnect()]);
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

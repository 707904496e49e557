import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { sealMovements } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import { type MerchantFixture, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postRow } from "@/lib/testing/post-rows";

const db = await testDb();
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
let shop: MerchantFixture;
let customer: string;

beforeAll(async () => {
  shop = await makeMerchant(db);
  customer = (await makeCustomer(db, shop)).id;
  await postRow(db, shop, { type: "TOP_UP", customer, points: 10 });
  await postRow(db, shop, { type: "BONUS", customer, points: 10, reason: "Opening" });
  await waitForOpenTransactions(db);
  await sealMovements(db);
  await client.connect();
});
afterAll(() => client.end());

const LEDGER = [
  ...[
    "movements",
    "lots",
    "lot_moves",
    "movement_texts",
    "seals",
    "daily_sums",
    "pocket_days",
    "merchant_days",
  ],
  ...["ledger_progress", "answered_keys", "config_seals"],
];
const REFUSED = [
  ...LEDGER.flatMap((table) => [
    `insert into ${table} select * from ${table} limit 1`,
    `update ${table} set ctid = ctid`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ]),
  "update points_configs set dirhams_per_point = 1",
  "delete from points_configs",
  "truncate points_configs cascade",
  "update movements set points = points + 1",
  "update customers set balance = balance + 1",
  "update customers set bonus = 0",
  "update customers set movement_count = 0",
  "update customers set unproved = 0",
  "update customers set last_posted_at = null",
  "insert into customers (merchant_id, full_name, balance) select id, 'Rich', 1000 from merchants limit 1",
  "insert into customers (merchant_id, full_name, bonus) select id, 'Rich', 0 from merchants limit 1",
  "delete from customers",
  "truncate customers cascade",
  "select post_row(null::posting_row, true, true)",
  "select expire_locked('{}', now(), true)",
  "set session_replication_role = replica",
  "set local session_replication_role = replica",
  "alter table movements disable trigger all",
  "alter table movements add column x int",
  "drop trigger movements_no_change on movements",
  "create table mine (id int)",
  "create schema mine",
  "create or replace function posting_tx_base() returns bigint language sql as 'select 5::bigint'",
  "alter function keep_sums() security invoker",
  "create extension dblink",
  "copy movements to program 'cat > /tmp/stolen'",
  "copy movements from program 'echo 1'",
  "copy movements from '/etc/passwd'",
  "select pg_read_file('postgresql.conf')",
  "select lo_import('/etc/passwd')",
  "set role wallet",
  "set session authorization wallet",
  "alter role wallet_app superuser",
  "create role mine superuser",
  "create policy mine on graphile_worker._private_jobs using (true)",
  "drop schema graphile_worker cascade",
  "update graphile_worker.migrations set breaking = false",
];

test.each(REFUSED)("as the application's role: %s", async (statement) => {
  // Whatever it sets first.
  for (const setting of ["wallet.posting = 'on'", "wallet.posting = 'post'"]) {
    await client.query("begin");
    await client.query(`set local ${setting}`);
    const refused = await client.query(statement).then(
      () => "it was done",
      (error: pg.DatabaseError) => error.code,
    );
    await client.query("rollback");
    // Insufficient privilege; a role or an extension that it does not even see; no rows of its own kind.
    expect(["42501", "22023", "42704", "0A000"], `${statement}: ${refused}`).toContain(refused);
  }
});

test("what stands is as before, and the application posts, seals, counts and reads", async () => {
  const app = getDb();
  const before = await app.movement.count();
  await postRow(app, shop, { type: "TOP_UP", customer, points: 7 });
  expect(await app.movement.count()).toBe(before + 1);
  await waitForOpenTransactions(app);
  expect(await sealMovements(app)).toBe(1);
  await app.$queryRaw`select keep_sums()`;
  const made = await makeCustomer(app, shop);
  expect(made).toMatchObject({ balance: 0, bonus: 0, movementCount: 0 });
  await app.customer.update({ where: { id: made.id }, data: { fullName: "Another name" } });
  await app.$queryRaw`select graphile_worker.add_job('nothing', json_build_object('id', ${randomUUID()}::text))::text as job`;
  expect(await app.$queryRaw`select task_identifier from graphile_worker.jobs`).toEqual([
    { task_identifier: "nothing" },
  ]);
});

test("functions that write in the owner's name look nowhere but in the product's schema, and are closed to others", async () => {
  const open = await db.$queryRaw<{ name: string }[]>`
    select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      and (has_function_privilege('public', p.oid, 'execute')
        or (p.prosecdef and not coalesce(p.proconfig @> array['search_path=pg_catalog, public, pg_temp'], false)))`;
  expect(open).toEqual([]);
  const doors = await db.$queryRaw<{ name: string }[]>`
    select distinct proname as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace order by 1`;
  expect(doors.map(({ name }) => name)).toEqual([
    ...[
      "chain_config",
      "erase_movement_texts",
      "expire_bonus",
      "keep_merchant_days",
      "keep_sums",
      "mend_sums",
      "post_movements",
    ],
    "seal_movements",
  ]);
});

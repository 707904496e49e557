import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { sealMovements } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import { type MerchantFixture, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postRow } from "@/lib/testing/post-rows";

/** Insufficient privilege; a role or an extension that the role does not even see. */
const REFUSALS = ["42501", "22023", "42704"];

/** What functions alone write, each with a column that a change would name. */
const KEPT: Record<string, string> = {
  movements: "id",
  lots: "id",
  lot_moves: "lot_id",
  movement_texts: "movement_id",
  answered_keys: "actor_id",
  used_keys: "api_key_id",
  holds: "id",
  hold_lots: "hold_id",
  seals: "n",
  config_seals: "config_id",
  ledger_progress: "what",
  daily_sums: "id",
  staff_sums: "id",
  pocket_days: "day",
  merchant_days: "day",
  staff_contacts: "id",
  worker_days: "day",
  audit_texts: "part",
  audit_seals: "n",
  audit_cuts: "n",
  shifts: "id",
  shift_counters: "merchant_id",
  drawer_moves: "id",
};

/** The grants themselves: a row for each right to write what functions alone write. It answers none. */
const WRITING_RIGHTS = `
  select c.relname as name, kind from pg_class c,
    unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) kind
  where c.relnamespace = 'public'::regnamespace and c.relname in ('${[...Object.keys(KEPT), "audits"].join("','")}')
    and (has_table_privilege(c.oid, kind)
      or kind in ('INSERT', 'UPDATE', 'REFERENCES') and has_any_column_privilege(c.oid, kind))`;

/** What the application's role must not be able to do, whatever it sets first. */
const FORBIDDEN_STATEMENTS = [
  ...Object.entries(KEPT).flatMap(([table, column]) => [
    `insert into ${table} select * from ${table} limit 1`,
    `update ${table} set ${column} = ${column}`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ]),
  "insert into audits (action, entity) values ('admin.created', 'platform')",
  "update audits set action = 'nothing'",
  "delete from audits",
  "truncate audits cascade",
  "update sessions set user_id = user_id",
  "update sessions set till_id = null",
  "update sessions set created_at = now()",
  "truncate sessions cascade",
  "update points_configs set dirhams_per_point = 1",
  "delete from points_configs",
  "truncate points_configs cascade",
  "update movements set points = points + 1",
  "update customers set balance = balance + 1",
  "update customers set bonus = 0",
  "update customers set held = 0",
  "update holds set points = points + 1",
  "update customers set movement_count = 0",
  "update customers set unproved = 0",
  "update customers set held_by_staff = false",
  "update customers set last_posted_at = null",
  "update customers set merchant_id = merchant_id",
  "update customers set public_id = gen_random_uuid()",
  "insert into customers (merchant_id, full_name, balance) select id, 'Rich', 1000 from merchants limit 1",
  "insert into customers (merchant_id, full_name, bonus) select id, 'Rich', 0 from merchants limit 1",
  "update tills set period = 5",
  "delete from tills",
  "delete from customers",
  "truncate customers cascade",
  "select lock_postings(null::posting_row[], true)",
  "select expire_locked('{}', now(), true)",
  "set session_replication_role = replica",
  "set local session_replication_role = replica",
  "alter table movements disable trigger all",
  "alter table movements add column x int",
  "drop trigger movements_no_change on movements",
  "create table mine (id int)",
  "create schema mine",
  "update ledger_settings set tx_base = 5",
  "delete from sql_texts",
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

test("the application's role is granted no right to write what functions alone write", async () => {
  expect((await client.query(WRITING_RIGHTS)).rows).toEqual([]);
  const powers = "rolsuper or rolcreaterole or rolcreatedb or rolbypassrls";
  const role = await client.query(`select ${powers} as any from pg_roles where rolname = current_user`);
  expect(role.rows).toEqual([{ any: false }]);
});

test.each(FORBIDDEN_STATEMENTS)("as the application's role: %s", async (statement) => {
  // Whatever it sets first.
  for (const setting of ["wallet.posting = 'on'", "wallet.posting = 'post'"]) {
    await client.query("begin");
    await client.query(`set local ${setting}`);
    const refused = await client.query(statement).then(
      () => "it was done",
      (error: pg.DatabaseError) => error.code,
    );
    await client.query("rollback");
    expect(REFUSALS, `${statement}: ${refused}`).toContain(refused);
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
    ...["add_event", "add_test_event", "age_events"],
    ...[
      "age_posting_guards",
      "chain_config",
      "close_shift",
      "erase_audit_texts",
      "erase_customer_texts",
      "erase_movement_texts",
      "expire_bonus",
      "expire_bonus_of",
      "give_up_key",
      "keep_merchant_days",
    ],
    ...[
      "keep_staff_contacts",
      "keep_sums",
      "lapse_holds",
      "lengthen_holds",
      "mark_staff_card",
      "mend_sums",
      "move_drawer",
      "open_shift",
      "post_movements",
    ],
    ...["seal_audits", "seal_movements", "shorten_holds", "write_audit"],
  ]);
});

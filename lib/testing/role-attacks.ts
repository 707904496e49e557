/** Insufficient privilege; a role or an extension that the role does not even see. */
export const REFUSALS = ["42501", "22023", "42704"];

/** What functions alone write, each with a column that a change would name. */
const KEPT: Record<string, string> = {
  movements: "id",
  lots: "id",
  lot_moves: "lot_id",
  movement_texts: "movement_id",
  answered_keys: "actor_id",
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
export const WRITING_RIGHTS = `
  select c.relname as name, kind from pg_class c,
    unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) kind
  where c.relnamespace = 'public'::regnamespace and c.relname in ('${[...Object.keys(KEPT), "audits"].join("','")}')
    and (has_table_privilege(c.oid, kind)
      or kind in ('INSERT', 'UPDATE', 'REFERENCES') and has_any_column_privilege(c.oid, kind))`;

/** What the application's role must not be able to do, whatever it sets first. */
export const FORBIDDEN_STATEMENTS = [
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

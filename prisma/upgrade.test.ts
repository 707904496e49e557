import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { verifyAudits } from "@/lib/audit/check-audits";
import { giveCustomerCodes } from "@/lib/customers/give-codes";
import { createDb, type Db } from "@/lib/db/client";
import { migrationsIn } from "@/lib/db/sql-files";
import { captureHold, openHold } from "@/lib/holds/holds";
import { fillDailySums, sealAudits, sealMovements } from "@/lib/jobs/daily-sums";
import { topUp } from "@/lib/ledger/move-points";
import { endPostingPools } from "@/lib/ledger/posting-pool";
import { verifyMerchant } from "@/lib/ledger/verify";
import { catalogueOf } from "@/lib/testing/catalogue";
import { contextOf } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import {
  databaseOfA60e4c2c,
  demoOfA60e4c2c,
  emptyDatabase,
  type OldDatabase,
  restoredA60e4c2c,
} from "@/lib/testing/old-database";
import { type GivenRow, postRow } from "@/lib/testing/post-rows";
import { projectRoot } from "@/scripts/lib/command";
import { assertMigrated, migrate, pendingMigrations } from "@/scripts/lib/migrate";

const BASELINE = "20261123200000_baseline";

/** The application's client of a database, closed after the test. */
function clientOf(url: string): Db {
  const db = createDb(url, 4);
  onTestFinished(async () => {
    await endPostingPools(db);
    await db.$disconnect();
  });
  return db;
}

type Columns = { name: string; columns: string }[];

/** The tables and their columns, without those that the migrator keeps. */
async function tablesOf(client: pg.Client): Promise<Columns> {
  const { rows } = await client.query<Columns[number]>(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attname) as columns from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> '_prisma_migrations' group by 1`,
  );
  return rows;
}

/** A hash of all rows of each of these tables, in these columns: migrations may add others. */
async function rowsOf(client: pg.Client, tables: Columns): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const { name, columns } of tables) {
    const { rows } = await client.query(
      `select count(*)::int as count, sum(hashtextextended(row(${columns})::text, 0))::text as hash from ${name} t`,
    );
    all[name] = rows[0];
  }
  return all;
}

/** The rows that every wallet begins with, without what differs by chance. */
async function seedRows(client: pg.Client) {
  const read = async (sql: string) => (await client.query(sql)).rows;
  return {
    configs: await read(`select to_jsonb(c) - 'id' - 'created_at' as row, octet_length(s.head) as chained
      from points_configs c join config_seals s on s.config_id = c.id where c.merchant_id is null`),
    settings: await read("select to_jsonb(s) - 'id' - 'updated_at' as row from platform_settings s"),
    progress: await read("select what from ledger_progress order by 1"),
    ledger: await read("select single from ledger_settings"),
  };
}

/** Recomputes every merchant's ledger and the audit log. Answers how many movements are in order. */
async function verifyAll(db: Db): Promise<number> {
  let movements = 0;
  for (const { id } of await db.merchant.findMany({ select: { id: true } })) {
    const seal = await db.seal.findFirst({ where: { merchantId: id }, orderBy: { n: "desc" } });
    const verdict = await verifyMerchant(db, id);
    expect(verdict).toMatchObject({ firstWrong: null, head: seal?.head ?? null });
    movements += verdict.movements;
  }
  expect(await verifyAudits(db)).toMatchObject({ wrong: null });
  return movements;
}

/** The columns that the check of today reads and a later migration adds, as they will be. */
const LATER = {
  customers: { held: "0" },
  lots: { held: "0", movement_id: "id" },
  movements: { hold_id: "null::uuid" },
} as const;

/** Views in the place of the tables that lack some of these columns. */
async function standIn(client: pg.Client): Promise<void> {
  await client.query("create schema sooner");
  for (const [table, columns] of Object.entries(LATER)) {
    const { rows } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = to_regclass('public.${table}') and attnum > 0 and not attisdropped`,
    );
    const missing = Object.entries(columns).filter(
      ([name]) => name === "movement_id" || !rows.some((row) => row.name === name),
    );
    if (missing.length === 0) continue;
    const own = rows.map(({ name }) => name).filter((name) => !missing.some(([other]) => other === name));
    const made = missing.map(([name, value]) => `${value} as ${name}`);
    await client.query(
      `create view sooner.${table} as select ${[...own.map((name) => `"${name}"`), ...made].join(", ")} from public.${table}`,
    );
  }
}

const upgrade = ({ url, application }: OldDatabase) => migrate(url, { application });

test("a new wallet, an upgraded one, and one restored from a dump and upgraded have the same schema and seed rows", {
  timeout: 120_000,
}, async () => {
  const [fresh, upgraded, restored] = [
    await emptyDatabase(),
    await demoOfA60e4c2c(),
    await restoredA60e4c2c(),
  ];
  await upgrade(fresh);
  const [schema, seeds] = [await catalogueOf(fresh.client), await seedRows(fresh.client)];
  expect(Object.keys(schema.functions ?? {}).length).toBeGreaterThan(70);
  for (const old of [upgraded, restored]) {
    const tables = await tablesOf(old.client);
    const before = await rowsOf(old.client, tables);
    expect(before).toMatchObject({ movements: { count: 1_747 } });
    expect(await upgrade(old)).not.toContain(BASELINE);
    expect(await rowsOf(old.client, tables)).toEqual(before);
    expect(await pendingMigrations(old.application)).toEqual([]);
    const after = await catalogueOf(old.client);
    for (const kind of Object.keys(schema)) expect({ [kind]: after[kind] }).toEqual({ [kind]: schema[kind] });
    expect(await seedRows(old.client)).toEqual(seeds);
    // The ledger that the old commit sealed.
    expect(await verifyAll(clientOf(old.application))).toBe(1_747);
  }
});

test("a database of a60e4c2c is adopted: its rows of migrations stay, and the baseline gets one without being run", async () => {
  const old = await databaseOfA60e4c2c();
  const history = async () =>
    (await old.client.query("select * from _prisma_migrations order by migration_name")).rows;
  const before = await history();
  expect(before).toHaveLength(59);
  expect(await upgrade(old)).not.toContain(BASELINE);
  const after = await history();
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after.find((row) => row.migration_name === BASELINE)).toMatchObject({ applied_steps_count: 0 });
  expect(await upgrade(old)).toEqual([]);
});

test("a ledger that a60e4c2c sealed verifies after every step: each migration, the texts, and each type of movement", {
  timeout: 180_000,
}, async () => {
  const old = await demoOfA60e4c2c();
  // The check of today reads tables that a later migration makes: until then it finds these, which are empty.
  await old.client.query(`
    create schema later
      create table api_keys (id uuid, merchant_id uuid)
      create table used_keys (api_key_id uuid, idempotency_key text, request_hash text, movement_id uuid)
      create table api_key_days (api_key_id uuid, day date, added int)
      create table holds (id uuid, customer_id uuid, state text, points int, paid int, captured int, captured_paid int)
      create table hold_lots (hold_id uuid, lot_id uuid, points int, captured int)`);
  const { rows } = await old.client.query<{ name: string }>("select current_database() as name");
  await old.client.query(`alter database "${rows[0]?.name}" set search_path = sooner, public, later`);
  const owner = clientOf(old.url);
  const migrations = join(projectRoot, "prisma/migrations");
  const root = mkdtempSync(join(tmpdir(), "wallet-steps-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, texts] = [join(root, "migrations"), join(root, "texts")];
  for (const made of [folder, texts]) mkdirSync(made);
  for (const { name } of migrationsIn(migrations)) {
    cpSync(join(migrations, name), join(folder, name), { recursive: true });
    await old.client.query("drop schema if exists sooner cascade");
    expect(await migrate(old.url, { folder, texts })).toEqual(name === BASELINE ? [] : [name]);
    await standIn(old.client);
    expect(await verifyAll(owner)).toBe(1_747);
  }
  await old.client.query("drop schema sooner cascade");
  await old.client.query(`drop schema later cascade; alter database "${rows[0]?.name}" reset search_path`);
  expect(await upgrade(old)).toContain("functions/ledger/post_movements");
  const db = clientOf(old.application);
  let movements = await verifyAll(db);
  expect(movements).toBe(1_747);
  const customer = await db.customer.findFirstOrThrow({
    where: { status: "active", balance: { lt: 1_000 }, bonus: 0, merchant: { status: "approved" } },
    include: { merchant: true },
  });
  const { id, merchant, merchantId } = customer;
  const shop = {
    merchant,
    owner: await db.user.findFirstOrThrow({
      where: { merchantId, role: "merchant_owner", status: "active" },
    }),
    branch: await db.branch.findFirstOrThrow({ where: { merchantId, archivedAt: null } }),
  };
  const expectSealed = async () => {
    await waitForOpenTransactions(db);
    expect(await sealMovements(db)).toBe(1);
    movements += 1;
    expect(await verifyAll(db)).toBe(movements);
  };
  const post = async (row: GivenRow): Promise<string> => {
    const movement = await postRow(db, shop, row);
    await expectSealed();
    return movement;
  };
  await post({ type: "TOP_UP", customer: id, points: 60 });
  await post({ type: "IMPORT", customer: id, points: 40 });
  const ends = new Date(Date.now() + 3_600_000);
  await post({ type: "BONUS", customer: id, points: 30, reason: "A gift", ends_at: ends });
  const redeemed = await post({ type: "REDEEM", customer: id, points: 50 });
  await post({ type: "REFUND", refunds: redeemed, points: 45, reason: "Returned" });
  const adjusted = await post({ type: "ADJUSTMENT", customer: id, points: -20, reason: "Counted again" });
  await post({ type: "REVERSAL", reverses: adjusted, reason: "Wrong" });
  await db.$queryRaw`select expire_bonus_of(${id}::uuid, true, ${new Date(ends.getTime() + 1)})`;
  await expectSealed();
  const ctx = contextOf(db, shop.owner);
  const at = { customerId: id, branchId: shop.branch.id };
  const { hold } = await openHold(ctx, { ...at, points: 10, seconds: 60 });
  await captureHold(ctx, { holdId: hold.id, points: 5, final: false });
  await expectSealed();
  await sealAudits(db);
  await fillDailySums(db);
  expect(await verifyAll(db)).toBe(movements);
});

test("cards of before get their codes after the upgrade, in the application's name, and its ledger stays as it was", async () => {
  const old = await demoOfA60e4c2c();
  await upgrade(old);
  const db = clientOf(old.application);
  // As a server of the version before makes one.
  const { merchantId } = await db.customer.findFirstOrThrow();
  await old.client.query(
    "insert into customers (id, public_id, merchant_id, full_name) select gen_random_uuid(), gen_random_uuid(), $1, 'New'",
    [merchantId],
  );
  const cards = await db.customer.count();
  expect(await db.customer.count({ where: { code: null } })).toBe(cards);
  await giveCustomerCodes({ db, transport: undefined as never }, {});
  const { rows } = await old.client.query(
    "select count(*)::int as given, count(distinct (merchant_id, code))::int as different from customers where code is not null",
  );
  expect(rows).toEqual([{ given: cards, different: cards }]);
  expect(await verifyAll(db)).toBe(1_747);
});

test("a database with only some of the former migrations is refused", async () => {
  const { url } = await databaseOfA60e4c2c(58);
  await expect(migrate(url)).rejects.toThrow("Upgrade to a60e4c2c first");
});

test("texts that are right already wait for nobody who writes or reads", async () => {
  const wallet = await emptyDatabase();
  await upgrade(wallet);
  // As in a database that is adopted.
  await wallet.client.query("delete from sql_texts");
  const other = new Client({ connectionString: wallet.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("begin");
  await other.query("select count(*) from sealed_movements");
  await other.query("update merchants set phone = phone");
  await other.query("update customers set full_name = full_name");
  const { url, application } = wallet;
  const applied = await migrate(url, { application, lockTimeout: 50, attempts: 1 });
  expect(applied).toEqual(expect.arrayContaining(["views/sealed_movements", "triggers/customers"]));
  await other.query("rollback");
});

test("a ledger that is restored into another cluster posts, seals and verifies above what it had", async () => {
  const old = await restoredA60e4c2c();
  // As the guide of a60e4c2c said.
  await old.client.query(
    "create or replace function posting_tx_base() returns bigint language sql immutable as 'select 5000000::bigint'",
  );
  await upgrade(old);
  expect((await old.client.query("select tx_base from ledger_settings")).rows).toEqual([
    { tx_base: "5000000" },
  ]);
  const db = clientOf(old.application);
  const { merchantId, id } = await db.customer.findFirstOrThrow({
    where: { status: "active", balance: { lt: 1_000 }, merchant: { status: "approved" } },
  });
  const owner = await db.user.findFirstOrThrow({
    where: { merchantId, role: "merchant_owner", status: "active" },
  });
  const branch = await db.branch.findFirstOrThrow({ where: { merchantId } });
  const post = () => topUp(contextOf(db, owner), { customerId: id, branchId: branch.id, points: 1 });
  const highest = async () =>
    Number((await old.client.query("select max(tx) as tx from movements")).rows[0].tx);
  await post();
  expect(await highest()).toBeGreaterThan(5_000_000);
  await waitForOpenTransactions(db);
  expect(await sealMovements(db)).toBe(1);
  await sealAudits(db);
  await fillDailySums(db);
  expect(await verifyAll(db)).toBe(1_748);
  // The guide of today. A later run does not put it back.
  await old.client.query("update ledger_settings set tx_base = 6000000");
  await old.client.query("update sql_texts set hash = 'older' where name = 'functions/base/posting_tx_base'");
  expect(await upgrade(old)).toEqual(["functions/base/posting_tx_base"]);
  await post();
  expect(await highest()).toBeGreaterThan(6_000_000);
  await waitForOpenTransactions(db);
  expect(await sealMovements(db)).toBe(1);
  expect(await verifyAll(db)).toBe(1_749);
  // Dumped there, and restored into a third cluster, whose transaction ids are small again.
  await old.client.query("update ledger_settings set tx_base = 0");
  await expect(assertMigrated(old.application)).rejects.toThrow("npm run migrate");
  expect(await upgrade(old)).toEqual([]);
  await assertMigrated(old.application);
  await post();
  await waitForOpenTransactions(db);
  expect(await sealMovements(db)).toBe(1);
  expect(await fillDailySums(db)).toBe(2);
  expect(await verifyAll(db)).toBe(1_750);
});

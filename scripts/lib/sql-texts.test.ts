import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { emptyDatabase } from "@/lib/testing/old-database";
import { migrate } from "./migrate";

const root = mkdtempSync(join(tmpdir(), "wallet-texts-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MIGRATION = `create table things (id int primary key default next_thing(), name text not null default 'one');`;
const NEXT =
  "create or replace function next_thing() returns int language sql volatile as 'select counted + 1 from sums'";
/** A base function that names what comes later, a function that needs another one, a view, and triggers. */
const TEXTS = {
  "functions/base/next_thing": NEXT,
  "functions/base/refuse":
    "create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;",
  "functions/things/a_first":
    "-- Needs what sorts after it.\ncreate or replace function a_first(n int default z_last()) returns int language sql as 'select n + z_last()';",
  "functions/things/z_last":
    "create or replace function z_last() returns int language sql immutable as 'select 20';",
  "views/sums": "create or replace view sums as\n-- A comment.\nselect count(*)::int as counted from things;",
  "triggers/things": `create or replace trigger things_kept before delete on things for each row execute function refuse();
    create or replace trigger things_named before update of name on things for each row when (new.name = '') execute function refuse();`,
};

/** A folder with texts and migrations, and its database. */
async function wallet(migration = MIGRATION) {
  const folder = mkdtempSync(join(root, "t-"));
  const write = (name: string, sql: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), sql);
  };
  for (const [name, sql] of Object.entries(TEXTS)) write(`${name}.sql`, sql);
  write("migrations/1_one/migration.sql", migration);
  const { url, client } = await emptyDatabase();
  return {
    folder,
    client,
    write,
    up: () => migrate(url, { folder: join(folder, "migrations"), texts: folder }),
    one: async (sql: string) => Object.values((await client.query(sql)).rows[0] ?? {})[0],
  };
}

test("base functions, migrations and texts come in the order in which they need each other, and once", async () => {
  const { up, one } = await wallet();
  expect(await up()).toEqual([
    "functions/base/next_thing",
    "functions/base/refuse",
    "1_one",
    "functions/things/a_first",
    "functions/things/z_last",
    "views/sums",
    "triggers/things",
  ]);
  expect(await one("select a_first()")).toBe(40);
  expect(await one("insert into things default values returning id")).toBe(1);
  await expect(one("delete from things")).rejects.toThrow("refused");
  await expect(one("update things set name = ''")).rejects.toThrow("refused");
  expect(await up()).toEqual([]);
});

test("a text is applied again when it changed, when its object is gone, and when an older text comes back", async () => {
  const { up, one, write, client } = await wallet();
  await up();
  const changed = TEXTS["functions/things/z_last"].replace("20", "30");
  write("functions/things/z_last.sql", changed);
  expect(await up()).toEqual(["functions/things/z_last"]);
  expect(await one("select z_last()")).toBe(30);
  write("functions/things/z_last.sql", TEXTS["functions/things/z_last"]);
  expect(await up()).toEqual(["functions/things/z_last"]);
  expect(await one("select z_last()")).toBe(20);
  await client.query("drop view sums; drop trigger things_kept on things");
  expect(await up()).toEqual(["views/sums", "triggers/things"]);
  expect(await one("select counted from sums")).toBe(0);
  await expect(one("insert into things default values; delete from things")).rejects.toThrow("refused");
});

test("a view may change its columns, and a trigger that left its file is dropped", async () => {
  const { up, one, write } = await wallet();
  await up();
  write(
    "views/sums.sql",
    "create or replace view sums as select 'x' as other, count(*)::int as counted from things",
  );
  write("triggers/things.sql", (TEXTS["triggers/things"].split(";")[1] ?? "").trim());
  expect(await up()).toEqual(["views/sums", "triggers/things"]);
  expect(await one("select other from sums")).toBe("x");
  await one("insert into things default values");
  await one("delete from things");
  await expect(
    one("insert into things default values returning (select count(*) from things)"),
  ).resolves.toBe("0");
});

test("a function without a file is dropped, one of previous stays, and what others need is not lost", async () => {
  const { folder, up, one, write, client } = await wallet();
  await up();
  await client.query("create function by_hand() returns int language sql as 'select 1'");
  const at = (name: string) => join(folder, `functions/${name}.sql`);
  mkdirSync(join(folder, "functions/previous"));
  renameSync(at("things/a_first"), at("previous/a_first"));
  write(
    "functions/things/a_first-two.sql",
    "create or replace function a_first(n text, m int) returns int language sql as 'select m'",
  );
  expect(await up()).toEqual(["functions/previous/a_first", "functions/things/a_first-two"]);
  expect(await one("select a_first(1) + a_first('', 2)")).toBe(23);
  rmSync(at("things/z_last"));
  await expect(up()).rejects.toThrow("other objects depend on it");
  expect(await one("select z_last()")).toBe(20);
  rmSync(at("previous/a_first"));
  await up();
  expect(await one("select to_regprocedure('z_last()')::text")).toBe(null);
  expect(await one("select to_regprocedure('a_first(int)')::text")).toBe(null);
  expect(await one("select by_hand() + a_first('', 2)")).toBe(3);
});

test("in a database with postings, a function of previous is there before the migrations and while they run", async () => {
  const { up, one, write, client } = await wallet();
  await up();
  await client.query(`create function of_before(id int) returns int language sql as 'select 1';
    create function of_before(id text, m int) returns int language sql as 'select m'`);
  write(
    "functions/previous/of_before.sql",
    "create or replace function of_before(id int, m int default 1) returns int language sql as 'select 2'",
  );
  write(
    "migrations/2_two/migration.sql",
    "create table seen as select of_before(7) as answer; drop function if exists of_before(int); insert into seen select of_before(7);",
  );
  expect(await up()).toEqual(["functions/previous/of_before", "2_two"]);
  expect(await one("select string_agg(answer::text, ',') from seen")).toBe("2,2");
  expect(await one("select of_before('', 3)")).toBe(3);
});

test("a wrong text is named, and leaves everything as it was", async () => {
  const { up, one, write } = await wallet();
  await up();
  write("functions/things/a_first.sql", TEXTS["functions/things/a_first"].replace("n + z_last()", "n + 1"));
  write(
    "functions/things/z_last.sql",
    "create or replace function z_last() returns int language sql as 'select missing()'",
  );
  await expect(up()).rejects.toThrow("prisma/functions/things/z_last.sql: function missing() does not exist");
  expect(await one("select a_first()")).toBe(40);
  write(
    "functions/things/z_last.sql",
    "create or replace function other() returns int language sql as 'select 1'",
  );
  await expect(up()).rejects.toThrow(
    "prisma/functions/things/z_last.sql: makes other, and is named otherwise",
  );
  write("functions/things/z_last.sql", "create function z_last() returns int language sql as 'select 1'");
  await expect(up()).rejects.toThrow("must be CREATE OR REPLACE FUNCTION");
});

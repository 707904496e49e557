import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createDb, type Db } from "@/lib/db/client";
import { summedUntil, unsummed } from "@/lib/db/sums";
import { ownerUrl, testDb } from "@/lib/testing/database";
import { isDatabaseUnavailable } from "./faults";

await testDb();
// One connection each, whose statements can be looked at.
const named = createDb(ownerUrl(), 1, { statements: "named" });
const unnamed = createDb(ownerUrl(), 1);
afterAll(() => Promise.all([named.$disconnect(), unnamed.$disconnect()]));

const kept = async (db: Db) =>
  (await db.$queryRaw<{ name: string }[]>`select name from pg_prepared_statements order by name`).length;

test("a statement that comes again is kept by its connection, if names are wanted", async () => {
  for (const db of [named, unnamed]) {
    const read = () => db.branch.findMany({ where: { id: randomUUID() }, select: { name: true }, take: 3 });
    for (let turn = 0; turn < 4; turn++) expect(await read()).toEqual([]);
  }
  expect([await kept(named), await kept(unnamed)]).toEqual([1, 0]);
});

test("texts that come once fill no connection, and a client names at most 400", async () => {
  const before = await kept(named);
  for (let n = 0; n < 50; n++) await named.$queryRawUnsafe(`select ${n} as n`);
  expect((await kept(named)) - before).toBeLessThanOrEqual(1);
  for (let n = 0; n < 450; n++)
    for (let turn = 0; turn < 2; turn++) await named.$queryRawUnsafe(`select ${n} as m`);
  expect(await kept(named)).toBe(400);
});

test("a search and what is in no sum are planned for their values each time", async () => {
  const before = await kept(named);
  const summed = await summedUntil(named);
  for (let turn = 0; turn < 3; turn++) {
    await named.$queryRaw`select id from customers where search_text like ${"%a%"}`;
    await named.$queryRaw`select id from movements where ${unsummed(summed, [])}`;
  }
  // That of the progress itself.
  expect((await kept(named)) - before).toBeLessThanOrEqual(1);
});

test("a column added by a migration breaks no statement of all columns", async () => {
  await named.$executeRaw`create table widened (a int)`;
  await named.$executeRaw`insert into widened values (1)`;
  const fresh = createDb(ownerUrl(), 1, { statements: "named" });
  try {
    const all = () => fresh.$queryRaw<object[]>`select * from widened`;
    const one = () => fresh.$queryRaw<object[]>`select a from (select w.* from widened w) w`;
    for (let turn = 0; turn < 3; turn++) expect([await all(), await one()]).toEqual([[{ a: 1 }], [{ a: 1 }]]);
    await named.$executeRaw`alter table widened add column b int`;
    expect([await all(), await one()]).toEqual([[{ a: 1, b: null }], [{ a: 1 }]]);
  } finally {
    await fresh.$disconnect();
  }
});

test("a column of another type fails no statement that a connection keeps; in a transaction it may be repeated", async () => {
  await named.$executeRaw`create table retyped (a int)`;
  await named.$executeRaw`insert into retyped values (1)`;
  const fresh = createDb(ownerUrl(), 1, { statements: "named" });
  try {
    const one = (db: Pick<Db, "$queryRaw"> = fresh) => db.$queryRaw<object[]>`select a from retyped`;
    const another = (db: Pick<Db, "$queryRaw"> = fresh) => db.$queryRaw<object[]>`select a as b from retyped`;
    for (let turn = 0; turn < 3; turn++) await Promise.all([one(), another()]);
    await named.$executeRaw`alter table retyped alter column a type bigint`;
    const refused: unknown = await fresh.$transaction((tx) => another(tx)).catch((error: unknown) => error);
    expect([String(refused), isDatabaseUnavailable(refused)]).toEqual([
      expect.stringContaining("cached plan"),
      true,
    ]);
    expect(await fresh.$transaction((tx) => another(tx))).toEqual([{ b: 1n }]);
    // The pool gives up a connection whose statement failed, so that this comes last.
    expect(await Promise.all([one(), one(), one(), one()])).toEqual(Array(4).fill([{ a: 1n }]));
  } finally {
    await fresh.$disconnect();
  }
});

test("statements whose names a connection forgot are sent again", async () => {
  const fresh = createDb(ownerUrl(), 1, { statements: "named" });
  const id = randomUUID();
  try {
    const read = () => fresh.branch.findMany({ where: { id }, select: { name: true }, take: 2 });
    for (let turn = 0; turn < 3; turn++) expect(await read()).toEqual([]);
    expect(await kept(fresh)).toBeGreaterThan(0);
    await fresh.$executeRaw`deallocate all`;
    for (let turn = 0; turn < 3; turn++) expect(await read()).toEqual([]);
  } finally {
    await fresh.$disconnect();
  }
});

test("a name stands for one text, whichever client gave it", async () => {
  const clients = [
    createDb(ownerUrl(), 1, { statements: "named" }),
    createDb(ownerUrl(), 1, { statements: "named" }),
  ];
  const texts = ["select 1 as of_first", "select 2 as of_second"];
  const orders = [texts, [...texts].reverse()];
  try {
    const rows = await Promise.all(
      clients.map(async (db, nth) => {
        for (const text of orders[nth] ?? [])
          for (let turn = 0; turn < 2; turn++) await db.$queryRawUnsafe(text);
        return db.$queryRaw<{ name: string; statement: string }[]>`
          select name, statement from pg_prepared_statements where statement like 'select % as of_%'`;
      }),
    );
    const textsOf = Map.groupBy(rows.flat(), ({ name }) => name);
    expect(rows.map((found) => found.length)).toEqual([2, 2]);
    for (const found of textsOf.values()) expect(new Set(found.map((row) => row.statement)).size).toBe(1);
  } finally {
    await Promise.all(clients.map((db) => db.$disconnect()));
  }
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsIn } from "@/lib/db/sql-files";
import { statementsOf } from "./apply-migration";
import { nextMigration, wrongMigrations } from "./migration-names";
import { projectRoot } from "./project";

const folder = join(projectRoot, "prisma/migrations");

test("the migrations sort as they landed, and none is stamped later than tomorrow", () => {
  const folders = readdirSync(folder).filter((name) => /^\d/.test(name));
  const order = readFileSync(join(folder, "order.txt"), "utf8").split("\n").filter(Boolean);
  expect(wrongMigrations(folders, order, new Date())).toEqual([]);
});

test("a migration that sorts before an older one, has no line or is of the future is named", () => {
  const now = new Date("2026-11-23T12:00:00Z");
  const [one, two, future] = ["20261123100000_one", "20261123110000_two", "20261124120001_future"];
  expect(wrongMigrations([one, two], [one, two], now)).toEqual([]);
  expect(wrongMigrations([one, two], [two, one], now)).toEqual([`${one} sorts before the older ${two}`]);
  expect(wrongMigrations([one, two], [one], now)).toEqual([`${two} is not in order.txt`]);
  expect(wrongMigrations([one], [one, two], now)).toEqual([`${two} has no folder`]);
  expect(wrongMigrations([one, future], [one, future], now)).toEqual([
    `${future} is stamped later than tomorrow`,
  ]);
});

test("a new migration comes after the newest, also after one that is stamped in the future", () => {
  const now = new Date("2026-11-23T12:00:00Z");
  expect(nextMigration(["20261123110000_one", "order.txt"], now, "two")).toBe("20261123120000_two");
  expect(nextMigration(["20261127235959_one"], now, "two")).toBe("20261128000000_two");
});

test("migrations hold no functions, views and triggers", () => {
  const made = /^create\s+(?:or\s+replace\s+)?(?:temporary\s+)?(?:function|procedure|view|trigger)\b/i;
  for (const { name, sql } of migrationsIn(folder)) {
    expect({ name, made: statementsOf(sql).filter((statement) => made.test(statement)) }).toEqual({
      name,
      made: [],
    });
  }
});

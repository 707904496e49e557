import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsIn } from "@/lib/db/sql-files";
import { statementsOf } from "./apply-migration";
import { projectRoot } from "./command";
import { nextMigration, timeOf } from "./new-migration";

const folder = join(projectRoot, "prisma/migrations");
const DAY = 86_400_000;

/**
 * Answers the faults of the migrations, a line each. `order` names the migrations as they landed. A name that
 * sorts before an older one would run after it in existing databases and before it in new ones. A stamp later
 * than tomorrow would push all later migrations into the future.
 */
function wrongMigrations(folders: string[], order: string[], now: Date): string[] {
  const wrong: string[] = [];
  for (const name of folders.filter((folder) => !order.includes(folder))) {
    wrong.push(`${name} is not in order.txt`);
  }
  for (const name of order.filter((line) => !folders.includes(line))) wrong.push(`${name} has no folder`);
  for (const [index, name] of order.entries()) {
    const before = order[index - 1];
    if (before !== undefined && name <= before) wrong.push(`${name} sorts before the older ${before}`);
    const time = timeOf(name).getTime();
    if (!(time <= now.getTime() + DAY)) wrong.push(`${name} is stamped later than tomorrow`);
  }
  return wrong;
}

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

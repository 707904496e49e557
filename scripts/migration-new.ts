import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { projectRoot, runCommand, untilEnd } from "./lib/command";
import { migrationSql, nextMigration } from "./lib/new-migration";
import { databaseOf } from "./lib/settings";

// npm run migration:new NAME: the SQL from HEAD's schema to this one. Two new ones conflict in order.txt.
await runCommand(async () => {
  const name = process.argv[2];
  if (!name || !/^[a-z0-9_]+$/.test(name)) {
    throw new Error(
      "Give the migration a name of small letters, digits and underscores: npm run migration:new add_phone",
    );
  }
  const migrations = join(projectRoot, "prisma/migrations");
  const database = await untilEnd(databaseOf(process.env));
  const show = ["show", "HEAD:prisma/schema.prisma"];
  const from = execFileSync("git", show, { cwd: projectRoot, encoding: "utf8" });
  const to = readFileSync(join(projectRoot, "prisma/schema.prisma"), "utf8");
  const sql = await migrationSql(database.url, from, to);
  const folder = join(migrations, nextMigration(readdirSync(migrations), new Date(), name));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "migration.sql"), sql);
  appendFileSync(join(migrations, "order.txt"), `${basename(folder)}\n`);
  console.log(`Wrote ${join(folder, "migration.sql")}`);
  return 0;
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";
import { projectRoot } from "./project";
import { withSchemaEngine } from "./schema-engine";

// Any constant of our own: whoever starts at the same time waits here.
const migrationLock = 4_112_026;
const quiet = new Logger(() => () => {});
const folder = join(projectRoot, "prisma", "migrations");

function migrationList() {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir: folder,
    lockfile: {
      path: "migration_lock.toml",
      content: readFileSync(join(folder, "migration_lock.toml"), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok" as const, value: readFileSync(join(folder, name, "migration.sql"), "utf8") },
      },
    })),
  };
}

/**
 * Brings a database up to date: Prisma's migrations (in `_prisma_migrations`, so `prisma migrate deploy` and this
 * understand each other) and the job queue's own tables. Answers the names that were applied now.
 * Throws with the database's message when a migration fails.
 */
export async function migrate(url: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query("select pg_advisory_lock($1)", [migrationLock]);
    const { appliedMigrationNames } = await withSchemaEngine(url, undefined, (engine) =>
      engine.applyMigrations({
        migrationsList: migrationList(),
        filters: { externalTables: [], externalEnums: [] },
      }),
    );
    await runMigrations({ connectionString: url, logger: quiet });
    return appliedMigrationNames;
  } finally {
    await lock.end();
  }
}

/** The migrations that this database still lacks (all of them when it is empty). */
export async function pendingMigrations(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const table = await client.query("select to_regclass('public._prisma_migrations') is not null as there");
    const applied = table.rows[0]?.there
      ? await client.query(
          "select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null",
        )
      : { rows: [] };
    const done = new Set(applied.rows.map((row: { migration_name: string }) => row.migration_name));
    return migrationList()
      .migrationDirectories.map(({ path }) => path)
      .filter((name) => !done.has(name));
  } finally {
    await client.end();
  }
}

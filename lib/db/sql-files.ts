import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A change of types, tables, indexes or rows: it runs once. */
export type Migration = { name: string; sql: string; checksum: string };

export type SqlText = {
  /** The path below `prisma`, such as `functions/ledger/post_row`. */
  name: string;
  kind: "function" | "view" | "triggers";
  /** Functions that defaults, tables and triggers name: they exist before the migrations run. */
  isBase: boolean;
  /** Functions that only servers of the release before call. In a database with postings they exist before the migrations run. */
  isPrevious: boolean;
  sql: string;
  hash: string;
};

const hashOf = (sql: string) => createHash("sha256").update(sql).digest("hex");

/** The migrations in a folder, in the order of their names. */
export function migrationsIn(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "migration.sql")))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: hashOf(sql) };
    });
}

const KINDS = [
  ["function", "functions"],
  ["view", "views"],
  ["triggers", "triggers"],
] as const;

/** The file of posting_lock. The posting gate replaces that function while it is closed, so it has no hash. */
export const POSTING_LOCK = "functions/ledger/posting_lock";

/** The texts in a folder such as `prisma`, without posting_lock. */
export function textsIn(folder: string): SqlText[] {
  return KINDS.flatMap(([kind, part]) => {
    if (!existsSync(join(folder, part))) return [];
    return readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".sql"))
      .map((path) => join(part, path).slice(0, -".sql".length))
      .filter((name) => name !== POSTING_LOCK)
      .sort()
      .map((name) => {
        const sql = readFileSync(join(folder, `${name}.sql`), "utf8");
        const isIn = (room: string) => name.startsWith(`functions/${room}/`);
        return { name, kind, isBase: isIn("base"), isPrevious: isIn("previous"), sql, hash: hashOf(sql) };
      });
  });
}

/** The object that a file is named after: an overload adds a hyphen and a word to its function's name. */
export const objectOf = ({ name }: SqlText): string => basename(name).split("-")[0] ?? "";

/** The migrations and the hash of each text of this checkout. A build carries them for /api/ready. */
export function requiredSql(prisma: string): { migrations: string[]; texts: Record<string, string> } {
  return {
    migrations: migrationsIn(join(prisma, "migrations")).map(({ name }) => name),
    texts: Object.fromEntries(textsIn(prisma).map(({ name, hash }) => [name, hash])),
  };
}

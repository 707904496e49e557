import { resolve } from "node:path";
import { openPostgres, type Postgres, startPostgres } from "./postgres";
import { projectRoot } from "./project";

type Settings = Record<string, string | undefined>;

/** The folder where everything is kept that is not in a database elsewhere: DATA_DIR, or `.data` in the project. */
export const dataDirOf = (settings: Settings): string => resolve(projectRoot, settings.DATA_DIR || ".data");

export type Database = Pick<Postgres, "stop"> & { url: string; embedded: boolean };

const elsewhere = (url: string): Database => ({ url, embedded: false, stop: async () => {} });
const embedded = (postgres: Postgres): Database => ({
  url: postgres.url(),
  embedded: true,
  stop: postgres.stop,
});

/** DATABASE_URL when it is set, else the embedded database (joined when it runs already). For commands. */
export async function databaseOf(settings: Settings): Promise<Database> {
  if (settings.DATABASE_URL) return elsewhere(settings.DATABASE_URL);
  return embedded(await openPostgres({ dataDir: dataDirOf(settings) }));
}

/** As databaseOf, but the embedded database is this program's own. For servers, which outlive commands. */
export async function ownDatabaseOf(settings: Settings): Promise<Database> {
  if (settings.DATABASE_URL) return elsewhere(settings.DATABASE_URL);
  return embedded(await startPostgres({ dataDir: dataDirOf(settings) }));
}

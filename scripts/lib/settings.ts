import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { openPostgres, type Postgres, secretIn, startPostgres } from "../postgres/server";
import { endWith, projectRoot } from "./command";

type Settings = Record<string, string | undefined>;

/** Adds the settings of `.env`, if the project has one, to those of this process. */
export function loadSettings(): void {
  const file = join(projectRoot, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/** The folder where everything is kept that is not in a database elsewhere: DATA_DIR, or `.data` in the project. */
export const dataDirOf = (settings: Settings): string => resolve(projectRoot, settings.DATA_DIR || ".data");

export type Database = Pick<Postgres, "stop"> & {
  /** As the application's role: what a server gets. */
  url: string;
  ownerUrl: string;
  /** The folder of an embedded cluster. */
  cluster?: string;
};

async function named(settings: Settings, embedded: () => ReturnType<typeof openPostgres>): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: owner } = settings;
  if (url) return { url, ownerUrl: owner || url, stop: async () => {} };
  const { stop, folder: cluster, ...urls } = await embedded();
  return { url: urls.url(), ownerUrl: urls.ownerUrl(), cluster, stop };
}

/** DATABASE_URL (and DATABASE_OWNER_URL), else the embedded database: joined, or started by `own`. For commands. */
export const databaseOf = (settings: Settings, own: Record<string, string> = {}): Promise<Database> =>
  named(settings, () => openPostgres({ dataDir: dataDirOf(settings), settings: own }));

/** The exit code of a program whose database is lost: temporary, so that a supervisor starts the program again. */
export const DATABASE_LOST = 75;

/** As databaseOf, for servers: they own the embedded database, restart it, and end if it stays away. */
export function ownDatabaseOf(settings: Settings): Promise<Database> {
  const lost = () => {
    console.error(
      "The database ended again and again, and this program ends too. Its last messages are above. Start the program again.",
    );
    void endWith(DATABASE_LOST);
  };
  return named(settings, () => startPostgres({ dataDir: dataDirOf(settings), keepRunning: { lost } }));
}

/** The secret that signs cookies, links and live codes: AUTH_SECRET, or one made once and kept in the data folder. */
function secretOf(settings: Settings): string {
  if (settings.AUTH_SECRET) return settings.AUTH_SECRET;
  const folder = dataDirOf(settings);
  mkdirSync(folder, { recursive: true });
  return secretIn(join(folder, "auth-secret"), 48);
}

/** The address that the program listens at: PORT (3000) on HOST (this machine only). Links start with APP_URL. */
export function addressOf(settings: Settings): { port: number; host: string; appUrl: string } {
  const port = Number(settings.PORT || 3000);
  return { port, host: settings.HOST || "127.0.0.1", appUrl: settings.APP_URL || `http://localhost:${port}` };
}

/** The settings without the owner's connection string, which no server has. */
export function withoutOwner(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { DATABASE_OWNER_URL: _, ...rest } = settings;
  return rest;
}

/** The settings of a program that needs nothing set: the demo's and the development server's. */
export function demoSettings(appEnv: "demo" | "development", databaseUrl: string) {
  const { port, host, appUrl } = addressOf(process.env);
  const settings: NodeJS.ProcessEnv = {
    ...withoutOwner(process.env),
    APP_ENV: appEnv,
    APP_URL: appUrl,
    AUTH_SECRET: secretOf(process.env),
    DATABASE_URL: databaseUrl,
    ...(process.env.DATABASE_URL ? {} : { DATABASE_STATEMENTS: "named" }),
    DATA_DIR: dataDirOf(process.env),
  };
  return { settings, port, host, appUrl };
}

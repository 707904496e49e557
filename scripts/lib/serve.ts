import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Guarded, type GuardedOptions, startGuarded } from "../postgres/guarded";
import { assertFree, freePort } from "../postgres/port";
import { startPostgres } from "../postgres/server";
import { ensureBuild, ensureClient, serverFolder } from "./build";
import { endWith, folderUntilEnd, runCommand, untilEnd } from "./command";
import { migrate } from "./migrate";
import { addressOf, type Database, demoSettings, ownDatabaseOf, withoutOwner } from "./settings";

/** Waits until GET /api/ready answers 200. Throws when the server ended first (with what it printed), or `seconds` are over. */
export async function untilReady(
  url: string,
  server: Pick<Guarded, "ended" | "gone">,
  seconds = 60,
): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  let last = "no answer";
  while (!server.ended() && Date.now() < until) {
    try {
      const answer = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(5_000) });
      if (answer.ok) return;
      last = `${answer.status} ${await answer.text()}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  if (server.ended()) throw new Error(`The server ended:\n${await server.gone}`);
  throw new Error(`The server was not ready in time: ${last}`);
}

type ServeOptions = Pick<GuardedOptions, "onOutput"> & {
  env: NodeJS.ProcessEnv;
  port: number;
  host: string;
  output?: "show" | "keep";
  /** The folder of another build's standalone server. */
  folder?: string;
};

/** Starts the built server with exactly these settings. It ends with this process. */
export function serveBuilt(options: ServeOptions): Guarded {
  const { env, port, host, output = "show", folder = serverFolder, onOutput } = options;
  return startGuarded({
    command: process.execPath,
    args: [join(folder, "server.js")],
    cwd: folder,
    env: {
      ...withoutOwner(env),
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      HOSTNAME: host,
    },
    patience: 8_000,
    output,
    onOutput,
  });
}

/** The same, and waits until it is ready. It ends before this command does. */
export async function serveReady(options: ServeOptions): Promise<Guarded> {
  const { host, port } = options;
  const server = await untilEnd(serveBuilt(options));
  await untilReady(`http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`, server);
  return server;
}

/** The settings of the program on a new database, migrated, and folder; both go when this process ends. */
export async function settingsForTests(name: string, more: Record<string, string>) {
  const dataDir = folderUntilEnd(name, { inMemory: true });
  const postgres = await untilEnd(startPostgres({ dataDir, throwaway: true }));
  await migrate(postgres.ownerUrl(), { application: postgres.url() });
  const env: NodeJS.ProcessEnv = {
    ...withoutOwner(process.env),
    APP_ENV: "test",
    AUTH_SECRET: randomBytes(32).toString("hex"),
    DATABASE_URL: postgres.url(),
    DATA_DIR: dataDir,
    // Each test calls from a separate address, so that the limits of one do not meet another.
    TRUSTED_PROXIES: "1",
    ...more,
  };
  return { env, ownerUrl: postgres.ownerUrl() };
}

/** Starts the built program on a new database and folder, both gone afterwards. Answers its settings. */
export async function startForTests(more: Record<string, string> = {}): Promise<NodeJS.ProcessEnv> {
  await ensureBuild();
  const port = await freePort();
  const { env } = await settingsForTests("e2e", {
    APP_URL: `http://localhost:${port}`,
    // A journey that needs the jobs of each minute asks for them, as a scheduler does.
    CRON_SECRET: randomBytes(32).toString("hex"),
    DATABASE_STATEMENTS: "named",
    ...more,
  });
  await serveReady({ env, port, host: "127.0.0.1" });
  return env;
}

type Demo = Omit<ReturnType<typeof demoSettings>, "appUrl"> & {
  database: Database;
  migrated: Promise<unknown>;
};

/** Runs `npm run demo` or `dev`. `serve` starts the server; it may begin before the tables are there (`migrated`). */
export const runDemo = (appEnv: "demo" | "development", serve: (demo: Demo) => Promise<Guarded>) =>
  runCommand(async () => {
    await assertFree(addressOf(process.env));
    const starting = untilEnd(ownDatabaseOf(process.env));
    const [database] = await Promise.all([starting, ensureClient()]);
    const { appUrl, settings, ...address } = demoSettings(appEnv, database.url);
    const migrated = migrate(database.ownerUrl, { application: database.url });
    const guiding = migrated.then(async () => {
      Object.assign(process.env, settings);
      const { demoGuide, seed } = await import("./demo-data");
      await seed(database.ownerUrl);
      return demoGuide(database.url, appUrl);
    });
    const serving = serve({ ...address, settings, database, migrated });
    const [server, guide] = await Promise.all([serving, guiding]);
    console.log(guide);
    void server.gone.then(() => endWith(1));
    return "stay";
  });

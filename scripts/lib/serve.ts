import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Guarded, type GuardedOptions, startGuarded } from "../postgres/guarded";
import { freePort } from "../postgres/port";
import { startPostgres } from "../postgres/server";
import { ensureBuild, serverFolder } from "./build";
import { folderUntilEnd, projectRoot, runNode, untilEnd } from "./command";
import { migrate } from "./migrate";
import { withoutOwner } from "./settings";
import { findChromium, findHeadlessShell } from "./tools";

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

const jsonImports = pathToFileURL(join(projectRoot, "scripts/lib/json-imports.mjs")).href;

/** Plays the journeys of e2e/ in a real browser. `args` go to Playwright. Answers its exit code. */
export async function playJourneys(args: string[]): Promise<number> {
  const chromium = findChromium();
  if (!chromium) throw new Error("No Chromium was found; install it, or set CHROMIUM_PATH.");
  const env = await startForTests();
  return runNode([join(projectRoot, "node_modules/@playwright/test/cli.js"), "test", ...args], {
    ...env,
    NODE_OPTIONS: `${env.NODE_OPTIONS ?? ""} --import=${jsonImports}`,
    CHROMIUM_PATH: chromium,
    HEADLESS_SHELL: findHeadlessShell() ?? chromium,
  });
}

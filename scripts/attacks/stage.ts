import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuild, ensureClient } from "../lib/build";
import { atEnd } from "../lib/ending";
import { migrate } from "../lib/migrate";
import { serveBuilt, untilReady } from "../lib/serve";
import { withoutOwner } from "../lib/settings";
import { freePort } from "../postgres/port";
import { startPostgres } from "../postgres/server";
import { temporaryDataDir } from "../postgres/temporary";

export type Stage = {
  /** The address of the running server; null when only the route handlers of this process are attacked. */
  url: string | null;
  ownerUrl: string;
  env: NodeJS.ProcessEnv;
};

export const CRON_SECRET = "a cron secret for tests only";

/**
 * A migrated database and, with `server`, the built program on it, all of it gone afterwards. This process gets the same
 * settings, so that it makes accounts and cookies that the program accepts: import no module of the program before.
 */
export async function openStage(server: boolean): Promise<Stage> {
  await (server ? ensureBuild() : ensureClient());
  const dataDir = temporaryDataDir("attacks", { inMemory: true });
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir, throwaway: true });
  atEnd(postgres.stop);
  await migrate(postgres.ownerUrl(), { application: postgres.url() });
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...withoutOwner(process.env),
    APP_ENV: "test",
    // The address that the examples of lib/testing have; the server listens on a free port.
    APP_URL: "http://localhost:3000",
    AUTH_SECRET: randomBytes(32).toString("hex"),
    DATABASE_URL: postgres.url(),
    DATA_DIR: join(dataDir, "files"),
    CRON_SECRET,
    LOG_LEVEL: "silent",
    // Each attacker calls from a separate address, so that the limits of one do not meet another.
    TRUSTED_PROXIES: "1",
    // Jobs run only when an attack asks for them, so that nothing else changes the database meanwhile.
    WORKER: "off",
  };
  Object.assign(process.env, env);
  if (!server) return { url: null, ownerUrl: postgres.ownerUrl(), env };
  const running = serveBuilt({ env, port, host: "127.0.0.1", output: "keep" });
  atEnd(running.stop);
  await untilReady(`http://localhost:${port}`, running);
  return { url: `http://localhost:${port}`, ownerUrl: postgres.ownerUrl(), env };
}

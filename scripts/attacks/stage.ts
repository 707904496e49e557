import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ensureBuild, ensureClient } from "../lib/build";
import { openDatabase } from "../lib/e2e";
import { serveReady } from "../lib/serve";
import { withoutOwner } from "../lib/settings";
import { freePort } from "../postgres/port";

export type Stage = {
  /** The address of the running server; null when only the route handlers of this process are attacked. */
  url: string | null;
  ownerUrl: string;
};

/**
 * A migrated database and, with `server`, the built program on it, all of it gone afterwards. This process gets the same
 * settings, so that it makes accounts and cookies that the program accepts: import no module of the program before.
 */
export async function openStage(server: boolean): Promise<Stage> {
  await (server ? ensureBuild() : ensureClient());
  const { dataDir, postgres } = await openDatabase("attacks");
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...withoutOwner(process.env),
    APP_ENV: "test",
    // The address that the examples of lib/testing have; the server listens on a free port.
    APP_URL: "http://localhost:3000",
    AUTH_SECRET: randomBytes(32).toString("hex"),
    DATABASE_URL: postgres.url(),
    DATA_DIR: join(dataDir, "files"),
    // As the examples of lib/testing name it.
    CRON_SECRET: "a cron secret for tests only",
    LOG_LEVEL: "silent",
    // Each attacker calls from a separate address, so that the limits of one do not meet another.
    TRUSTED_PROXIES: "1",
    // Jobs run only when an attack asks for them, so that nothing else changes the database meanwhile.
    WORKER: "off",
  };
  Object.assign(process.env, env);
  if (!server) return { url: null, ownerUrl: postgres.ownerUrl() };
  await serveReady({ env, port, host: "127.0.0.1", output: "keep" });
  return { url: `http://localhost:${port}`, ownerUrl: postgres.ownerUrl() };
}

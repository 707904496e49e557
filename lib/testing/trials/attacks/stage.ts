import { ensureBuild, ensureClient } from "@/scripts/lib/build";
import { serveReady, settingsForTests } from "@/scripts/lib/serve";
import { freePort } from "@/scripts/postgres/port";

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
  const { env, ownerUrl } = await settingsForTests("attacks", {
    // The address and the secret that the examples of lib/testing have; the server listens on a free port.
    APP_URL: "http://localhost:3000",
    CRON_SECRET: "a cron secret for tests only",
    LOG_LEVEL: "silent",
    // Jobs run only when an attack asks for them, so that nothing else changes the database meanwhile.
    WORKER: "off",
  });
  Object.assign(process.env, env);
  if (!server) return { url: null, ownerUrl };
  const port = await freePort();
  await serveReady({ env, port, host: "127.0.0.1", output: "keep" });
  return { url: `http://localhost:${port}`, ownerUrl };
}

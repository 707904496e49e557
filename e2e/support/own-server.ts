import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { serverFolder } from "@/scripts/lib/build";
import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import type { Guarded } from "@/scripts/postgres/guarded";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address ? address.port : 0;
}

/** The built program in a folder of its own, whose files a test may replace, in links to those of the build. */
export function ownFolder(): { folder: string; remove: () => void } {
  const parent = mkdtempSync(join(dirname(serverFolder), "own-"));
  const folder = join(parent, "server");
  execFileSync("cp", ["-al", serverFolder, folder]);
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/**
 * A server of its own on the journeys' database, which a test may kill without the others noticing. `settings` are more of
 * them, or others.
 */
export async function startOwnServer(
  folder = serverFolder,
  settings: (url: string) => Record<string, string> = () => ({}),
) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...process.env, APP_URL: url, ...settings(url) };
  const start = async (): Promise<Guarded> => {
    const server = serveBuilt({ env, port, host: "127.0.0.1", output: "keep", folder });
    await untilReady(url, server);
    return server;
  };
  let running = await start();
  return {
    url,
    /** Ends it in the middle of whatever it does. */
    kill: async () => {
      process.kill(await running.pid, "SIGKILL");
      await running.gone;
    },
    restart: async () => {
      running = await start();
    },
    stop: () => running.stop(),
  };
}

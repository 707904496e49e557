import { sessionMemory } from "@/lib/accounts/session";
import { listenForSessions } from "@/lib/accounts/session-listener";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { loadApi } from "./load";
import { type OwnServer, ownServer } from "./serve";

// Between this file and http-timeouts.mjs, which stands beside the standalone server and knows no bundles.
const shared = globalThis as typeof globalThis & { walletApiWanted?: true; walletApi?: OwnServer };

/**
 * What the standalone server has more than a function of Vercel or `next dev`: it answers the API by itself unless
 * API_SERVER is "next", and remembers sessions. Throws an Error when the build has another form than expected.
 */
export async function installOwnServer(): Promise<void> {
  if (!shared.walletApiWanted) return;
  const { API_SERVER, METRICS_PORT, DATABASE_URL } = env();
  listenForSessions(DATABASE_URL, sessionMemory());
  if (API_SERVER === "next") return;
  const files = await loadApi(process.cwd());
  shared.walletApi = ownServer(files, METRICS_PORT);
  log("info", "the API is served without Next", { files: files.length });
}

import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { loadApi } from "./load";
import { type OwnServer, ownServer } from "./serve";

// Between this file and http-timeouts.mjs, which stands beside the standalone server and knows no bundles.
const shared = globalThis as typeof globalThis & { walletApiWanted?: true; walletApi?: OwnServer };

/**
 * Lets the standalone server answer the API by itself. Does nothing elsewhere (Vercel, `next dev`), where nothing gives
 * requests to it. Throws an Error when the build has another form than expected.
 */
export async function installOwnServer(): Promise<void> {
  if (!shared.walletApiWanted) return;
  const files = await loadApi(process.cwd());
  shared.walletApi = ownServer(files, env().METRICS_PORT);
  log("info", "the API is served without Next", { files: files.length });
}

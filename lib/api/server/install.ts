import { resolve } from "node:path";
import { sessionMemory } from "@/lib/accounts/session";
import { listenForSessions } from "@/lib/accounts/session-listener";
import { directUrl, env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { API_CALLS } from "../table";
import { type OwnServer, ownServer, staticFiles } from "./serve";

// Shared with http-timeouts.mjs, which lies beside the standalone server and cannot import a bundle.
const shared = globalThis as typeof globalThis & { walletApiWanted?: true; walletApi?: OwnServer };

/** Installs the parts that only the standalone server has: it remembers sessions, and answers the API without Next. */
export function installOwnServer(): void {
  if (!shared.walletApiWanted) return;
  const { API_SERVER, METRICS_PORT } = env();
  const listening = directUrl();
  if (listening) listenForSessions(listening, sessionMemory());
  if (API_SERVER === "next") return;
  // The standalone server works in its own folder.
  const takeFile = staticFiles(resolve(/* turbopackIgnore: true */ ".next/static"));
  shared.walletApi = ownServer(API_CALLS, { internalPort: METRICS_PORT, takeFile });
  log("info", "the API is served without Next", { calls: API_CALLS.length });
}

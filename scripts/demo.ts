import { join } from "node:path";
import { keepBackup } from "./backup/backup";
import { ensureBuild } from "./lib/build";
import { projectRoot } from "./lib/command";
import { runDemo, serveReady } from "./lib/serve";

// npm run demo: everything from nothing to a running wallet with people in it.
await runDemo("demo", async ({ database, migrated, settings, port, host }) => {
  keepBackup(database);
  // The people come while the program is built or starts: 90 seconds at most, a second time 4 (targets.md).
  await Promise.all([migrated, ensureBuild({ quick: true })]);
  // Node keeps what it compiled of the server: a third of its next start.
  const env = { ...settings, NODE_COMPILE_CACHE: join(projectRoot, "node_modules/.cache/node") };
  return serveReady({ env, port, host });
});

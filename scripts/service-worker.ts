import { join } from "node:path";
import { buildServiceWorker } from "./lib/build";
import { projectRoot, runCommand } from "./lib/command";

// For hosts that run `next build` themselves: the service worker of that build, among the public files.
await runCommand(async () => {
  await buildServiceWorker(join(projectRoot, "public/sw.js"));
  return 0;
});

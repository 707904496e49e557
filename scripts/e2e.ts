import { join } from "node:path";
import { projectRoot, runCommand, runNode } from "./lib/command";
import { startForTests } from "./lib/serve";
import { ensureTools, findChromium, findHeadlessShell } from "./lib/tools";

// npm run test:e2e [-- Playwright's arguments]: the journeys alone, against the production build.
await runCommand(async () => {
  ensureTools();
  const chromium = findChromium();
  if (!chromium) throw new Error("No Chromium was found; install it, or set CHROMIUM_PATH.");
  const env = await startForTests();
  const playwright = join(projectRoot, "node_modules/@playwright/test/cli.js");
  return await runNode([playwright, "test", ...process.argv.slice(2)], {
    ...env,
    NODE_OPTIONS: `${env.NODE_OPTIONS ?? ""} --import=${new URL("./lib/json-imports.mjs", import.meta.url)}`,
    CHROMIUM_PATH: chromium,
    HEADLESS_SHELL: findHeadlessShell() ?? chromium,
  });
});

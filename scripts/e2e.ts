import { runCommand } from "./lib/command";
import { playJourneys } from "./lib/serve";
import { ensureTools } from "./lib/tools";

// npm run test:e2e [-- Playwright's arguments]: the journeys alone, against the production build.
await runCommand(async () => {
  ensureTools();
  return await playJourneys(process.argv.slice(2));
});

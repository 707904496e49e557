import { join } from "node:path";
import { ensureClient } from "./lib/build";
import { projectRoot, runCommand, runNode } from "./lib/command";

// npm run test:attacks, test:container, test:deploy, test:failover, test:faults and test:upgrade [-- pattern of a name …]:
// a trial of lib/testing/trials. LONG=1 is the long form.
await runCommand(async () => {
  const [trial = "", ...parts] = process.argv.slice(2);
  await ensureClient();
  const names = parts.length > 0 ? ["--testNamePattern", parts.join("|")] : [];
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  return await runNode([vitest, "run", "--project=trials", `lib/testing/trials/${trial}.test.ts`, ...names]);
});

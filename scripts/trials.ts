import { join } from "node:path";
import { ensureClient } from "./lib/build";
import { projectRoot, runCommand, runNode } from "./lib/command";

// npm run test:attacks, test:container, test:contract, test:deploy, test:failover, test:faults, test:fuzz and test:upgrade
// [-- pattern of a name …]: a trial, or a test of the API. LONG=1 is the long form.
await runCommand(async () => {
  const [trial = "", ...parts] = process.argv.slice(2);
  await ensureClient();
  const names = parts.length > 0 ? ["--testNamePattern", parts.join("|")] : [];
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  const files = ["lib/testing/trials", "lib/api/contract"].map((folder) => `${folder}/${trial}.test.ts`);
  return await runNode([vitest, "run", "--reporter=verbose", ...files, ...names]);
});

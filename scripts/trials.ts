import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureClient } from "./lib/build";
import { folderUntilEnd, projectRoot, runCommand, runNode } from "./lib/command";

// npm run test:attacks, test:container, test:contract, test:deploy, test:failover, test:faults, test:fuzz and test:upgrade
// [-- pattern of a name …]: a trial, or a test of the API. LONG=1 is the long form. A trial that tried nothing has failed.
await runCommand(async () => {
  const [trial = "", ...parts] = process.argv.slice(2);
  await ensureClient();
  const names = parts.length > 0 ? ["--testNamePattern", parts.join("|")] : [];
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  const files = ["lib/testing/trials", "lib/api/contract"].map((folder) => `${folder}/${trial}.test.ts`);
  const report = join(folderUntilEnd("report"), "report.json");
  const reporters = ["--reporter=verbose", "--reporter=json", `--outputFile.json=${report}`];
  const code = await runNode([vitest, "run", ...reporters, ...files, ...names]);
  const { numPassedTests = 0 } = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  return numPassedTests > 0 ? code : 1;
});

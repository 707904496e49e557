import { join } from "node:path";
import { ensureBuild, ensureClient } from "./lib/build";
import { projectRoot, runCommand, runNode } from "./lib/command";
import { ensureProxies } from "./lib/tools";

const runTest = (name: string, settings: Record<string, string>): Promise<number> =>
  runNode([join(projectRoot, "node_modules/vitest/vitest.mjs"), "run", `lib/api/contract/${name}.test.ts`], {
    ...process.env,
    ...settings,
  });

// npm run test:contract: every call of the API over HTTP, by the built program's own server and by Next. With
// `-- --pooler` the servers reach Postgres through PgBouncer in transaction mode.
// npm run test:fuzz: many more strange requests than npm test sends. FUZZ_RUNS, FUZZ_SECONDS and FUZZ_SEED choose others.
await runCommand(async () => {
  const { FUZZ_RUNS = "20000", FUZZ_SECONDS = "600" } = process.env;
  if (process.argv[2] === "fuzz") {
    await ensureClient();
    return runTest("fuzz", { FUZZ_RUNS, FUZZ_SECONDS });
  }
  const isPooled = process.argv.includes("--pooler");
  if (isPooled && ensureProxies("pgbouncer").length > 0) {
    console.log("not run  PgBouncer is not installed, and could not be");
    return 0;
  }
  await ensureBuild();
  return runTest("over-http", { CONTRACT_OVER_HTTP: "1", CONTRACT_POOLER: isPooled ? "1" : "" });
});

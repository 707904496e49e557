import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureClient } from "./lib/build";
import { runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";

// npm run test:fuzz: many more strange requests than npm test sends. FUZZ_RUNS, FUZZ_SECONDS and FUZZ_SEED choose others.
await runCommand(async () => {
  await ensureClient();
  const args = [join(projectRoot, "node_modules/vitest/vitest.mjs"), "run", "lib/api/contract/fuzz.test.ts"];
  const { status } = spawnSync(process.execPath, args, {
    cwd: projectRoot,
    stdio: "inherit",
    env: { FUZZ_RUNS: "20000", FUZZ_SECONDS: "600", ...process.env },
  });
  return status ?? 1;
});

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuild } from "./lib/build";
import { runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";

// npm run test:contract: every call of the API over HTTP, by the built program's own server and by Next.
await runCommand(async () => {
  await ensureBuild();
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "lib/api/contract/over-http.test.ts"], {
    cwd: projectRoot,
    stdio: "inherit",
    env: { ...process.env, CONTRACT_OVER_HTTP: "1" },
  });
  return status ?? 1;
});

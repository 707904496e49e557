import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuild } from "./lib/build";
import { runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";
import { ensureProxies } from "./lib/tools";

// npm run test:contract: every call of the API over HTTP, by the built program's own server and by Next. With
// `-- --pooler` the servers reach Postgres through PgBouncer in transaction mode.
await runCommand(async () => {
  const isPooled = process.argv.includes("--pooler");
  if (isPooled && ensureProxies("pgbouncer").length > 0) {
    console.log("not run  PgBouncer is not installed, and could not be");
    return 0;
  }
  await ensureBuild();
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "lib/api/contract/over-http.test.ts"], {
    cwd: projectRoot,
    stdio: "inherit",
    env: { ...process.env, CONTRACT_OVER_HTTP: "1", CONTRACT_POOLER: isPooled ? "1" : "" },
  });
  return status ?? 1;
});

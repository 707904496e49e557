import { ensureBuild } from "./lib/build";
import { runCommand } from "./lib/command";

// npm run build [-- --quick]: the production build, when it is missing or older than its sources. Needs no settings.
await runCommand(async () => {
  const built = await ensureBuild({ quick: process.argv.includes("--quick") });
  console.log(built ? "Built." : "The build is up to date.");
  return 0;
});

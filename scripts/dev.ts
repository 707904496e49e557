import { join } from "node:path";
import { projectRoot, untilEnd } from "./lib/command";
import { runDemo, untilReady } from "./lib/serve";
import { startGuarded } from "./postgres/guarded";

// npm run dev: the demo's data under Next's development server.
await runDemo("development", async ({ migrated, settings, port, host }) => {
  await migrated;
  const next = join(projectRoot, "node_modules/next/dist/bin/next");
  const server = await untilEnd(
    startGuarded({
      command: process.execPath,
      args: [next, "dev", "--port", String(port), "--hostname", host],
      cwd: projectRoot,
      env: { ...settings, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" },
      patience: 5_000,
      output: "show",
    }),
  );
  await untilReady(`http://${host}:${port}`, server, 120);
  return server;
});

import { join } from "node:path";
import { ensureClient } from "./lib/build";
import { endWith, projectRoot, runCommand, untilEnd } from "./lib/command";
import { migrate } from "./lib/migrate";
import { untilReady } from "./lib/serve";
import { addressOf, demoSettings, ownDatabaseOf } from "./lib/settings";
import { startGuarded } from "./postgres/guarded";
import { assertFree } from "./postgres/port";

// npm run dev: the demo's data under Next's development server.
await runCommand(async () => {
  await assertFree(addressOf(process.env));
  const database = await untilEnd(ownDatabaseOf(process.env));
  await ensureClient();
  await migrate(database.ownerUrl, { application: database.url });
  const { settings, port, host, appUrl } = demoSettings("development", database.url);
  Object.assign(process.env, settings);
  const { demoGuide, seed } = await import("./lib/demo-data");
  await seed(database.ownerUrl);
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
  console.log(await demoGuide(database.url, appUrl));
  void server.gone.then(() => endWith(1));
  return "stay";
});

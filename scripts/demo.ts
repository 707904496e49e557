import { join } from "node:path";
import { keepBackup } from "./backup/backup";
import { ensureBuild, ensureClient } from "./lib/build";
import { endWith, projectRoot, runCommand, untilEnd } from "./lib/command";
import { migrate } from "./lib/migrate";
import { serveReady } from "./lib/serve";
import { addressOf, demoSettings, ownDatabaseOf } from "./lib/settings";
import { assertFree } from "./postgres/port";

// npm run demo: everything from nothing to a running wallet with people in it.
await runCommand(async () => {
  await assertFree(addressOf(process.env));
  const starting = untilEnd(ownDatabaseOf(process.env));
  const [database] = await Promise.all([starting, ensureClient()]);
  keepBackup(database);
  const { settings, port, host, appUrl } = demoSettings("demo", database.url);
  // The people come while the program is built or starts: 90 seconds at most, a second time 4 (targets.md).
  const building = ensureBuild({ quick: true });
  const migrating = migrate(database.ownerUrl, { application: database.url });
  const guiding = migrating.then(async () => {
    Object.assign(process.env, settings);
    const { demoGuide, seed } = await import("./lib/demo-data");
    await seed(database.ownerUrl);
    return demoGuide(database.url, appUrl);
  });
  // Node keeps what it compiled of the server: a third of its next start.
  const env = { ...settings, NODE_COMPILE_CACHE: join(projectRoot, "node_modules/.cache/node") };
  const serving = Promise.all([migrating, building]).then(() => serveReady({ env, port, host }));
  const [server, guide] = await Promise.all([serving, guiding]);
  console.log(guide);
  void server.gone.then(() => endWith(1));
  return "stay";
});

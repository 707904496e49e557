import { ensureBuild } from "./lib/build";
import { atEnd, endWith, runCommand } from "./lib/ending";
import { migrate } from "./lib/migrate";
import { serveBuilt, untilReady } from "./lib/serve";
import { addressOf, dataDirOf, ownDatabaseOf, secretOf } from "./lib/settings";

// npm run demo: everything from nothing to a running wallet with people in it.
await runCommand(async () => {
  const { port, host, appUrl } = addressOf(process.env);
  const database = await ownDatabaseOf(process.env);
  atEnd(database.stop);
  await ensureBuild();
  await migrate(database.url);
  const settings = {
    ...process.env,
    APP_ENV: "demo",
    APP_URL: appUrl,
    AUTH_SECRET: secretOf(process.env),
    DATABASE_URL: database.url,
    DATA_DIR: dataDirOf(process.env),
  };
  Object.assign(process.env, settings);
  const { demoGuide, seed } = await import("./lib/demo-data");
  await seed(database.url);

  const server = serveBuilt({ env: settings, port, host });
  atEnd(server.stop);
  await untilReady(`http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`, server);
  console.log(await demoGuide(database.url, appUrl));
  void server.gone.then(() => endWith(1));
  return "stay";
});

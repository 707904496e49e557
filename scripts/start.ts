import { env } from "@/lib/env";
import { isBuilt } from "./lib/build";
import { endWith, runCommand } from "./lib/command";
import { assertMigrated } from "./lib/migrate";
import { serveReady } from "./lib/serve";
import { dataDirOf, loadSettings } from "./lib/settings";

// npm start: the built program for a machine with its own Postgres. It never migrates and never builds by itself.
await runCommand(async () => {
  loadSettings();
  const { PORT: port, DATABASE_URL } = env();
  if (!isBuilt()) throw new Error("There is no build of these sources. Run: npm run build");
  await assertMigrated(DATABASE_URL);
  const host = process.env.HOST || "0.0.0.0";
  const server = await serveReady({ env: { ...process.env, DATA_DIR: dataDirOf(process.env) }, port, host });
  void server.gone.then(() => endWith(1));
  return "stay";
});

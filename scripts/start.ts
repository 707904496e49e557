import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "@/lib/env";
import { buildState } from "./lib/build";
import { atEnd, endWith, runCommand } from "./lib/ending";
import { pendingMigrations } from "./lib/migrate";
import { projectRoot } from "./lib/project";
import { serveBuilt, untilReady } from "./lib/serve";
import { dataDirOf } from "./lib/settings";

// npm start: the built program for a machine with its own Postgres. It never migrates and never builds by itself.
await runCommand(async () => {
  const file = join(projectRoot, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const { PORT: port, DATABASE_URL } = env();
  if (buildState() !== "fresh") throw new Error("There is no build of these sources. Run: npm run build");
  const pending = await pendingMigrations(DATABASE_URL);
  if (pending.length > 0) {
    const names = pending.slice(0, 3).join(", ");
    throw new Error(
      `The database lacks ${pending.length} migrations or SQL texts (${names} …). Run: npm run migrate`,
    );
  }
  const host = process.env.HOST || "0.0.0.0";
  const server = serveBuilt({ env: { ...process.env, DATA_DIR: dataDirOf(process.env) }, port, host });
  atEnd(server.stop);
  await untilReady(`http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`, server);
  void server.gone.then(() => endWith(1));
  return "stay";
});

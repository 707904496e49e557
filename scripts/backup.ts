import { parseArgs } from "node:util";
import { backUp, prune } from "./backup/backup";
import { destinationOf } from "./backup/destination";
import { runCommand, untilEnd } from "./lib/command";
import { dataDirOf, loadSettings } from "./lib/settings";
import { openPostgres } from "./postgres/server";

// npm run backup [-- --to FOLDER|s3://bucket/prefix] [--keep 7]: a base backup of the embedded database, running or not.
await runCommand(async () => {
  loadSettings();
  const { values } = parseArgs({
    options: { to: { type: "string" }, keep: { type: "string", default: "7" } },
  });
  if (process.env.DATABASE_URL) {
    throw new Error("DATABASE_URL names a database elsewhere: see docs/operate/backups.md for its backup.");
  }
  const to = values.to ?? process.env.BACKUP_TO;
  if (!to) throw new Error("Where to? Set BACKUP_TO or pass --to FOLDER or --to s3://bucket/prefix.");
  const keep = Number(values.keep);
  if (!Number.isInteger(keep) || keep < 1) throw new Error("--keep is a number of backups, 1 or more.");
  const dataDir = dataDirOf(process.env);
  const destination = destinationOf(to, process.env);
  const postgres = await untilEnd(openPostgres({ dataDir }));
  const source = { ownerUrl: postgres.ownerUrl(), cluster: postgres.folder, dataDir };
  const name = await backUp(source, destination);
  const gone = await prune(destination, keep);
  console.log(
    `${name} stands in ${destination.name}; ${gone} older ${gone === 1 ? "backup" : "backups"} removed.`,
  );
  return 0;
});

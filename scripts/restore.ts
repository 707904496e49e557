import { parseArgs } from "node:util";
import { destinationOf } from "./backup/destination";
import { restore } from "./backup/restore";
import { runCommand } from "./lib/command";
import { dataDirOf, loadSettings } from "./lib/settings";

// npm run restore [-- --from FOLDER|s3://bucket/prefix] [--at 2026-11-22T10:15:00Z]: into DATA_DIR, which holds no database.
await runCommand(async () => {
  loadSettings();
  const { values } = parseArgs({ options: { from: { type: "string" }, at: { type: "string" } } });
  const from = values.from ?? process.env.BACKUP_TO;
  if (!from) throw new Error("From where? Set BACKUP_TO or pass --from FOLDER or --from s3://bucket/prefix.");
  const at = values.at ? new Date(values.at) : undefined;
  if (at && Number.isNaN(at.getTime())) throw new Error("--at is a time such as 2026-11-22T10:15:00Z.");
  const dataDir = dataDirOf(process.env);
  const { backup } = await restore(destinationOf(from, process.env), { dataDir, at });
  console.log(
    `${dataDir} holds the database of ${backup}, played up to ${at?.toISOString() ?? "the log's end"}.`,
  );
  console.log("Check it before anybody uses it: npm run ledger:verify");
  return 0;
});

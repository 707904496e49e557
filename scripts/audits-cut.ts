import { runCommand, untilEnd } from "./lib/command";
import { databaseOf, loadSettings } from "./lib/settings";
import { connected } from "./postgres/server";

// npm run audits:cut: as the owner, removes what was sealed 400 days ago. The chain goes on after it.
await runCommand(async () => {
  loadSettings();
  const database = await untilEnd(databaseOf(process.env));
  const taken = await connected(database.ownerUrl, async (client) => {
    const { rows } = await client.query<{ taken: string }>("select cut_audits() as taken");
    return rows[0]?.taken ?? "0";
  });
  console.log(`${taken} entries of the audit log were more than 400 days old.`);
  return 0;
});

import { parseArgs } from "node:util";
import { verifyAudits } from "@/lib/audit/check-audits";
import { createDb } from "@/lib/db/client";
import { endReplica, readLaggingAsProgram } from "@/lib/db/replica";
import { verifyAndKeep } from "@/lib/ledger/run-check";
import { atEnd, runCommand, untilEnd } from "./lib/command";
import { databaseOf, loadSettings } from "./lib/settings";

const SHOWN_EVERY = 1_000;

/** One line that is written over on a terminal; elsewhere nothing until the end. */
function shower(name: string) {
  let last = 0;
  return (movements: number, total: number) => {
    if (!process.stderr.isTTY || Date.now() - last < SHOWN_EVERY) return;
    last = Date.now();
    process.stderr.write(`\r${name}: ${movements} of ${total} transactions `);
  };
}

// npm run ledger:verify [-- --merchant ID] recomputes all ledgers or one. Exit code 1 at the first wrong row.
await runCommand(async () => {
  loadSettings();
  const { values } = parseArgs({ options: { merchant: { type: "string" } } });
  const database = await untilEnd(databaseOf(process.env));
  const db = createDb(database.url, 3);
  atEnd(async () => {
    await endReplica(db);
    await db.$disconnect();
  });
  const merchants = await db.merchant.findMany({
    where: { id: values.merchant },
    orderBy: { createdAt: "asc" },
    select: { id: true, businessName: true },
  });
  if (values.merchant && merchants.length === 0) throw new Error("There is no such merchant.");
  const started = Date.now();
  let checked = 0;
  for (const { id, businessName } of merchants) {
    const verdict = await verifyAndKeep(db, id, shower(businessName));
    checked += verdict.movements;
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    if (verdict.firstWrong) {
      console.error(`${businessName} (${id}): ${JSON.stringify(verdict.firstWrong)}`);
      return 1;
    }
    const head = verdict.head ? Buffer.from(verdict.head).toString("hex") : "nothing is sealed yet";
    console.log(`${businessName}: ${verdict.movements} transactions in order; ${head}`);
  }
  const audits = values.merchant ? null : await readLaggingAsProgram(db, verifyAudits);
  if (audits?.wrong) {
    console.error(`The audit log: ${JSON.stringify(audits.wrong)}`);
    return 1;
  }
  if (audits) console.log(`The audit log: ${audits.entries} entries in order.`);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${checked} transactions of ${merchants.length} merchants are in order (${seconds} seconds).`);
  return 0;
});

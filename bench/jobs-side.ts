import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createDb } from "@/lib/db/client";
import { runWorker } from "@/lib/jobs/worker";
import { TASKS } from "@/lib/tasks";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";

// Started by bench/jobs.ts in the folder of the checkout it measures, whose sources `@/` then names. Posts top-ups,
// starts the worker, waits until their receipts are sent or the time is over, and prints one line of JSON.
// Arguments: top-ups before the worker starts, seconds at most, top-ups a second meanwhile (0: none).
const [receipts = 0, seconds = 0, perSecond = 0] = process.argv.slice(2).map(Number);
const CUSTOMERS = 300;
const connectionString = process.env.DATABASE_URL ?? "";

type TopUp = (ctx: unknown, input: object) => Promise<unknown>;
// Where the operation stands, now and in the first versions.
const file = ["lib/ledger/move-points.ts", "lib/ledger/top-up.ts"]
  .map((path) => join(process.cwd(), path))
  .find((path) => existsSync(path));
const { topUp } = (await import(file ?? "")) as { topUp: TopUp };

/** Counts the statements that this process sends, by wrapping the driver of the measured checkout. */
function countStatements(): { sent: number } {
  const counted = { sent: 0 };
  const driver = createRequire(join(process.cwd(), "package.json"))("pg") as typeof pg;
  const prototype = driver.Client.prototype as { query: (...values: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function (this: unknown, ...values: unknown[]) {
    counted.sent += 1;
    return query.apply(this, values);
  };
  return counted;
}

// What an earlier run left when its time was over. As the owner: the program's role may not delete jobs.
const watcher = new pg.Client({ connectionString: process.env.DATABASE_OWNER_URL });
await watcher.connect();
await watcher.query("delete from emails; delete from graphile_worker._private_jobs");
const { rows: outbox } = await watcher.query("select to_regclass('posting_outbox') is not null as exists");
if (outbox[0]?.exists) await watcher.query("delete from posting_outbox");

const db = createDb(connectionString, 10);
const shop = await makeMerchant(db);
const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => makeCustomer(db, shop)));
const owner = contextOf(db, shop.owner);
let posted = 0;
async function post(): Promise<void> {
  const customerId = customers[posted++ % CUSTOMERS]?.id;
  const idempotencyKey = crypto.randomUUID();
  await topUp(owner, { customerId, branchId: shop.branch.id, points: 10, idempotencyKey });
}
for (let left = receipts; left > 0; left -= 50) {
  await Promise.all(Array.from({ length: Math.min(50, left) }, post));
}

async function countSent(): Promise<number> {
  const { rows } = await watcher.query("select count(*)::int as sent from emails where status = 'sent'");
  return rows[0]?.sent ?? 0;
}
const statements = countStatements();
const { mailTransport } = await import("@/lib/email/transports");
const started = performance.now();
const elapsed = () => (performance.now() - started) / 1_000;
const usedBefore = process.cpuUsage();
const worker = runWorker({ connectionString, context: { db, transport: mailTransport() }, tasks: TASKS });

let asked = 0;
const postings: Promise<void>[] = [];
const waitingAt: number[] = [];
let sent = 0;
while (elapsed() < seconds && (perSecond > 0 || sent < receipts)) {
  // It asks rarely, because it shares the machine with what is measured.
  await pause(perSecond > 0 ? 20 : 100);
  for (const due = Math.floor(elapsed() * perSecond); asked < due; asked++) postings.push(post());
  if (perSecond > 0 && elapsed() < waitingAt.length + 1) continue;
  sent = await countSent();
  waitingAt.push(posted - sent);
}
const took = elapsed();
const { user, system } = process.cpuUsage(usedBefore);
const counted = statements.sent;
await Promise.all(postings);
await worker.stop();
await watcher.end();
const result = { sent, took, cpu: (user + system) / 1e6, statements: counted, waitingAt };
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

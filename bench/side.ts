import { availableParallelism } from "node:os";
import pg from "pg";
import { createDb } from "@/lib/db/client";
import { seedLarge } from "@/prisma/seed/large";
import { ensureBuild } from "@/scripts/lib/build";
import { migrate } from "@/scripts/lib/migrate";
import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import { fill } from "./posting-rows";
import { untilSettled } from "./settled";

// Started by run.ts in a checkout, whose tsconfig.json says what `@/` is: builds it, fills its database and serves it
// until the input ends. Uses only what older versions have too. Prints one line, {"pid": …, "hasActors": …}, once the
// server is ready.
const [ownerUrl = "", url = "", port = "", customers = "", movements = ""] = process.argv.slice(2);
const print = (line: string) => console.error(`  ${line}`);

// What a build prints goes where the progress goes.
console.log = print;
await ensureBuild();
await migrate(ownerUrl, { application: url });
// Before the many rows of the seed: posting into tables without statistics would read them again and again.
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
const { rowCount: actors } = await owner.query(
  "select from information_schema.columns where table_name = 'merchants' and column_name = 'unproved_worker_daily'",
);
await owner.query(fill(actors === 1));
await owner.end();
const db = createDb(ownerUrl);
const size = { merchants: 20, customers: Number(customers), movements: Number(movements), days: 365 };
await seedLarge(db, size, print);
await db.$disconnect();
const server = serveBuilt({
  env: {
    ...process.env,
    DATABASE_URL: url,
    DATABASE_STATEMENTS: "named",
    // As compose has it; older versions do not know it.
    SERVER_PROCESSES: process.env.SERVER_PROCESSES ?? String(Math.min(2, availableParallelism())),
  },
  port: Number(port),
  host: "127.0.0.1",
  output: "keep",
});
let isStopping = false;
process.stdin.resume().once("end", () => {
  isStopping = true;
  void server.stop().then(() => process.exit(0));
});
void server.gone.then((printed) => {
  if (isStopping) return;
  print(`The server ended: ${printed}`);
  process.exit(1);
});
await untilReady(`http://127.0.0.1:${port}`, server);
await untilSettled(ownerUrl);
process.stdout.write(`${JSON.stringify({ pid: await server.pid, hasActors: actors === 1 })}\n`);

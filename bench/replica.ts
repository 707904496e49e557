import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDb } from "@/lib/db/client";
import { addDays, qatarDay } from "@/lib/domain/time";
import { Cluster } from "@/lib/testing/trials/failover/cluster";
import { seedLarge } from "@/prisma/seed/large";
import { ensureBuild } from "@/scripts/lib/build";
import { atEnd, runCommand } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import { freePort } from "@/scripts/postgres/port";
import { connected, type Postgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { CHAIN } from "./cases";
import { type Answers, loadPaced } from "./http-load";
import { loadOf, pin, whyBusy } from "./machine";
import { fill } from "./posting-rows";
import { makeSessions } from "./sessions";
import { untilSettled } from "./settled";

// npm run bench:replica [-- --rows 1000000 --rounds 5 --seconds 60 --sync --anyway]: docs/operate/bench.md. Postings at 50/s on the
// primary, alone and beside an export of all movements and liability reports from the standby.
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "60" },
    // Commits wait for the standby that is read.
    sync: { type: "boolean", default: false },
    anyway: { type: "boolean", default: false },
  },
});
const [rows, rounds, seconds] = [Number(values.rows), Number(values.rounds), Number(values.seconds)];
/** How much the reports may raise the p99 of postings. */
const MOST = 1.1;
/** The two machines: postings with the primary and this program, reports with the standby and their reader. */
const CORES = { primary: 0, standby: 1 };

const postmasterOf = ({ folder }: Postgres) =>
  Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** A program that reads exports and liability reports in turn until it is ended, and says how long each took. */
const READER = `const [reports, authorization, query] = process.argv.slice(1);
for (;;) for (const path of ["transactions/export", "reports/liability" + query]) {
  const began = performance.now();
  const answer = await fetch(reports + "/api/" + path, { headers: { authorization } });
  let bytes = 0;
  for await (const part of answer.body) bytes += part.length;
  console.log(answer.status, path.split("?")[0], bytes, "bytes", Math.round(performance.now() - began), "ms");
}`;

/** Primary with movements, standby, and a server on each core. */
async function stage() {
  await ensureBuild();
  // Before anything else is started, since that stays on the core of its parent.
  pin(process.pid, CORES.primary);
  const dataDir = temporaryDataDir("bench-replica");
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const cluster = await Cluster.start(dataDir, async (primary) => {
    await migrate(primary.ownerUrl(), { application: primary.url() });
    await connected(primary.ownerUrl(), (client) => client.query(fill(true)));
    const db = createDb(primary.ownerUrl());
    const size = { merchants: 1, customers: rows / 10, movements: rows, days: 365 };
    await seedLarge(db, size, (line) => console.error(`  ${line}`));
    await db.$disconnect();
  });
  atEnd(() => cluster.stop());
  if (!values.sync) await cluster.waitForStandby("");
  const secret = randomBytes(32).toString("hex");
  const serve = async (name: string, core: number, more: Record<string, string>) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const files = join(dataDir, name);
    mkdirSync(files);
    const env = {
      ...process.env,
      ...{
        APP_ENV: "test",
        APP_URL: url,
        AUTH_SECRET: secret,
        DATA_DIR: files,
        DATABASE_STATEMENTS: "named",
      },
      ...{ DATABASE_URL: cluster.primary.url(), ...more },
    };
    const server = serveBuilt({ env, port, host: "127.0.0.1", output: "keep" });
    atEnd(server.stop);
    await untilReady(url, server);
    pin((await server.pid) ?? 0, core);
    return url;
  };
  const posts = await serve("posts", CORES.primary, {});
  const reports = await serve("reports", CORES.standby, { DATABASE_READ_URL: cluster.standby.url() });
  await untilSettled(cluster.primary.ownerUrl());
  await connected(cluster.primary.ownerUrl(), (client) => client.query("checkpoint"));
  pin(postmasterOf(cluster.primary), CORES.primary);
  pin(postmasterOf(cluster.standby), CORES.standby);
  return { posts, reports, sessions: await makeSessions(cluster.primary.ownerUrl(), secret) };
}

await runCommand(async () => {
  const busy = whyBusy(await loadOf());
  if (busy && !values.anyway) throw new Error(`The machine is busy: ${busy}. Measure anyway: --anyway`);
  const { posts, reports, sessions } = await stage();
  const token = sessions.owners[0]?.token ?? "";
  const post = (during: number): Promise<Answers> =>
    loadPaced(posts, CHAIN.postings.pace, during, (nth) => CHAIN.postings.ask(sessions, nth, 0));
  const today = qatarDay(new Date());
  const month = addDays(today, -30);
  /** Answers how to end the reader. Throws what it says if a report was refused. */
  const report = () => {
    const args = ["-c", String(CORES.standby), process.execPath, "--input-type=module", "-e", READER];
    const query = `?from=${month}&to=${today}`;
    const reader = spawn("taskset", [...args, reports, token, query], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    reader.stdout.on("data", (part: Buffer) => {
      said += part;
    });
    const gone = new Promise((done) => reader.once("close", done));
    return async () => {
      reader.kill("SIGKILL");
      await gone;
      if (!said || /^(?!200)/m.test(said.trim()))
        throw new Error(`The reports were refused or none ended: ${said}`);
      console.log(said.trim().replace(/^/gm, "  "));
    };
  };
  await post(10);
  const p99 = { alone: [] as number[], beside: [] as number[] };
  const told = ({ p50, p95, p99: slow }: Answers) =>
    [p50, p95, slow].map((time) => time.toFixed(1)).join(" · ");
  for (let round = 0; round < rounds; round++) {
    const alone = await post(seconds);
    const end = report();
    const beside = await post(seconds);
    await end();
    console.log(`p50 · p95 · p99 in ms: alone ${told(alone)}, beside reports ${told(beside)}`);
    p99.alone.push(alone.p99);
    p99.beside.push(beside.p99);
  }
  const ratio = median(p99.beside) / median(p99.alone);
  console.log(`p99 of postings beside reports on the standby / alone: ${ratio.toFixed(2)} (at most ${MOST})`);
  return ratio <= MOST ? 0 : 1;
});

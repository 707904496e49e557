import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDb } from "@/lib/db/client";
import { addDays, qatarDay } from "@/lib/domain/time";
import { seedLarge } from "@/prisma/seed/large";
import { Cluster } from "@/scripts/failover/cluster";
import { ensureBuild } from "@/scripts/lib/build";
import { atEnd, runCommand } from "@/scripts/lib/ending";
import { connected, migrate } from "@/scripts/lib/migrate";
import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import { freePort } from "@/scripts/postgres/port";
import type { Postgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { CHAIN } from "./cases";
import { type Answers, loadPaced } from "./http-load";
import { loadOf, pin, whyBusy } from "./machine";
import { fill } from "./posting-rows";
import { makeSessions } from "./sessions";
import { untilSettled } from "./settled";

// npm run bench:replica [-- --rows 1000000 --rounds 3 --seconds 30 --anyway]: docs/operate/bench.md. Postings at 50/s on the
// primary, alone and beside an export of all movements and liability reports from the standby.
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "30" },
    anyway: { type: "boolean", default: false },
  },
});
const [rows, rounds, seconds] = [Number(values.rows), Number(values.rounds), Number(values.seconds)];
/** How much the reports may raise the p99 of postings. */
const MOST = 1.1;
/** The two machines: postings with the primary, reports with the standby and with this program. */
const CORES = { primary: 0, standby: 1 };

const postmasterOf = ({ folder }: Postgres) =>
  Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Reads an answer to its end and throws the body away. Answers its bytes. Throws on any answer but 200. */
function drain(url: string, authorization: string, signal: AbortSignal): Promise<number> {
  return new Promise((done, fail) => {
    const request = http.get(url, { headers: { authorization }, signal }, (answer) => {
      let bytes = 0;
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      answer.on("error", fail);
      answer.on("end", () =>
        answer.statusCode === 200 ? done(bytes) : fail(new Error(`${url} was answered ${answer.statusCode}`)),
      );
    });
    request.on("error", fail);
  });
}

/** Primary with movements, standby, and a server on each core. */
async function stage() {
  await ensureBuild();
  // Before anything else is started, since that stays on the core of its parent.
  pin(process.pid, CORES.standby);
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
  let [exported, liabilities] = [0, 0];
  /** Exports and reports, one after the other, until the signal. */
  const report = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        exported += await drain(`${reports}/api/transactions/export`, token, signal);
        await drain(`${reports}/api/reports/liability?from=${month}&to=${today}`, token, signal);
        liabilities++;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  };
  await post(10);
  const p99 = { alone: [] as number[], beside: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    p99.alone.push((await post(seconds)).p99);
    const end = new AbortController();
    const reporting = report(end.signal);
    p99.beside.push((await post(seconds)).p99);
    end.abort();
    await reporting;
    console.log(
      `p99 alone ${p99.alone.at(-1)?.toFixed(1)} ms, beside reports ${p99.beside.at(-1)?.toFixed(1)} ms`,
    );
  }
  const ratio = median(p99.beside) / median(p99.alone);
  console.log(
    `${liabilities} exports of ${(exported / liabilities / 1e6).toFixed(0)} MB, each with a liability report`,
  );
  console.log(`p99 of postings beside reports on the standby / alone: ${ratio.toFixed(2)} (at most ${MOST})`);
  return ratio <= MOST ? 0 : 1;
});

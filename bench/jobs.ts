import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { smtpServer } from "@/lib/testing/smtp-server";
import { ensureDatabase, type Postgres, startPostgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { checkoutOf } from "./sides";

// npm run bench:jobs [-- --against REF[=RECEIPTS] … --receipts 2000 --seconds 60 --rounds 3 --rate 250]: receipts a second
// from posted movements into the mailbox and to an SMTP server on loopback, turn by turn with other versions, whose
// checkouts are those of bench/run.ts; a slow one may get fewer receipts. Then the queue while top-ups come at a steady
// rate. fsync is on.
const { values } = parseArgs({
  options: {
    against: { type: "string", multiple: true, default: [] },
    receipts: { type: "string", default: "2000" },
    seconds: { type: "string", default: "60" },
    rounds: { type: "string", default: "3" },
    rate: { type: "string", default: "250" },
  },
});
const STEADY_SECONDS = "20";
const TRANSPORTS = ["mailbox", "smtp"] as const;
type Transport = (typeof TRANSPORTS)[number];
type Result = { sent: number; took: number; cpu: number; statements: number; waitingAt: number[] };
type Measured = { rate: number; cpu: number; server: number; statements: number };

const here = resolve(import.meta.dirname, "..");
const THIS = "this checkout";
const sides = [
  ...values.against.map((side) => {
    const [name = "", receipts = values.receipts] = side.split("=");
    return { name, folder: checkoutOf(name).folder, receipts };
  }),
  { name: THIS, folder: here, receipts: values.receipts },
];

/** Runs a script of this folder in a checkout, whose tsconfig.json says what `@/` is. Answers its last line. */
async function runIn(folder: string, script: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    printed += part;
  });
  const code = await new Promise<number | null>((exit) => child.once("close", exit));
  if (code !== 0) throw new Error(`${script} in ${folder} exited with ${code}: ${printed}`);
  return printed.trim().split("\n").at(-1) ?? "";
}

/** CPU seconds of the database server's children that have ended. */
function serverCpu(folder: string): number {
  const pid = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0];
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

type Side = { name: string; folder: string; receipts: string; env: Record<string, string> };

async function prepare(server: Postgres, index: number, dataDir: string): Promise<Side> {
  const { name, folder, receipts } = sides[index] ?? { name: THIS, folder: here, receipts: values.receipts };
  const database = `bench_${index}`;
  await ensureDatabase(server.ownerUrl("postgres"), database);
  // The first versions had one role for everything.
  const hasRoles = existsSync(join(folder, "prisma/grants.sql"));
  const env = {
    APP_ENV: "demo",
    AUTH_SECRET: "a secret for measurements only, and long enough",
    DATABASE_URL: hasRoles ? server.url(database) : server.ownerUrl(database),
    DATABASE_OWNER_URL: server.ownerUrl(database),
    DATA_DIR: join(dataDir, database),
    LOG_LEVEL: "error",
    SMTP_URL: "",
    RESEND_API_KEY: "",
  };
  mkdirSync(env.DATA_DIR, { recursive: true });
  await runIn(folder, join(here, "bench/jobs-client.ts"), [], env);
  await runIn(folder, join(folder, "scripts/migrate.ts"), [], env);
  return { name, folder, receipts, env };
}

/** The median of some numbers with the least and the most. */
function spread(numbers: readonly number[], digits: number): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const shown = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)].map((one) =>
    (one ?? 0).toFixed(digits),
  );
  return `${shown[0]} (${shown[1]} to ${shown[2]})`;
}

function print(name: string, runs: readonly Measured[]): void {
  const of = (field: "rate" | "cpu" | "server" | "statements", digits: number) =>
    spread(
      runs.map((run) => run[field]),
      digits,
    );
  console.log(`${name}: ${of("rate", 0)} receipts/s, ${of("cpu", 2)} ms of CPU each,`);
  console.log(
    `${" ".repeat(9)}Postgres ${of("server", 2)} ms with the posting, ${of("statements", 2)} statements each`,
  );
}

const script = join(here, "bench/jobs-side.ts");
const dataDir = temporaryDataDir("bench");
const server = await startPostgres({ dataDir });
const mailServer = await smtpServer();

async function measure(
  { folder, receipts, env }: Side,
  transport: string,
  rate: string,
): Promise<Result & Measured> {
  const before = serverCpu(server.folder);
  const args = rate === "0" ? [receipts, values.seconds, "0"] : ["0", STEADY_SECONDS, rate];
  const SMTP_URL = transport === "smtp" ? mailServer.url : "";
  const result = JSON.parse(await runIn(folder, script, args, { ...env, SMTP_URL })) as Result;
  const each = (total: number) => total / Math.max(1, result.sent);
  mailServer.messages.length = 0;
  return {
    ...result,
    rate: result.sent / result.took,
    cpu: each(result.cpu) * 1_000,
    server: each(serverCpu(server.folder) - before) * 1_000,
    statements: each(result.statements),
  };
}

try {
  const prepared: Side[] = [];
  for (const index of sides.keys()) prepared.push(await prepare(server, index, dataDir));
  const results: Record<Transport, Map<string, Measured[]>> = { mailbox: new Map(), smtp: new Map() };
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const transport of TRANSPORTS) {
      for (const side of prepared) {
        const own = results[transport];
        own.set(side.name, [...(own.get(side.name) ?? []), await measure(side, transport, "0")]);
      }
    }
  }
  for (const transport of TRANSPORTS) {
    for (const [name, runs] of results[transport]) print(`${transport.padEnd(8)} ${name}`, runs);
    const ours = results[transport].get(THIS) ?? [];
    for (const { name } of prepared.slice(0, -1)) {
      const theirs = results[transport].get(name) ?? [];
      const ratios = ours.map(({ rate }, round) => rate / (theirs[round]?.rate ?? Number.NaN));
      console.log(`${transport.padEnd(8)} ${THIS} / ${name}: ${spread(ratios, 2)} times the receipts`);
    }
  }
  const last = prepared.at(-1);
  if (last && values.rate !== "0") {
    const { waitingAt } = await measure(last, "mailbox", values.rate);
    console.log(
      `Top-ups at ${values.rate}/s: receipts on their way after each second: ${waitingAt.join(" ")}`,
    );
  }
  console.log(
    `Load averages of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
} finally {
  await mailServer.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "@/scripts/lib/command";
import { type MigrateOptions, migrate } from "@/scripts/lib/migrate";
import { connected, ensureDatabase, startPostgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { CUSTOMERS, fill, row } from "./posting-rows";

// npm run bench:posting -- COMMIT [seconds a run, rounds]: posting with the SQL of another commit against posting with this
// checkout's, turn by turn on one server with fsync on, by pgbench. Prints movements a second and backend CPU a movement,
// medians of the rounds.
const commit = process.argv[2] ?? "";
const seconds = process.argv[3] ?? "5";
const rounds = Number(process.argv[4] ?? 3);
const scripts = mkdtempSync(join(tmpdir(), "wallet-bench-"));

/** The other commit's migrations, and its texts where it has them. */
function sqlOf(version: string): MigrateOptions {
  const folder = join(scripts, "old");
  mkdirSync(folder);
  const tar = execFileSync("git", ["archive", version, "prisma"], { cwd: projectRoot, maxBuffer: 1e8 });
  execFileSync("tar", ["-x", "-C", folder], { input: tar });
  const texts = join(folder, "prisma");
  return {
    folder: join(texts, "migrations"),
    texts: existsSync(join(texts, "functions")) ? texts : undefined,
  };
}

const mixed = "CASE WHEN random() < 0.6 THEN 'TOP_UP' ELSE 'REDEEM' END";
const anyone = `100000000000 + floor(random() * ${CUSTOMERS})::bigint`;
const cases = [
  { name: "single, 1 client", clients: 1, rows: 1, customer: anyone },
  { name: "single, 8 clients", clients: 8, rows: 1, customer: anyone },
  { name: "single, 16 clients", clients: 16, rows: 1, customer: anyone },
  { name: "one hot card, 8 clients", clients: 8, rows: 1, customer: "100000000001" },
  { name: "batch of 64", clients: 2, rows: 64, customer: anyone },
  { name: "batch of 200", clients: 1, rows: 200, customer: anyone },
  { name: "batch of 64 on one card", clients: 1, rows: 64, customer: "100000000003" },
];

async function make(owner: string, options: MigrateOptions): Promise<void> {
  await migrate(owner, options);
  await connected(owner, (client) => client.query(fill(true)));
}

/** CPU seconds of the server's children that have ended. */
function cpu(folder: string): number {
  const pid = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0];
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

type Result = { rate: number; micros: number };

function run(url: string, folder: string, one: (typeof cases)[number]): Result {
  const file = join(scripts, "run.sql");
  const rows = `(SELECT jsonb_agg(${row(mixed, one.customer)}) FROM generate_series(0, ${one.rows - 1}) g)`;
  const sql = `SELECT outcome, balance FROM post_movements(${rows}, false${one.name === "one hot card, 8 clients" ? "" : ", true"});\n`;
  writeFileSync(file, sql);
  const before = cpu(folder);
  const flags = ["-n", "-M", "prepared", "-c", String(one.clients), "-j", "2", "-T", seconds, "-f", file];
  const printed = execFileSync("pgbench", [...flags, url], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const calls = Number(/processed: (\d+)/.exec(printed)?.[1]);
  const rate = Number(/tps = ([\d.]+)/.exec(printed)?.[1]) * one.rows;
  return { rate, micros: ((cpu(folder) - before) / (calls * one.rows)) * 1e6 };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const dataDir = temporaryDataDir("bench");
const server = await startPostgres({ dataDir });
try {
  // The other commit's grants are not applied: it posts as the owner.
  const urls = { old: server.ownerUrl("bench_old"), new: server.url("bench_new") };
  for (const name of ["bench_old", "bench_new"]) await ensureDatabase(server.ownerUrl("postgres"), name);
  await make(urls.old, sqlOf(commit));
  await make(server.ownerUrl("bench_new"), { application: urls.new });
  for (const one of cases) {
    const results: Record<"old" | "new", Result[]> = { old: [], new: [] };
    for (let round = 0; round < rounds; round++) {
      results.old.push(run(urls.old, server.folder, one));
      results.new.push(run(urls.new, server.folder, one));
    }
    const rate = (which: "old" | "new") => median(results[which].map((result) => result.rate));
    const micros = (which: "old" | "new") => median(results[which].map((result) => result.micros));
    console.log(
      `${one.name.padEnd(26)} ${rate("old").toFixed(0).padStart(7)} → ${rate("new").toFixed(0).padStart(7)}/s (×${(rate("new") / rate("old")).toFixed(2)})` +
        `   CPU ${micros("old").toFixed(0).padStart(5)} → ${micros("new").toFixed(0).padStart(4)} µs (×${(micros("old") / micros("new")).toFixed(2)})`,
    );
  }
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(scripts, { recursive: true, force: true });
}

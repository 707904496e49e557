import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connected, type MigrateOptions, migrate } from "@/scripts/lib/migrate";
import { ensureDatabase, startPostgres, temporaryDataDir } from "@/scripts/postgres/server";

// npm run bench:posting [-- seconds a run, rounds]: posting as it was against posting as it is, turn by turn on one
// server with fsync on, by pgbench. Prints movements a second and backend CPU a movement, medians of the rounds.
const seconds = process.argv[2] ?? "5";
const rounds = Number(process.argv[3] ?? 3);
const CUSTOMERS = 5_000;
// A worker serves one customer at a time, and their day is one row: as many as never wait for themselves.
const WORKERS = 1_024;
const FIRST_NEW = "20261121230000_actors";
const scripts = mkdtempSync(join(tmpdir(), "wallet-bench-"));

const fill = (isNew: boolean) => `
  INSERT INTO merchants (id, business_name, first_name, last_name, email, phone, status, redeem_allowance)
  VALUES ('00000000-0000-4000-8000-000000000001', 'Bench', 'A', 'B', 'bench@bench.test', '+97430000000', 'approved', 1000000000);
  INSERT INTO points_configs (merchant_id, version, dirhams_per_point, min_top_up, max_top_up, max_balance, undo_minutes)
  VALUES ('00000000-0000-4000-8000-000000000001', 1, 100, 1, 5000, 1000000000, 15);
  INSERT INTO branches (id, merchant_id, name, city)
  SELECT ('00000000-0000-4000-8000-00000000001' || n)::uuid, '00000000-0000-4000-8000-000000000001', 'B' || n, 'Doha' FROM generate_series(0, 3) n;
  INSERT INTO users (id, role, email, first_name, last_name, phone, merchant_id)
  SELECT ('00000000-0000-4000-8000-' || 200000000000 + n)::uuid, 'branch_worker', 'w' || n || '@bench.test', 'W', 'N' || n, '+974' || 30000100 + n,
    '00000000-0000-4000-8000-000000000001' FROM generate_series(0, ${WORKERS - 1}) n;
  INSERT INTO customers (id, public_id, merchant_id, full_name, email, phone)
  SELECT ('00000000-0000-4000-8000-' || (100000000000 + n))::uuid, gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'Customer ' || n, 'c' || n || '@bench.test', '+974' || (40000000 + n)
  FROM generate_series(0, ${CUSTOMERS}) n;
  ${Array.from({ length: 10 }, (_, part) => `SELECT count(*) FROM post_movements((SELECT jsonb_agg(${row("'TOP_UP'", `100000000000 + g * 10 + ${part}`, "1000")}) FROM generate_series(0, ${CUSTOMERS / 10 - 1}) g), true)`).join(";")};
  ${isNew ? `SELECT count(*) FROM post_movements((SELECT jsonb_agg(${row("'BONUS'", "100000000000 + g * 5", "200")}) FROM generate_series(0, ${CUSTOMERS / 5 - 1}) g), true);` : ""}
  ${isNew ? "UPDATE merchants SET unproved_worker_daily = 1000000000;" : ""}
  ANALYZE;`;

/** A row as the application sends it, as SQL: a point up or down for a customer, by one of the workers. */
function row(type: string, customer: string, points = "1"): string {
  const id = (text: string) => `'00000000-0000-4000-8000-' || ${text}`;
  return `jsonb_build_object('idx', g, 'type', ${type}, 'customer', ${id(`(${customer})`)},
    'branch', ${id("'00000000001' || g % 4")}, 'actor', ${id(`(200000000000 + (pg_backend_pid() * 64 + g) % ${WORKERS})`)}, 'scope', 'merchant',
    'scope_merchant', '00000000-0000-4000-8000-000000000001', 'points', ${points}, 'key', gen_random_uuid(),
    'hash', 'a hash as long as a real one is, of 64 letters and digits in all', 'proof', 'none')`;
}

const mixed = "CASE WHEN random() < 0.6 THEN 'TOP_UP' ELSE 'REDEEM' END";
const anyone = `100000000000 + floor(random() * ${CUSTOMERS})::bigint`;
const cases = [
  { name: "single, 1 client", clients: 1, rows: 1, customer: anyone },
  { name: "single, 8 clients", clients: 8, rows: 1, customer: anyone },
  { name: "single, 16 clients", clients: 16, rows: 1, customer: anyone },
  { name: "one hot card, 8 clients", clients: 8, rows: 1, customer: "100000000001" },
  { name: "batch of 64", clients: 2, rows: 64, customer: anyone },
  { name: "batch of 64 on one card", clients: 1, rows: 64, customer: "100000000003" },
];

async function make(owner: string, options: MigrateOptions): Promise<void> {
  await migrate(owner, options);
  await connected(owner, (client) => client.query(fill(options.before === undefined)));
}

/** CPU seconds of the server's children that have ended. */
function cpu(folder: string): number {
  const pid = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0];
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

type Result = { rate: number; micros: number };

function run(url: string, folder: string, one: (typeof cases)[number], isNew: boolean): Result {
  const file = join(scripts, "run.sql");
  const rows = `(SELECT jsonb_agg(${row(mixed, one.customer)}) FROM generate_series(0, ${one.rows - 1}) g)`;
  const sql = `SELECT outcome, balance FROM post_movements(${rows}, false${isNew && one.name !== "one hot card, 8 clients" ? ", true" : ""});\n`;
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
  // The old version had one role for everything; the new one posts as the application's.
  const urls = { old: server.ownerUrl("bench_old"), new: server.url("bench_new") };
  for (const name of ["bench_old", "bench_new"]) await ensureDatabase(server.ownerUrl("postgres"), name);
  await make(urls.old, { before: FIRST_NEW });
  await make(server.ownerUrl("bench_new"), { application: urls.new });
  for (const one of cases) {
    const results: Record<"old" | "new", Result[]> = { old: [], new: [] };
    for (let round = 0; round < rounds; round++) {
      results.old.push(run(urls.old, server.folder, one, false));
      results.new.push(run(urls.new, server.folder, one, true));
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

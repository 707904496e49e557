import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Answers } from "./http-load";
import { CUSTOMERS, customerId, row } from "./posting-rows";
import type { Side } from "./sides";

const PATIENCE_SECONDS = 10;

/** One call of post_movements a transaction, a top-up of a point each, by so many clients of pgbench. Times in ms. */
export async function runPgbench(
  { url, hasActors }: Pick<Side, "url" | "hasActors">,
  clients: number,
  seconds: number,
  hot: boolean,
): Promise<Answers> {
  const folder = mkdtempSync(join(tmpdir(), "wallet-pgbench-"));
  try {
    const customer = hot ? customerId(1).slice(-12) : `100000000000 + floor(random() * ${CUSTOMERS})::bigint`;
    const one = `(SELECT jsonb_agg(${row("'TOP_UP'", customer)}) FROM generate_series(0, 0) g)`;
    // As the program's fast lane posts where it can: without waiting for a card, which one hot card needs.
    const skips = hasActors && !hot ? ", true" : "";
    const file = join(folder, "post.sql");
    writeFileSync(file, `SELECT outcome, balance FROM post_movements(${one}, false${skips});\n`);
    const flags = [
      ...["-n", "-M", "prepared", "-c", String(clients), "-j", String(Math.min(2, clients))],
      ...["-T", String(seconds), "-f", file, "-l", "--log-prefix", join(folder, "log"), url],
    ];
    const { stdout } = await promisify(execFile)("pgbench", flags);
    const count = Number(/processed: (\d+)/.exec(stdout)?.[1]);
    const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    if (!(count > 0)) {
      // Many clients on one card, on a busy machine: none of them was done in so short a time.
      if (seconds < PATIENCE_SECONDS)
        return await runPgbench({ url, hasActors }, clients, PATIENCE_SECONDS, hot);
      throw new Error(`pgbench posted nothing: ${stdout}`);
    }
    return { rate, ...timesOf(folder), bytes: 0, count };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The third field of a line of pgbench's log is a transaction's time in microseconds. */
function timesOf(folder: string): { p50: number; p95: number; p99: number } {
  const logs = readdirSync(folder)
    .filter((name) => name.startsWith("log."))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const times = logs
    .join("")
    .split("\n")
    .filter(Boolean)
    .map((line) => Number(line.split(" ")[2]) / 1_000)
    .sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

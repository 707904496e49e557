import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "@/scripts/lib/command";
import { type Case, RATIOS } from "./cases";
import type { Answers } from "./http-load";

/** One run of a row: CPU in milliseconds an answer, of the server (program or Next) and of Postgres. */
export type Run = Answers & { server: number; postgres: number };
/** The runs of each side by the row's name, one a round. */
export type Runs = Map<string, Map<string, Run[]>>;
type Spread = { median: number; least: number; most: number };
export type Result = {
  date: string;
  sides: Record<string, string>;
  machine: object;
  options: object;
  rows: Record<string, Record<string, Record<keyof Run, Spread>>>;
  ratios: Record<string, Spread>;
};

const folder = join(projectRoot, "bench/results");

function spreadOf(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const round = (value: number) => Number(value.toPrecision(5));
  return { median: round(median), least: round(sorted[0] ?? 0), most: round(sorted.at(-1) ?? 0) };
}

const FIELDS = ["rate", "p50", "p95", "p99", "bytes", "count", "server", "postgres"] as const;

export function rowsOf(runs: Runs): Result["rows"] {
  const rows: Result["rows"] = {};
  for (const [side, byName] of runs) {
    const own: Result["rows"][string] = {};
    for (const [name, all] of byName) {
      own[name] = Object.fromEntries(
        FIELDS.map((field) => [field, spreadOf(all.map((run) => run[field]))]),
      ) as Record<keyof Run, Spread>;
    }
    rows[side] = own;
  }
  return rows;
}

/** The quotients of each round, of this checkout and against the other one; what was not run has none. */
export function ratiosOf(runs: Runs, here: string, other: string | undefined): Result["ratios"] {
  const ratios: Result["ratios"] = {};
  const of = (side: string, name: string) => runs.get(side)?.get(name) ?? [];
  for (const { name, above, below } of RATIOS) {
    const [names, field] = [[below[0]].flat(), below[1]];
    const values = of(here, above[0]).flatMap((run, round) => {
      const beside = names.map((one) => of(here, one)[round]?.[field]);
      const known = beside.filter((value) => value !== undefined);
      return known.length === names.length ? [run[above[1]] / Math.max(...known)] : [];
    });
    if (values.length > 0) ratios[name] = spreadOf(values);
  }
  for (const name of other ? (runs.get(here)?.keys() ?? []) : []) {
    const before = of(other ?? "", name);
    const values = of(here, name).flatMap((run, round) => {
      const against = before[round];
      return against ? [run.rate / against.rate] : [];
    });
    if (values.length > 0) ratios[`${name} / the same of ${other}`] = spreadOf(values);
  }
  return ratios;
}

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const shown = ({ median, least, most }: Spread): string =>
  `${number(median)} (${number(least)} to ${number(most)})`;

export function printResult({ rows, ratios, machine }: Result, cases: Case[]): void {
  const head = ["a second", "p50 ms", "p99 ms", "server CPU ms", "Postgres CPU ms", "bytes"];
  for (const [side, own] of Object.entries(rows)) {
    console.log(`\n${side.padEnd(32)}${head.map((cell) => cell.padStart(24)).join("")}`);
    for (const { name } of cases) {
      const row = own[name];
      if (!row) continue;
      const cells = [row.rate, row.p50, row.p99, row.server, row.postgres].map(shown);
      console.log(
        `${name.padEnd(32)}${[...cells, number(row.bytes.median)].map((c) => c.padStart(24)).join("")}`,
      );
    }
  }
  console.log("\nRatios");
  for (const [name, ratio] of Object.entries(ratios)) console.log(`${name.padEnd(64)}${shown(ratio)}`);
  console.log(`\nThe machine: ${JSON.stringify(machine)}`);
}

/** Writes bench/results/<date>.json. Answers its path. */
export function writeResult(result: Result): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${result.date.slice(0, 19).replaceAll(":", "")}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  return file;
}

/** The latest recorded result, or null when none was kept. */
export function lastResult(): { file: string; result: Result } | null {
  const file = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .at(-1);
  return file ? { file, result: JSON.parse(readFileSync(join(folder, file), "utf8")) as Result } : null;
}

/** The ratios of this run that lie below the recorded ones by more than this run's own spread, a line each. */
export function worseThan(recorded: Result["ratios"], now: Result["ratios"]): string[] {
  return Object.entries(now).flatMap(([name, { median, least, most }]) => {
    const before = recorded[name];
    if (!before || median >= before.median - (most - least)) return [];
    return [`${name}: ${number(median)}, recorded ${number(before.median)}, noise ${number(most - least)}`];
  });
}

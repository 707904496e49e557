import { readFileSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { atEnd, runCommand } from "@/scripts/lib/command";
import { startPostgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { judgeBudgets } from "./budgets";
import { CASES, type Case, CHAIN } from "./cases";
import { startEmptyNext } from "./empty-next";
import { type Answers, loadHttp, loadPaced } from "./http-load";
import { cpuOf, loadOf, type MachineLoad, whyBusy } from "./machine";
import { runPgbench } from "./pgbench";
import {
  lastResult,
  printResult,
  type Result,
  type Run,
  type Runs,
  ratiosOf,
  rowsOf,
  worseThan,
  writeResult,
} from "./report";
import { checkoutOf, dropWaiting, type Side, startSide, thisCheckout } from "./sides";

// npm run bench [-- --against REF --rows 1000000 --rounds 3 --seconds 4 --only PART --check --anyway]: docs/operate/bench.md.
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rows: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    only: { type: "string", multiple: true, default: [] },
    check: { type: "boolean", default: false },
    anyway: { type: "boolean", default: false },
  },
});
const [movements, rounds, seconds] = [Number(values.rows), Number(values.rounds), Number(values.seconds)];
const size = { customers: Math.max(1_000, Math.round(movements / 10)), movements };
const HERE = "this checkout";
/** Before each run that counts, a short one that does not: code is compiled, connections are open. */
const WARM_UP = 0.2;

type Stage = { sides: Side[]; empty: { base: string; pid: number } | null; postgres: number };

/** The chain's postings and pages side by side. */
async function runChain(
  { base, sessions }: Side,
  measured: keyof typeof CHAIN,
  during: number,
): Promise<Answers> {
  const [postings, pages] = await Promise.all(
    [CHAIN.postings, CHAIN.pages].map(({ pace, ask }) =>
      loadPaced(base, pace, during, (nth) => ask(sessions, nth, 0)),
    ),
  );
  const found = { postings, pages }[measured];
  if (!found) throw new Error("nothing was asked");
  return found;
}

/** One row once, with the CPU that it took. */
async function measure(one: Case, side: Side, { empty, postgres }: Stage): Promise<Run> {
  const server = one.kind === "empty" ? (empty?.pid ?? 0) : side.pid;
  const run = (during: number) => {
    if (one.kind === "pgbench") return runPgbench(side, one.clients, Math.max(1, during), one.hot);
    if (one.kind === "empty")
      return loadHttp(empty?.base ?? "http://127.0.0.1:1", one.clients, during, () => ({ path: one.path }));
    if (one.kind === "chain") return runChain(side, one.measured, during);
    return loadHttp(side.base, one.clients, during, (client, nth) => one.ask(side.sessions, client, nth));
  };
  if (one.kind !== "pgbench") await run(seconds * WARM_UP);
  const before = [cpuOf(server), cpuOf(postgres)] as const;
  const answers = await run(seconds);
  const each = (from: number, to: number) => ((to - from) * 1_000) / answers.count;
  const cpu = { server: each(before[0], cpuOf(server)), postgres: each(before[1], cpuOf(postgres)) };
  if (one.kind !== "empty" && (one.kind !== "http" || one.posts)) await dropWaiting(side);
  return { ...answers, ...cpu };
}

/** One row on each side, or null where one of them did not answer as it should: such a rate says nothing. */
async function measureSides(one: Case, sides: Side[], stage: Stage): Promise<[Side, Run][] | null> {
  const measured: [Side, Run][] = [];
  for (const side of sides) {
    try {
      measured.push([side, await measure(one, side, stage)]);
    } catch (error) {
      console.error(`  ${one.name.padEnd(32)} left out of this round: ${side.name}: ${String(error)}`);
      return null;
    }
  }
  return measured;
}

/** Every row on every side, round by round, the sides in turn: what changes on the machine changes for all. */
async function measureAll(cases: Case[], stage: Stage, loads: MachineLoad[]): Promise<Runs> {
  const runs: Runs = new Map(stage.sides.map(({ name }) => [name, new Map()]));
  for (let round = 0; round < rounds; round++) {
    loads.push(await loadOf());
    console.log(`Round ${round + 1} of ${rounds}`);
    for (const one of cases) {
      const sides = round % 2 === 0 ? stage.sides : stage.sides.toReversed();
      const measured = await measureSides(one, one.kind === "empty" ? stage.sides.slice(-1) : sides, stage);
      // A round counts for all sides or for none, so that each ratio is of one round.
      for (const [side, result] of measured ?? []) {
        const own = runs.get(side.name);
        own?.set(one.name, [...(own.get(one.name) ?? []), result]);
        console.log(`  ${one.name.padEnd(32)} ${result.rate.toFixed(0).padStart(6)}/s  ${side.name}`);
      }
    }
  }
  return runs;
}

async function prepare(cases: Case[]): Promise<Stage> {
  const dataDir = temporaryDataDir("bench");
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir });
  atEnd(() => postgres.stop());
  const empty = cases.some(({ kind }) => kind === "empty")
    ? await startEmptyNext().catch((error: unknown) => {
        console.error(`Without the rows of an empty Next: ${String(error)}`);
        return null;
      })
    : null;
  const checkouts = [
    ...(values.against ? [{ name: values.against, checkout: checkoutOf(values.against) }] : []),
    { name: HERE, checkout: thisCheckout() },
  ];
  const sides: Side[] = [];
  for (const { name, checkout } of checkouts) {
    console.log(
      `${name}: builds, fills ${size.customers} customers with ${size.movements} movements, starts`,
    );
    sides.push(await startSide(name, checkout, postgres, dataDir, size));
  }
  const pid = Number(readFileSync(join(postgres.folder, "postmaster.pid"), "utf8").split("\n")[0]);
  return { sides, empty, postgres: pid };
}

await runCommand(async () => {
  const recorded = values.check ? lastResult() : null;
  const loads = [await loadOf()];
  const busy = loads[0] && whyBusy(loads[0]);
  if (busy && !values.anyway) throw new Error(`The machine is busy: ${busy}. Measure anyway: --anyway`);
  if (busy) console.log(`Measured anyway on a busy machine: ${busy}`);
  const wanted = (name: string) =>
    values.only.length === 0 || values.only.some((part) => name.includes(part));
  const cases = CASES.filter(({ name }) => wanted(name));
  const stage = await prepare(cases);
  const runs = await measureAll(cases, stage, loads);
  loads.push(await loadOf());
  const result: Result = {
    date: new Date().toISOString(),
    sides: Object.fromEntries(stage.sides.map(({ name, commit }) => [name, commit])),
    machine: { cores: cpus().length, model: cpus()[0]?.model, loads },
    options: { ...size, rounds, seconds, only: values.only },
    rows: rowsOf(runs),
    ratios: ratiosOf(runs, HERE, values.against),
  };
  printResult(result, cases);
  console.log(`Written: ${writeResult(result)}`);
  console.log("\nBudgets");
  const verdicts = judgeBudgets(result, HERE);
  for (const { line } of verdicts) console.log(line);
  const missed = verdicts.filter(({ isMissed }) => isMissed).length;
  if (missed > 0) console.log(`${missed} missed by more than the noise`);
  const worse = recorded ? worseThan(recorded.result.ratios, result.ratios) : [];
  for (const line of worse) console.error(`Worse than ${recorded?.file}: ${line}`);
  return values.check && worse.length + missed > 0 ? 1 : 0;
});

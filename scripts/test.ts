import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureClient } from "./lib/build";
import { playJourneys } from "./lib/e2e";
import { atEnd, runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";
import { ensureTools } from "./lib/tools";

type Tally = { passed: number; failed: number };
/** Where a stage's programs run, and where it prints: at once, or kept until the stage has ended. */
type Desk = {
  say(text: string): void;
  /** Runs Node with these arguments. Answers the exit code. */
  node(args: string[]): Promise<number>;
  /** Runs a program of a package on this same Node. Answers the exit code. */
  program(path: string, ...args: string[]): Promise<number>;
  /** Runs a script of the project. Answers the exit code. */
  script(path: string, ...args: string[]): Promise<number>;
};
type Stage = {
  name: string;
  run: (desk: Desk) => Promise<Tally[]>;
  /** Runs only where it is named. */
  onlyNamed?: true;
};

const at = (path: string) => join(projectRoot, path);
const reports = mkdtempSync(join(tmpdir(), "wallet-reports-"));
atEnd(() => rmSync(reports, { recursive: true, force: true }));

function deskOf(print: (text: string) => void, shown: boolean): Desk {
  function node(args: string[]): Promise<number> {
    const way = shown ? "inherit" : "pipe";
    const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ["ignore", way, way] });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", print);
    atEnd(() => void child.kill("SIGTERM"));
    return new Promise((done, fail) => {
      child.on("error", fail);
      child.on("close", (code) => done(code ?? 1));
    });
  }
  return {
    say: (text) => print(`${text}\n`),
    node,
    program: (path, ...args) => node([at(`node_modules/${path}`), ...args]),
    script: (path, ...args) => node(["--import", "tsx", at(path), ...args]),
  };
}

/** Runs one thing that passes or fails, and says which. */
async function check(desk: Desk, name: string, run: Promise<number>): Promise<Tally> {
  const good = (await run) === 0;
  desk.say(`${good ? "passed" : "FAILED"}  ${name}`);
  return good ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** What a runner's report says; a runner that failed without a failed test (it broke down) counts as one. */
function tally(file: string, code: number, read: (report: Record<string, unknown>) => Tally): Tally {
  const report: Record<string, unknown> | undefined =
    existsSync(file) && JSON.parse(readFileSync(file, "utf8"));
  const sums = report ? read(report) : { passed: 0, failed: 0 };
  return { ...sums, failed: Math.max(sums.failed, code === 0 ? 0 : 1) };
}

async function checks(desk: Desk): Promise<Tally[]> {
  const { program, script } = desk;
  return [
    await check(desk, "format and lint", program("@biomejs/biome/bin/biome", "check", ".")),
    await check(desk, "imports", program("dependency-cruiser/bin/dependency-cruiser.mjs", ".")),
    await check(desk, "nothing unused", program("knip/bin/knip.js")),
    await check(desk, "sides", script("scripts/check-sides.ts")),
    await check(desk, "types", program("typescript/bin/tsc", "--noEmit", "--incremental", "false")),
    await check(desk, "messages", script("scripts/check-messages.ts")),
    await check(desk, "texts of pages", script("scripts/client-texts.ts", "--check")),
    await check(desk, "list of routes", script("scripts/api-routes.ts", "--check")),
  ];
}

async function unit(desk: Desk): Promise<Tally[]> {
  const file = join(reports, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await desk.program("vitest/vitest.mjs", ...args);
  const read = (report: Record<string, unknown>) => ({
    passed: Number(report.numPassedTests),
    failed: Number(report.numFailedTests),
  });
  return [tally(file, code, read)];
}

async function build(desk: Desk): Promise<Tally[]> {
  return [await check(desk, "build", desk.script("scripts/build.ts"))];
}

async function deploy(desk: Desk): Promise<Tally[]> {
  return [
    await check(desk, "the standalone server by itself", desk.script("scripts/test-deploy.ts")),
    await check(desk, "the API by both servers", desk.script("scripts/test-contract.ts")),
  ];
}

async function attacks(desk: Desk): Promise<Tally[]> {
  return [await check(desk, "every attack held", desk.script("scripts/test-attacks.ts"))];
}

async function faults(desk: Desk): Promise<Tally[]> {
  return [await check(desk, "faults under load, the short form", desk.script("scripts/test-faults.ts"))];
}

async function journeys(): Promise<Tally[]> {
  const file = join(reports, "playwright.json");
  const code = await playJourneys(["--reporter=list,json"], { PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  const read = ({ stats }: Record<string, unknown>) => {
    const { expected, flaky, unexpected } = stats as Record<string, number>;
    return { passed: (expected ?? 0) + (flaky ?? 0), failed: unexpected ?? 0 };
  };
  return [tally(file, code, read)];
}

/**
 * One phase after the other; the lanes of a phase run side by side, and a lane's stages in turn. The journeys run alone,
 * since a browser that shares its processor waits.
 */
const phases: Stage[][][] = [
  [
    [
      { name: "checks", run: checks },
      { name: "build", run: build },
      { name: "deploy", run: deploy },
      { name: "attacks", run: attacks },
      { name: "faults", run: faults },
    ],
    [{ name: "unit", run: unit }],
  ],
  [[{ name: "e2e", run: journeys }]],
];

/** Runs a stage; when it is not `shown` while it runs, what it printed comes whole at its end. */
async function runStage({ name, run }: Stage, shown: boolean): Promise<Tally> {
  const sum: Tally = { passed: 0, failed: 0 };
  let kept = "";
  const print = (text: string) => {
    if (shown) process.stdout.write(text);
    else kept += text;
  };
  const began = Date.now();
  if (shown) console.log(`\n== ${name}`);
  try {
    for (const { passed, failed } of await run(deskOf(print, shown))) {
      sum.passed += passed;
      sum.failed += failed;
    }
  } catch (error) {
    print(`${error instanceof Error ? error.message : error}\n`);
    sum.failed += 1;
  }
  if (!shown) process.stdout.write(`\n== ${name}\n${kept}`);
  console.log(`(${name}: ${Math.round((Date.now() - began) / 1000)} s)`);
  return sum;
}

// npm test [-- stage …]: everything, or the named stages (checks, build, deploy, attacks, faults, unit, e2e). What stands beside a stage
// that fails is finished; what would come after it is not begun.
await runCommand(async () => {
  const wanted = process.argv.slice(2);
  const names = phases.flat(2).map(({ name }) => name);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`No such stage: ${unknown.join(", ")} (${names.join(", ")})`);
  const total: Tally = { passed: 0, failed: 0 };
  // Registered first, done last: the last line, whatever the servers print while they end.
  atEnd(() => console.log(`\n${total.passed} passed, ${total.failed} failed`));
  ensureTools();
  await ensureClient();
  for (const phase of phases) {
    if (total.failed > 0) break;
    const lanes = phase
      .map((lane) =>
        lane.filter(({ name, onlyNamed }) => wanted.includes(name) || (wanted.length === 0 && !onlyNamed)),
      )
      .filter((lane) => lane.length > 0);
    if (lanes.length > 1) {
      console.log(
        `Side by side, each printed when it ends: ${lanes.map((lane) => lane.map(({ name }) => name).join(", then ")).join(" | ")}`,
      );
    }
    const runLane = async (lane: Stage[]) => {
      for (const stage of lane) {
        const { passed, failed } = await runStage(stage, lanes.length === 1);
        total.passed += passed;
        total.failed += failed;
        if (failed > 0) break;
      }
    };
    await Promise.all(lanes.map(runLane));
  }
  return total.failed === 0 ? 0 : 1;
});

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureClient } from "./lib/build";
import { atEnd, projectRoot, runCommand } from "./lib/command";
import { playJourneys } from "./lib/serve";
import { ensureTools } from "./lib/tools";

type Tally = { passed: number; failed: number };
/** The place of a stage: it runs the stage's programs, and prints at once or after the stage has ended. */
type Runner = {
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
  run: (runner: Runner) => Promise<Tally[]>;
  /** It begins only when these have ended, where they run at all. */
  after?: string[];
};

const named = process.argv.slice(2);
const isWanted = (stage: string) => named.length === 0 || named.includes(stage);
const at = (path: string) => join(projectRoot, path);
const reports = mkdtempSync(join(tmpdir(), "wallet-reports-"));
atEnd(() => rmSync(reports, { recursive: true, force: true }));

function runnerOf(print: (text: string) => void, shown: boolean): Runner {
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
async function check(runner: Runner, name: string, run: Promise<number>): Promise<Tally> {
  const good = (await run) === 0;
  runner.say(`${good ? "passed" : "FAILED"}  ${name}`);
  return good ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** The sums of a runner's report. A runner that broke down without a failed test counts as one failure. */
function tally(file: string, code: number, read: (report: Record<string, unknown>) => Tally): Tally {
  const report: Record<string, unknown> | undefined =
    existsSync(file) && JSON.parse(readFileSync(file, "utf8"));
  const sums = report ? read(report) : { passed: 0, failed: 0 };
  return { ...sums, failed: Math.max(sums.failed, code === 0 ? 0 : 1) };
}

async function checks(runner: Runner): Promise<Tally[]> {
  const { program, script } = runner;
  return [
    await check(runner, "format and lint", program("@biomejs/biome/bin/biome", "check", ".")),
    await check(runner, "imports", program("dependency-cruiser/bin/dependency-cruiser.mjs", ".")),
    await check(runner, "nothing unused", program("knip/bin/knip.js")),
    await check(runner, "sides", script("scripts/check-sides.ts")),
    await check(runner, "types", program("typescript/bin/tsc", "--noEmit", "--incremental", "false")),
    await check(runner, "messages", script("scripts/check-messages.ts")),
  ];
}

async function unit(runner: Runner): Promise<Tally[]> {
  const file = join(reports, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  // The deploy stage makes these calls too, to both servers of the build.
  if (isWanted("deploy")) args.push("--exclude=lib/api/contract/over-http.test.ts");
  const code = await runner.program("vitest/vitest.mjs", ...args);
  const read = (report: Record<string, unknown>) => ({
    passed: Number(report.numPassedTests),
    failed: Number(report.numFailedTests),
  });
  return [tally(file, code, read)];
}

async function build(runner: Runner): Promise<Tally[]> {
  const checked = isWanted("checks") ? ["--quick"] : [];
  return [await check(runner, "build", runner.script("scripts/build.ts", ...checked))];
}

async function deploy(runner: Runner): Promise<Tally[]> {
  return [
    await check(runner, "the standalone server by itself", runner.script("scripts/test-deploy.ts")),
    await check(runner, "the API by both servers", runner.script("scripts/test-contract.ts")),
  ];
}

/** A stage of one script. */
const single = (name: string, script: string) => async (runner: Runner) => [
  await check(runner, name, runner.script(script)),
];

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
 * In the order in which they begin: two at a time, since most of them fill one core. The journeys run alone, since a
 * browser that shares its processor waits.
 */
const stages: Stage[] = [
  { name: "checks", run: checks },
  { name: "unit", run: unit },
  { name: "build", run: build, after: ["checks"] },
  { name: "attacks", run: single("every attack held", "scripts/test-attacks.ts"), after: ["build"] },
  { name: "deploy", run: deploy, after: ["build"] },
  {
    name: "faults",
    run: single("faults under load, the short form", "scripts/test-faults.ts"),
    after: ["build"],
  },
  { name: "e2e", run: journeys, after: ["checks", "unit", "build", "attacks", "deploy", "faults"] },
];
const AT_ONCE = 2;

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
    for (const { passed, failed } of await run(runnerOf(print, shown))) {
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

/** Runs the stages, and prints each whole: while it runs where it runs alone, else at its end. */
async function runStages(wanted: Stage[], total: Tally): Promise<void> {
  const waiting = [...wanted];
  const running = new Map<string, Promise<void>>();
  const isPending = (name: string) => running.has(name) || waiting.some((one) => one.name === name);
  const begin = (stage: Stage) => {
    const isLast = running.size === 0 && waiting.length === 0;
    const ended = runStage(stage, isLast).then(({ passed, failed }) => {
      total.passed += passed;
      total.failed += failed;
      running.delete(stage.name);
    });
    running.set(stage.name, ended);
  };
  // If a stage fails, the stages that run beside it may finish. No other stage begins.
  while (total.failed === 0 && waiting.length > 0) {
    const next = waiting.findIndex(({ after = [] }) => !after.some(isPending));
    const [stage] = next >= 0 && running.size < AT_ONCE ? waiting.splice(next, 1) : [];
    if (stage) begin(stage);
    else await Promise.race(running.values());
  }
  await Promise.all(running.values());
}

// npm test [-- stage …]: everything, or the named stages (checks, unit, build, attacks, deploy, faults, e2e).
await runCommand(async () => {
  const names = stages.map(({ name }) => name);
  const unknown = named.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`No such stage: ${unknown.join(", ")} (${names.join(", ")})`);
  const total: Tally = { passed: 0, failed: 0 };
  // Registered first, so it runs last: this is the last line, even if the servers print while they end. A run that was
  // cut off did not pass.
  atEnd((code) => console.log(`\n${total.passed} passed, ${total.failed || Math.sign(code)} failed`));
  ensureTools();
  await ensureClient();
  const wanted = stages.filter(({ name }) => isWanted(name));
  console.log(`${wanted.map(({ name }) => name).join(", ")}: two side by side, each printed when it ends`);
  await runStages(wanted, total);
  return total.failed === 0 ? 0 : 1;
});

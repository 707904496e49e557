import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureClient } from "./lib/build";
import { atEnd, folderUntilEnd, projectRoot, runCommand, runNode } from "./lib/command";
import { ensureTools } from "./lib/tools";

type Tally = { passed: number; failed: number };
type Report = Record<string, unknown>;
/** A program that passes or fails: what it checks, and the arguments of Node. */
type Program = [what: string, ...args: string[]];
type Stage = {
  name: string;
  programs: Program[];
  /** Reads the sums of its one program's report, which `reportOf` names. */
  read?: (report: Report) => Tally;
  settings?: Record<string, string>;
  /** It begins only when these have ended, where they run at all. */
  after?: string[];
};

const named = process.argv.slice(2);
const isWanted = (stage: string) => named.length === 0 || named.includes(stage);
const at = (path: string) => join(projectRoot, path);
const reports = folderUntilEnd("reports");
const reportOf = (stage: string) => join(reports, `${stage}.json`);

const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf("e2e") };

const packaged = (what: string, path: string, ...args: string[]): Program => [
  what,
  at(`node_modules/${path}`),
  ...args,
];
const script = (what: string, name: string, ...args: string[]): Program => [
  what,
  "--import",
  "tsx",
  at(`scripts/${name}.ts`),
  ...args,
];

const CHECKS = [
  packaged("format and lint", "@biomejs/biome/bin/biome", "check", "."),
  packaged("imports", "dependency-cruiser/bin/dependency-cruiser.mjs", "."),
  packaged("nothing unused", "knip/bin/knip.js"),
  script("sides", "check-sides"),
  packaged("types", "typescript/bin/tsc", "--noEmit", "--incremental", "false"),
  script("messages", "check-messages"),
];
/** A stage that vitest plays, with its arguments. */
const played = (name: string, what: string, ...args: string[]): Stage => ({
  name,
  programs: [
    packaged(
      what,
      "vitest/vitest.mjs",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportOf(name)}`,
      ...args,
    ),
  ],
  read: (report) => ({ passed: Number(report.numPassedTests), failed: Number(report.numFailedTests) }),
});

/** A trial of lib/testing/trials, with more arguments. It needs the build. */
const trial = (name: string, what: string, ...args: string[]): Stage => ({
  ...played(name, what, `lib/testing/trials/${name}.test.ts`, ...args),
  after: ["build"],
});

/** The deploy stage makes these calls to both servers of the build. Alone, the unit stage makes them in its process. */
const OVER_HTTP = "lib/api/contract/over-http.test.ts";
const IN_TURN = "--no-file-parallelism";

/**
 * In the order in which they begin: two at a time, since most of them fill one core. The journeys run alone, since a
 * browser that shares its processor waits.
 */
const stages: Stage[] = [
  { name: "checks", programs: CHECKS },
  {
    ...played("unit", "tests", "--project=unit"),
    settings: { LEFT_OUT: isWanted("deploy") ? OVER_HTTP : "" },
  },
  {
    name: "build",
    programs: [script("build", "build", ...(isWanted("checks") ? ["--quick"] : []))],
    after: ["checks"],
  },
  trial("attacks", "every attack held"),
  {
    ...trial("deploy", "the standalone server by itself, and the API by both servers", OVER_HTTP, IN_TURN),
    settings: { CONTRACT_OVER_HTTP: "1" },
  },
  trial("faults", "faults under load, the short form"),
  {
    name: "e2e",
    programs: [script("journeys", "e2e", "--reporter=list,json")],
    read({ stats }) {
      const { expected = 0, flaky = 0, unexpected = 0 } = stats as Record<string, number>;
      return { passed: expected + flaky, failed: unexpected };
    },
    after: ["checks", "unit", "build", "attacks", "deploy", "faults"],
  },
];
const AT_ONCE = 2;

/** Runs a stage; when it is not `shown` while it runs, what it printed comes whole at its end. */
async function runStage(
  { name, programs, read, settings }: Stage,
  shown: boolean,
  total: Tally,
): Promise<void> {
  let kept = `\n== ${name}\n`;
  const print = (text: string) => {
    kept += text;
  };
  const began = Date.now();
  if (shown) process.stdout.write(kept);
  for (const [what, ...args] of programs) {
    const code = await runNode(args, { ...env, ...settings }, shown ? undefined : print);
    if (read && existsSync(reportOf(name))) {
      const { passed, failed } = read(JSON.parse(readFileSync(reportOf(name), "utf8")) as Report);
      total.passed += passed;
      // A runner that broke down without a failed test counts as one failure.
      total.failed += Math.max(failed, Math.sign(code));
    } else {
      total[code === 0 ? "passed" : "failed"] += 1;
      const line = `${code === 0 ? "passed" : "FAILED"}  ${what}\n`;
      if (shown) process.stdout.write(line);
      else print(line);
    }
  }
  if (!shown) process.stdout.write(kept);
  console.log(`(${name}: ${Math.round((Date.now() - began) / 1000)} s)`);
}

/** Runs the stages, and prints each whole: while it runs where it runs alone, else at its end. */
async function runStages(wanted: Stage[], total: Tally): Promise<void> {
  const waiting = [...wanted];
  const running = new Map<string, Promise<unknown>>();
  const isPending = (name: string) => running.has(name) || waiting.some((one) => one.name === name);
  // If a stage fails, the stages that run beside it may finish. No other stage begins.
  while (total.failed === 0 && waiting.length > 0) {
    const next = waiting.findIndex(({ after = [] }) => !after.some(isPending));
    const [stage] = next >= 0 && running.size < AT_ONCE ? waiting.splice(next, 1) : [];
    if (stage) {
      const isLast = running.size === 0 && waiting.length === 0;
      const ended = runStage(stage, isLast, total).then(() => running.delete(stage.name));
      running.set(stage.name, ended);
    } else await Promise.race(running.values());
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

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild, ensureClient } from "./lib/build";
import { playJourneys } from "./lib/e2e";
import { atEnd, runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";
import { ensureTools } from "./lib/tools";

type Tally = { passed: number; failed: number };

const at = (path: string) => join(projectRoot, path);
const reports = mkdtempSync(join(tmpdir(), "wallet-reports-"));
atEnd(() => rmSync(reports, { recursive: true, force: true }));

function node(args: string[], env: Record<string, string> = {}): number {
  const options = { cwd: projectRoot, env: { ...process.env, ...env }, stdio: "inherit" as const };
  return spawnSync(process.execPath, args, options).status ?? 1;
}

/** A program of a package, run on this same Node. */
const program = (path: string, ...args: string[]) => node([at(`node_modules/${path}`), ...args]);

function check(name: string, run: () => number): Tally {
  const good = run() === 0;
  console.log(`${good ? "passed" : "FAILED"}  ${name}`);
  return good ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** What a runner's report says; a runner that failed without a failed test (it broke down) counts as one. */
function tally(file: string, code: number, read: (report: Record<string, unknown>) => Tally): Tally {
  const report: Record<string, unknown> | undefined =
    existsSync(file) && JSON.parse(readFileSync(file, "utf8"));
  const sums = report ? read(report) : { passed: 0, failed: 0 };
  return { ...sums, failed: Math.max(sums.failed, code === 0 ? 0 : 1) };
}

function checks(): Tally[] {
  return [
    check("format and lint", () => program("@biomejs/biome/bin/biome", "check", ".")),
    check("layers and sides", () => node(["--import", "tsx", at("scripts/check-layers.ts")])),
    check("types", () => program("typescript/bin/tsc", "--noEmit", "--incremental", "false")),
    check("messages", () => node(["--import", "tsx", at("scripts/check-messages.ts")])),
    check("list of routes", () => node(["--import", "tsx", at("scripts/api-routes.ts"), "--check"])),
  ];
}

function unit(): Tally[] {
  const file = join(reports, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = program("vitest/vitest.mjs", ...args);
  const read = (report: Record<string, unknown>) => ({
    passed: Number(report.numPassedTests),
    failed: Number(report.numFailedTests),
  });
  return [tally(file, code, read)];
}

async function build(): Promise<Tally[]> {
  await ensureBuild();
  return [check("build", () => 0)];
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

const stages: [string, () => Tally[] | Promise<Tally[]>][] = [
  ["checks", checks],
  ["unit", unit],
  ["build", build],
  [
    "deploy",
    () => [
      check("the standalone server by itself", () => node(["--import", "tsx", at("scripts/test-deploy.ts")])),
    ],
  ],
  ["e2e", journeys],
];

// npm test [-- stage …]: everything, or the named stages (checks, unit, build, deploy, e2e). Ends after the first that fails.
await runCommand(async () => {
  const wanted = process.argv.slice(2);
  const total: Tally = { passed: 0, failed: 0 };
  // Registered first, done last: the last line, whatever the servers print while they end.
  atEnd(() => console.log(`\n${total.passed} passed, ${total.failed} failed`));
  ensureTools();
  await ensureClient();
  for (const [name, run] of stages) {
    if (total.failed > 0 || (wanted.length > 0 && !wanted.includes(name))) continue;
    console.log(`\n== ${name}`);
    try {
      for (const { passed, failed } of await run()) {
        total.passed += passed;
        total.failed += failed;
      }
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      total.failed += 1;
    }
  }
  return total.failed === 0 ? 0 : 1;
});

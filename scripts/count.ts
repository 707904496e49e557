import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { projectRoot } from "./lib/command";

// npm run count: how large the product's source is, and how much of it is hard to read. A result to report, not a rule.
const LEFT_OUT = /\.test\.tsx?$|^(?:e2e|bench|integrations|lib\/testing)\//;
const SHORT_KINDS =
  /^(?:page|layout|route|loading|error|global-error|not-found|actions|api|names|model)\.tsx?$/;
const LONG_FUNCTION = 80;
const SHORT_FILE = 25;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
/** A comment line that begins with a noun clause, or uses dated English. */
const HARD =
  /^\s*(?:\/\/|\/?\*+) (?:What|Who|Whose|Where|That|Whoever) |\b(?:anew|but for|is no|stands|of its own|one of them)\b/;

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd: projectRoot, encoding: "utf8" }).stdout;

type Found = { location: { path: string; start: { line: number }; end: { line: number } } };

/** The product's functions that are longer than LONG_FUNCTION lines. Biome's limit is low: it counts little of JSX. */
function longFunctions(): string[] {
  const only = "--only=complexity/noExcessiveLinesPerFunction";
  const report = run("node_modules/.bin/biome", "lint", only, "--reporter=json", "--max-diagnostics=none");
  const { diagnostics }: { diagnostics: Found[] } = JSON.parse(report);
  return diagnostics.flatMap(({ location: { path, start, end } }) => {
    const length = end.line - start.line + 1;
    return length > LONG_FUNCTION && !LEFT_OUT.test(path) ? `${path}:${start.line}: ${length} lines` : [];
  });
}

const files = run("git", "ls-files", "*.ts", "*.tsx", "*.mjs")
  .trim()
  .split("\n")
  .filter((file) => !LEFT_OUT.test(file))
  .map((file) => ({ file, text: readFileSync(`${projectRoot}/${file}`, "utf8") }));
const lines = files.flatMap(({ text }) => text.replace(/\n$/, "").split("\n"));
const comments = lines.filter((line) => COMMENT.test(line));
const hard = comments.filter((line) => HARD.test(line));
const short = files.filter(
  ({ file, text }) => text.split("\n").length <= SHORT_FILE && !SHORT_KINDS.test(basename(file)),
);
const long = longFunctions();
const spreads = lines.filter((line) => /\.\.\.\{ /.test(line)).length;
const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

console.log(`lines                    ${lines.length}
files                    ${files.length}
functions above ${LONG_FUNCTION} lines ${long.length}
files below ${SHORT_FILE} lines     ${short.length} (${share(short.length, files.length)})
literal spreads          ${spreads}
hard comment lines       ${hard.length} of ${comments.length} (${share(hard.length, comments.length)})`);
if (process.argv.includes("--long")) console.log(long.join("\n"));

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseSync } from "@swc/core";
import { projectRoot } from "./lib/command";

// npm run count: how large the product's source is, and how much of it is hard to read. A result to report, not a rule.
const LEFT_OUT = /\.test\.tsx?$|^(?:e2e|bench|integrations|lib\/testing)\//;
/** Files that are short by their kind. */
const SHORT_KINDS =
  /^(?:page|layout|route|loading|error|global-error|not-found|actions|api|names|model)\.tsx?$/;
const LONG_FUNCTION = 80;
const SHORT_FILE = 25;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
/** A comment line that begins with a noun clause, or uses dated English. */
const HARD =
  /^\s*(?:\/\/|\/?\*+) (?:What|Who|Whose|Where|That|Whoever) |\b(?:anew|but for|is no|stands|of its own|one of them)\b/;

type Node = { type?: string; span?: { start: number; end: number } };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;
const FUNCTIONS = new Set([
  "ArrowFunctionExpression",
  "ClassMethod",
  "FunctionDeclaration",
  "FunctionExpression",
  "MethodProperty",
]);

/** The functions of a file that are longer than LONG_FUNCTION lines, with their first line. */
function longFunctions(file: string, text: string): string[] {
  // The parser counts bytes over all files; the first statement tells where this one begins.
  const source = Buffer.from(`0;${text.replace(/^#!/, "//")}`);
  const syntax = {
    syntax: "typescript",
    tsx: file.endsWith("x"),
    decorators: false,
    target: "es2022",
  } as const;
  const module = parseSync(source.toString(), syntax);
  const base = module.span.start;
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isNode(value) || Array.isArray(value)) return;
    if (value.type && value.span && FUNCTIONS.has(value.type)) {
      const code = source.subarray(value.span.start - base, value.span.end - base).toString();
      const lines = code.split("\n").length;
      if (lines > LONG_FUNCTION)
        found.push(`${file}: ${lines} lines: ${code.split("\n", 1)[0]?.slice(0, 60)}`);
    }
    for (const one of Object.values(value)) visit(one);
  };
  visit(module.body);
  return found;
}

const listed = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], {
  cwd: projectRoot,
  encoding: "utf8",
});
const files = listed
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
const long = files.flatMap(({ file, text }) => longFunctions(file, text));
const spreads = lines.filter((line) => /\.\.\.\{ /.test(line)).length;
const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

console.log(`lines                    ${lines.length}
files                    ${files.length}
functions above ${LONG_FUNCTION} lines ${long.length}
files below ${SHORT_FILE} lines     ${short.length} (${share(short.length, files.length)})
literal spreads          ${spreads}
hard comment lines       ${hard.length} of ${comments.length} (${share(hard.length, comments.length)})`);
if (process.argv.includes("--long")) console.log(long.join("\n"));

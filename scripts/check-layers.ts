import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { forbiddenImports, physicalSides } from "./lib/layers";

// Part of `npm run check`: the architecture's import table, and logical sides in everything that is shown.
const listed = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"],
  {
    encoding: "utf8",
  },
);
const files = listed.split("\n").filter((path) => path !== "" && existsSync(path));
const problems = files.flatMap((path) => {
  const source = readFileSync(path, "utf8");
  const shown = /^(app|components)\//.test(path);
  return [...forbiddenImports(path, source), ...(shown ? physicalSides(path, source) : [])];
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

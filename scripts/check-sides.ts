import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { physicalSides } from "./lib/physical-sides";

// In `npm run check`. Arabic runs from right to left: a screen has a start and an end, no left or right.
const args = ["ls-files", "--cached", "--others", "--exclude-standard", "app/*.ts*", "components/*.ts*"];
const files = execFileSync("git", args, { encoding: "utf8" }).split("\n");
const shown = files.filter((path) => /\.tsx?$/.test(path) && existsSync(path));
const problems = shown.flatMap((path) => physicalSides(path, readFileSync(path, "utf8")));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

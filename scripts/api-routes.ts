import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { projectRoot } from "./lib/project";

/** Orders paths folder by folder, as the formatter orders imports. */
const inParts = (path: string) => path.replaceAll("/", "\0");

// Writes app/api/openapi.json/routes.ts: every API route by name, so that the document knows them all.
const target = `${projectRoot}/app/api/openapi.json/routes.ts`;
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "app/api/**/route.ts"], {
  cwd: projectRoot,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && readFileSync(`${projectRoot}/${file}`, "utf8").includes("route("))
  .sort((a, b) => (inParts(a) < inParts(b) ? -1 : 1));

const lines = files.map((file, index) => {
  const path = file.replace(/^app\/api/, "").replace(/\/route\.ts$/, "");
  const url = path.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}");
  return { use: `import * as r${index} from "@/app/api${path}/route";`, entry: `  ["${url}", r${index}],` };
});
const text = `// Written by \`npm run routes\`; the contract's test fails when it is out of date.
${lines.map(({ use }) => use).join("\n")}

/** Every route of the API with its path. */
export const ROUTES: [string, Record<string, unknown>][] = [
${lines.map(({ entry }) => entry).join("\n")}
];
`;
if (process.argv.includes("--check")) {
  const now = readFileSync(target, "utf8").replaceAll(/\s+/g, "");
  if (now !== text.replaceAll(/\s+/g, "")) {
    console.error("app/api/openapi.json/routes.ts is out of date: run `npm run routes`");
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}

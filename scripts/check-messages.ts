import { readFileSync } from "node:fs";

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
}

/** The argument and tag names of an ICU message, sorted: what both languages must share. */
function placeholders(message: string): string {
  const names = [...message.matchAll(/\{\s*(\w+)\s*[,}]|<(\w+)>/g)].map((m) => m[1] ?? `<${m[2]}>`);
  return [...new Set(names)].sort().join(" ");
}

const read = (file: string) => new Map(flatten(JSON.parse(readFileSync(file, "utf8")) as Tree));
const en = read("messages/en.json");
const ar = read("messages/ar.json");
const problems = [
  ...[...en.keys()].filter((key) => !ar.has(key)).map((key) => `ar.json lacks ${key}`),
  ...[...ar.keys()].filter((key) => !en.has(key)).map((key) => `en.json lacks ${key}`),
  ...[...en].flatMap(([key, text]) => {
    const other = ar.get(key);
    return other !== undefined && placeholders(text) !== placeholders(other)
      ? [`${key}: placeholders differ ("${placeholders(text)}" and "${placeholders(other)}")`]
      : [];
  }),
  ...[...en, ...ar].filter(([, text]) => text.trim() === "").map(([key]) => `${key} is empty`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

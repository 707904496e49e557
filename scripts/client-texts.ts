import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import messages from "@/messages/en.json" with { type: "json" };
import { clientTextsOf } from "./lib/client-texts";
import { projectRoot } from "./lib/project";

// Writes app/_texts/client-texts.json: which texts a browser gets with a page, read from what its client components ask
// for. With --check it only compares, and asks every page that needs texts to give them.
const ROOT = "app/layout.tsx";
const FRAME = "app/_panels/panel-frame.tsx";
const IN_FRAME = /^app\/\((?:admin|merchant|employee)\)\//;
const target = `${projectRoot}/app/_texts/client-texts.json`;

type Tree = { [key: string]: string | Tree };

/** The keys as few words: a part of the catalogue that is used as a whole is named once. */
function shortened(tree: Tree, used: ReadonlySet<string>, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const path = prefix + key;
    if (typeof value === "string") return used.has(path) ? [path] : [];
    const below = shortened(value, used, `${path}.`);
    const whole = Object.keys(value).every((part) => below.includes(`${path}.${part}`));
    return whole && below.length > 0 ? [path] : below;
  });
}

const args = ["ls-files", "-co", "--exclude-standard", "app/*.tsx"];
const files = execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\/(?:page|layout)\.tsx$/.test(file));
const needs = clientTextsOf(projectRoot, messages);
const always = new Set([...needs(ROOT), ...needs("app/error.tsx"), ...needs("app/not-found.tsx")]);
const framed = needs(FRAME);
const lists: Record<string, string> = {};
const problems: string[] = [];
for (const file of [...new Set([...files, FRAME])].sort()) {
  const given = file === ROOT ? new Set<string>() : always;
  const own = [...(file === ROOT ? always : needs(file))].filter(
    (key) => !given.has(key) && !(IN_FRAME.test(file) && framed.has(key)),
  );
  if (own.length === 0) continue;
  const entry = file.replace(/^app\//, "").replace(/(?:\/page)?\.tsx$/, "");
  lists[entry] = shortened(messages, new Set(own)).join(" ");
  const code = readFileSync(`${projectRoot}/${file}`, "utf8");
  const ways = [`withTexts("${entry}"`, `of="${entry}"`, `textFile(locale, "${entry}")`];
  if (!(file === FRAME ? ["<PanelTexts "] : ways).some((way) => code.includes(way))) {
    problems.push(`${file}: its client components use texts; give them with withTexts("${entry}", …)`);
  }
}
const text = `${JSON.stringify(lists, null, 2)}\n`;
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text) {
    problems.push("app/_texts/client-texts.json is out of date: run `npm run texts`");
  }
} else writeFileSync(target, text);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

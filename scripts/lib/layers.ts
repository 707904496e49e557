import { dirname, join, normalize } from "node:path";

type Rule = { may: readonly string[] | "anything"; packages?: readonly string[] };

const common = ["lib/domain", "lib/env", "lib/i18n"] as const;
const outside: Rule = { may: "anything" };

/** Who may import whom. A layer that is not named here is an operation: see `operation`. Default: no. */
const table: Record<string, Rule> = {
  "lib/domain": { may: [], packages: ["zod"] },
  "lib/env": { may: [], packages: ["zod"] },
  "lib/i18n": { may: ["lib/domain", "messages"] },
  "lib/db": { may: common },
  "lib/pdf": { may: common },
  "lib/email": { may: [...common, "lib/db"] },
  "lib/jobs": { may: [...common, "lib/db", "lib/email"] },
  "lib/tasks": outside,
  "lib/http": { may: [...common, "lib/accounts", "lib/db", "lib/jobs"] },
  components: { may: ["lib/domain"] },
  "middleware.ts": { may: [...common, "lib/accounts/auth.config", "lib/http"] },
  "lib/testing": outside,
  scripts: outside,
  prisma: outside,
  bench: outside,
  e2e: outside,
};
// Files are, like the ledger, what several operations build on: an image is attached by a sign-up and drawn on a pass.
// How a password and a link's secret are kept is the same for a sign-up, an invitation and a reset.
const kept = ["lib/accounts/password", "lib/secrets", "lib/codes", "lib/audit", "lib/merchants/lookups"];
const operation: Rule = {
  may: [...common, ...kept, "lib/db", "lib/email", "lib/jobs", "lib/ledger", "lib/files", "lib/pdf"],
};
/** What runs outside the program: nothing imports it. */
const tools = ["lib/testing", "scripts", "prisma", "bench", "e2e"];

/** The layer of a file, by its path from the project's root. */
function layerOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "lib" ? `lib/${second}` : first;
}

/** app's rule is the other way round: everything but the database and the tools. So is the server's start. */
const everythingBut = (target: string): boolean => target !== "lib/db" && !tools.includes(target);

function allowed(from: string, target: string, targetPath: string): boolean {
  if (from === target) return true;
  if (from === "app" || from === "instrumentation.ts") return everythingBut(target);
  const rule = table[from] ?? (from.startsWith("lib/") ? operation : outside);
  return rule.may === "anything" || rule.may.some((name) => name === target || name === targetPath);
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\b(?:import|require)\s*\(\s*["']([^"']+)["']/g;

/** What a source file names in its imports and re-exports. */
function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].flatMap((found) => found[1] ?? found[2] ?? found[3] ?? []);
}

/** The forbidden imports of one file (its path from the project's root), each as a line to print. */
export function forbiddenImports(path: string, source: string): string[] {
  // A test proves its subject from outside: it may reach for anything.
  if (/\.test\.tsx?$/.test(path)) return [];
  const from = layerOf(path);
  const packages = table[from]?.packages;
  return importsOf(source).flatMap((name) => {
    const inside = name.startsWith("@/") || name.startsWith(".");
    if (!inside) {
      return packages && !packages.includes(name)
        ? [`${path}: ${from} may import ${packages.join(", ")} only, not ${name}`]
        : [];
    }
    const target = name.startsWith("@/") ? normalize(name.slice(2)) : normalize(join(dirname(path), name));
    const layer = layerOf(target);
    return allowed(from, layer, target) ? [] : [`${path}: ${from} may not import ${layer} (${name})`];
  });
}

const physical =
  /(?<![\w-])(?:[\w[\]=.&>*/()-]+:)*-?((?:m|p|scroll-m|scroll-p)[lr]-[\w[\].%/-]+|(?:left|right)-[\w[\].%/-]+|text-(?:left|right)|float-(?:left|right)|clear-(?:left|right)|rounded-(?:l|r|tl|tr|bl|br)(?:-[\w[\]-]+)?|border-[lr](?:-[\w[\]-]+)?)(?![\w-])/g;

/** Class names that name a physical side, where Arabic needs start and end. `physical-side:` and a reason on the line allows one. */
export function physicalSides(path: string, source: string): string[] {
  return source.split("\n").flatMap((line, index) => {
    if (/physical-side: \S/.test(line)) return [];
    const strings = [...line.matchAll(/(["'`])((?:(?!\1).)*)\1/g)].map((found) => found[2] ?? "").join(" ");
    return [...strings.matchAll(physical)].map(
      (found) => `${path}:${index + 1}: ${found[1]} names a physical side; use start/end`,
    );
  });
}

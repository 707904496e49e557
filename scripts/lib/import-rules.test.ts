import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "./command";

const root = mkdtempSync(join(tmpdir(), "wallet-imports-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A project of its own, made of these files only, under the project's real rules. Answers the broken ones by file. */
function broken(files: Record<string, string>): Map<string, string[]> {
  const folder = mkdtempSync(join(root, "planted-"));
  copyFileSync(join(projectRoot, "tsconfig.json"), join(folder, "tsconfig.json"));
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
  const program = join(projectRoot, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const config = join(projectRoot, ".dependency-cruiser.mjs");
  const args = [program, "--config", config, "--output-type", "json", "."];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const report: { summary: { violations: { from: string; rule: { name: string } }[] } } = JSON.parse(stdout);
  const found = new Map<string, string[]>();
  for (const { from, rule } of report.summary.violations) {
    found.set(from, [...new Set([...(found.get(from) ?? []), rule.name])].sort());
  }
  return found;
}

// What the planted files import.
const there = Object.fromEntries(
  [
    ...["app/page.tsx", "components/ui/card.tsx", "e2e/support/test.ts", "prisma/seed.ts"],
    ...["lib/accounts/auth.config.ts", "lib/accounts/password.ts", "lib/accounts/sign-in.ts"],
    ...["lib/branches/model.ts", "lib/branches/names.ts", "lib/branches/api.ts", "lib/cards/model/card.ts"],
    ...["lib/audit/audit.ts", "lib/branches/branch.ts", "lib/codes/codes.ts", "lib/db/client.ts"],
    ...["lib/domain/money.ts", "lib/env/index.ts", "lib/api/route.ts", "lib/i18n/translate.ts"],
    ...["lib/ledger/post.ts", "lib/merchants/business.ts", "lib/merchants/lookups.ts"],
    ...["lib/secrets/secrets.ts", "lib/testing/factories.ts", "scripts/lib/tool.ts"],
  ].map((path) => [path, 'import "zod";\nexport type Thing = 1;\nexport const thing = 1;\n']),
);

const use = (path: string) => `import { thing } from "@/${path}";\nexport const used = thing;\n`;
const refused: [string, string, string[]][] = [
  ["components/a.tsx", use("lib/db/client"), ["components-imports"]],
  [
    "components/b.tsx",
    'import {\n  thing,\n} from "../lib/ledger/post";\nexport { thing };',
    ["components-imports"],
  ],
  ["components/c.tsx", use("app/page"), ["components-imports"]],
  ["app/a.tsx", 'import type { Thing } from "@/lib/db/client";\nexport type A = Thing;', ["app-imports"]],
  ["app/b.tsx", 'export const db = await import("@/lib/db/client");', ["app-imports"]],
  ["app/c.tsx", use("lib/testing/factories"), ["no-tools"]],
  ["instrumentation.ts", use("scripts/lib/tool"), ["no-tools"]],
  ["lib/customers/a.ts", use("lib/branches/branch"), ["subject-imports"]],
  ["lib/customers/b.ts", 'export { thing } from "@/lib/api/route";', ["subject-imports"]],
  ["lib/customers/c.ts", use("lib/merchants/business"), ["subject-imports"]],
  ["lib/customers/d.ts", use("prisma/seed"), ["no-tools", "subject-imports"]],
  ["lib/customers/e.ts", 'export const a = (b: import("@/app/page").Thing) => b;', ["subject-imports"]],
  ["lib/domain/a.ts", 'export * from "node:fs";', ["pure"]],
  ["lib/domain/b.ts", use("lib/env/index"), ["pure"]],
  ["lib/env/a.ts", 'import "pg";', ["pure"]],
  ["lib/customers/f.ts", use("lib/branches/api"), ["api-of-a-room", "subject-imports"]],
  ["lib/customers/names.ts", use("lib/merchants/lookups"), ["names-imports"]],
  ["lib/customers/model/a.ts", use("lib/branches/names"), ["model-imports"]],
  ["lib/domain/c.ts", use("lib/branches/model"), ["pure"]],
  ["lib/api/a.ts", use("components/ui/card"), ["api-imports"]],
  ["lib/db/a.ts", use("lib/ledger/post"), ["kernel-imports"]],
  ["middleware.ts", use("lib/accounts/sign-in"), ["middleware-imports"]],
  ["lib/cards/a.ts", 'import { b } from "./b";\nexport const a = b;', ["no-circular"]],
];
const allowed: [string, string][] = [
  // A circle is reported once, at its first file.
  ["lib/cards/b.ts", 'import { a } from "./a";\nexport const b = a;'],
  ["app/z.tsx", use("lib/accounts/sign-in")],
  ["components/z.tsx", use("lib/domain/money")],
  ["components/y.tsx", use("lib/branches/model")],
  ["components/x.tsx", use("lib/branches/names")],
  ["lib/branches/model/z.ts", use("lib/cards/model/card")],
  ["lib/cards/names.ts", 'import type { Thing } from "./b";\nexport type A = Thing;'],
  ["lib/customers/x.ts", use("lib/branches/model")],
  ["lib/db/z.ts", use("lib/cards/model/card")],
  ["e2e/z.ts", use("lib/testing/factories")],
  ["lib/customers/y.ts", use("lib/merchants/lookups")],
  ["lib/customers/z.ts", use("lib/ledger/post")],
  ["lib/customers/z.test.ts", use("lib/testing/factories")],
  ["lib/domain/z.ts", use("lib/domain/money")],
  ["lib/jobs/z.ts", use("lib/db/client")],
  ["lib/tasks/z.ts", use("lib/branches/branch")],
];

test("what the rules refuse is found, and nothing else", () => {
  const planted = Object.fromEntries([...refused, ...allowed].map(([path, source]) => [path, source]));
  const expected = refused.map(([path, , rules]) => [path, rules] as const);
  expect([...broken({ ...there, ...planted })].sort()).toEqual([...expected].sort());
});

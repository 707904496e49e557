import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "@/lib/testing/contract/exchange";

/** The rooms that have no operations. */
const KERNEL = "api|audit|calls|codes|db|domain|email|env|i18n|jobs|observe|operations|pdf|secrets|testing";
/** Files that adapters call and that decide nothing: models, writers of files and addresses. */
const WRITERS = /\/(csv|media-url|names|api|model)$|\/model\//;
/** The other functions that adapters call, with the reason. */
const ALLOWED: Record<string, string> = {
  "accounts/auth.config": "the session's cookie",
  "accounts/auth": "the session's cookie",
  "accounts/credentials": "the account of a browser that becomes known",
  "accounts/session-listener": "the server's start",
  "accounts/session": "the session, before any operation",
  "api-keys/find-key": "the API key, before any operation",
  "ledger/movement-totals:cutDaysOf":
    "asks the operation movementTotals for the days that a page shows in part",
  "cards/card:cardQr": "draws the code of a card that an operation answered",
  "passes/google-wallet:availableWallets": "a setting",
  "tills/till-proof": "the till proof, before any operation",
};

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test.") && !name.includes("/contract/"));

/** The values that a file imports from the rooms of subjects, as "room/file" with their names. */
function importsOf(file: string): { from: string; names: string[] }[] {
  const pattern = new RegExp(`import \\{([^}]*)\\} from "@/lib/(?!(?:${KERNEL})["/])([^"]+)"`, "g");
  return [...readFileSync(file, "utf8").matchAll(pattern)].map(([, names = "", from = ""]) => ({
    from,
    names: names
      .split(",")
      .map((name) => name.trim().replace(/ as .*/, ""))
      .filter((name) => name !== "" && !name.startsWith("type ")),
  }));
}

const isOperation = (value: unknown): boolean => typeof value === "function" && "perform" in value;

test("pages, actions, downloads and routes call nothing of a subject but its operations", async () => {
  const called = [...files("app"), ...files("lib/api"), "middleware.ts"].flatMap((file) =>
    importsOf(file).map((one) => ({ ...one, file })),
  );
  expect(called.length).toBeGreaterThan(100);
  const others: string[] = [];
  for (const { file, from, names } of called) {
    if (WRITERS.test(from) || from in ALLOWED) continue;
    const room: Record<string, unknown> = await import(path.resolve("lib", from));
    for (const name of names.filter((one) => !one.endsWith("Csv") && !(`${from}:${one}` in ALLOWED))) {
      if (!isOperation(room[name])) others.push(`${file} calls ${name} of ${from}`);
    }
  }
  expect(others).toEqual([]);
});

describe("every GET of the API only reads, so that a suspended merchant's staff may call it", () => {
  const gets = OPERATIONS.filter(({ method }) => method === "get");
  test.each(gets.map((one) => [one.path, one] as const))("%s", (_path, { spec }) => {
    expect(spec.readOnly).toBe(true);
  });
});

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";

await testDb();

function verify(...args: string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", "scripts/ledger-verify.ts", ...args], {
    env: process.env,
    encoding: "utf8",
  });
}

test("npm run ledger:verify finds an installation in order that has no merchant yet", {
  timeout: 120_000,
}, () => {
  const { status, stdout, stderr } = verify();
  expect(stderr).toBe("");
  expect(stdout).toContain("0 transactions of 0 merchants are in order");
  expect(status).toBe(0);
});

test("npm run ledger:verify says that a merchant does not exist", { timeout: 120_000 }, () => {
  const { status, stderr } = verify("--merchant", "018f0000-0000-7000-8000-000000000000");
  expect(stderr).toContain("There is no such merchant.");
  expect(status).toBe(1);
});

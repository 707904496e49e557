import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasMemory, MEMORY, temporaryDataDir } from "./temporary";

test("a folder on disk is reachable by the server's account", () => {
  const folder = temporaryDataDir("temporary-test");
  expect(folder.startsWith(join(tmpdir(), "wallet-temporary-test-"))).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o711);
  rmSync(folder, { recursive: true });
});

test.runIf(hasMemory())("a folder in memory is removed once the program that made it has ended", () => {
  const { pid: ended } = spawnSync(process.execPath, ["--eval", ""]);
  const left = join(MEMORY, `wallet-temporary-test-${ended}-left`);
  mkdirSync(join(left, "postgres"), { recursive: true });
  const running = temporaryDataDir("temporary-test", { inMemory: true });
  const another = temporaryDataDir("temporary-test", { inMemory: true });
  expect([left, running, another].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  expect(running.startsWith(MEMORY)).toBe(true);
  for (const folder of [running, another]) rmSync(folder, { recursive: true });
});

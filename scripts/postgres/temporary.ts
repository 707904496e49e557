import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processOf } from "./guarded";

export const MEMORY = "/dev/shm";
// Bytes. A machine that has this much of it free has at least twice as much memory.
const ENOUGH = 4 * 2 ** 30;

/** Whether the folders of tests can be in memory here. */
export function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH;
}

/** Removes the folders of programs that were killed. */
function clearMemory(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, maker] = /^wallet-[a-z-]+-(\d+)-/.exec(name) ?? [];
    if (maker && !processOf(Number(maker))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** A folder to throw away, open to Postgres's account. `inMemory`, if it fits: a disk drops databases slowly. */
export function temporaryDataDir(name: string, { inMemory = false } = {}): string {
  const isInMemory = inMemory && hasMemory();
  if (isInMemory) clearMemory();
  const folder = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), `wallet-${name}-${process.pid}-`));
  chmodSync(folder, 0o711);
  return folder;
}

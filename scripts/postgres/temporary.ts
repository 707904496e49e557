import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processOf } from "./guarded";

/** The folder in which Linux keeps files in memory. */
export const MEMORY = "/dev/shm";
// Bytes. A machine that has this much of it free has at least twice as much memory.
const ENOUGH = 4 * 2 ** 30;

/** Whether the folders of tests can be in memory here. */
export function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH;
}

/** Removes what programs that were killed left in memory. */
function clearMemory(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, maker] = /^wallet-[a-z-]+-(\d+)-/.exec(name) ?? [];
    if (maker && !processOf(Number(maker))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/**
 * A data folder that is thrown away, where the server's account can reach it too. With `inMemory` it is in memory where
 * there is enough of it: databases that are made and dropped by the hundred cost the file system of a disk more time than
 * their tests take.
 */
export function temporaryDataDir(name: string, { inMemory = false } = {}): string {
  const isInMemory = inMemory && hasMemory();
  if (isInMemory) clearMemory();
  const folder = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), `wallet-${name}-${process.pid}-`));
  chmodSync(folder, 0o711);
  return folder;
}

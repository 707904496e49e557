import { randomUUID } from "node:crypto";
import { chownSync, createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { atEnd } from "../lib/ending";
import { serverAccount } from "../postgres/home";
import { archiveOf } from "../postgres/server";
import { type Destination, destinationOf } from "./destination";

/** The folder of the write-ahead log in a destination. */
export const WAL = "wal/";
const SHIPPED_EVERY = 10_000;
/** Segments, histories of time lines and marks of a backup, as Postgres names them. */
const ARCHIVED = /^[0-9A-F]{8}(\.history|[0-9A-F]{16}(\.[0-9A-F]{8}\.backup)?)$/;

/** Opens the folder into which Postgres archives its write-ahead log. Until it exists, nothing is archived. */
export function openArchive(cluster: string): void {
  const folder = archiveOf(cluster);
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const account = serverAccount();
  if (account) chownSync(folder, account.uid, account.gid);
}

/** Copies a file there compressed. */
export async function putCompressed(destination: Destination, name: string, file: string): Promise<void> {
  const packed = join(tmpdir(), `wallet-${randomUUID()}.gz`);
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(packed, { mode: 0o600 }));
    await destination.put(name, packed);
  } finally {
    await rm(packed, { force: true });
  }
}

/** Moves what Postgres archived to the destination, oldest first. Answers how many files went. */
export async function shipArchive(cluster: string, destination: Destination): Promise<number> {
  const folder = archiveOf(cluster);
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder)
    .filter((name) => ARCHIVED.test(name))
    .sort();
  for (const name of files) {
    await putCompressed(destination, `${WAL}${name}.gz`, join(folder, name));
    await rm(join(folder, name));
  }
  return files.length;
}

/**
 * Ships the archive every ten seconds, until the caller calls the answered function, which ships once more.
 * If a destination is away, it logs this and tries again. Unshipped files stay in the archive's folder.
 */
function keepShipping(cluster: string, destination: Destination): () => Promise<void> {
  let turn = Promise.resolve();
  const ship = () => {
    turn = turn
      .then(() => shipArchive(cluster, destination))
      .then(
        () => {},
        (error: unknown) => console.error(`The write-ahead log could not be copied: ${error}`),
      );
    return turn;
  };
  const timer = setInterval(ship, SHIPPED_EVERY);
  return async () => {
    clearInterval(timer);
    await ship();
  };
}

/**
 * For a program with the embedded database, where BACKUP_TO is set: copies the write-ahead log there until the program
 * ends. The log begins with the first `npm run backup`.
 */
export function keepBackup({ cluster }: { cluster?: string }): void {
  const { BACKUP_TO } = process.env;
  if (cluster && BACKUP_TO) atEnd(keepShipping(cluster, destinationOf(BACKUP_TO, process.env)));
}

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chownSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { z } from "zod";
import { atEnd } from "../lib/command";
import { serverAccount } from "../postgres/home";
import { archiveOf, connected } from "../postgres/server";
import { type Destination, destinationOf } from "./destination";

/** The folder of the write-ahead log in a destination. */
export const WAL = "wal/";
const SHIPPED_EVERY = 10_000;
/** Segments, histories of time lines and marks of a backup, as Postgres names them. */
const ARCHIVED = /^[0-9A-F]{8}(\.history|[0-9A-F]{16}(\.[0-9A-F]{8}\.backup)?)$/;

/** Opens the folder into which Postgres archives its write-ahead log. Until it exists, nothing is archived. */
function openArchive(cluster: string): void {
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

/** Ships the archive every ten seconds, until the answered function is called, which ships the rest. */
function keepShipping(cluster: string, destination: Destination): () => Promise<void> {
  let turn: Promise<unknown> = Promise.resolve();
  const ship = () => {
    turn = turn
      .then(() => shipArchive(cluster, destination))
      .catch((error: unknown) => console.error(`The write-ahead log could not be copied: ${error}`));
    return turn;
  };
  const timer = setInterval(ship, SHIPPED_EVERY);
  return async () => {
    clearInterval(timer);
    await ship();
  };
}

/** Copies an embedded database's log to BACKUP_TO until this process ends, once `npm run backup` has run. */
export function keepBackup({ cluster }: { cluster?: string }): void {
  const { BACKUP_TO } = process.env;
  if (cluster && BACKUP_TO) atEnd(keepShipping(cluster, destinationOf(BACKUP_TO, process.env)));
}

const run = promisify(execFile);

/** The folder of the base backups in a destination. */
const BASE = "base/";
const MANIFEST = "manifest.json";
/** Written last: a backup without one is not whole. */
const manifestSchema = z.object({
  startedAt: z.iso.datetime(),
  /** From this moment on the cluster can be restored, by the clock of the database. */
  consistentAt: z.iso.datetime(),
  /** The first segment of the write-ahead log that a restore needs. */
  firstWal: z.string(),
  postgres: z.string(),
  /** The cluster's own number: the log of one cluster does not fit another. */
  cluster: z.string(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** The files that a copy leaves out, as the documentation of pg_backup_start says. */
const LEFT_OUT = [
  ...["postmaster.pid", "postmaster.opts", "pg_wal/*", "pg_replslot/*", "pg_dynshmem/*", "pg_notify/*"],
  ...["pg_serial/*", "pg_snapshots/*", "pg_stat_tmp/*", "pg_subtrans/*"],
  ...["*/pgsql_tmp*", "*pg_internal.init*"],
];
/** Of the data folder: the cluster has its own copy; locks and the mailbox of a demo are not worth keeping. */
const NOT_DATA = ["postgres", "postgres-archive", "postgres-is-at", "mailbox"];

/** tar answers 1 when a file changed while it was read, which the write-ahead log makes good. */
async function tar(args: string[]): Promise<void> {
  await run("tar", args, { env: { ...process.env, LC_ALL: "C" } }).catch((error: { code?: number }) => {
    if (error.code !== 1) throw error;
  });
}

export type Source = { ownerUrl: string; cluster: string; dataDir: string };

/** Copies the running cluster into a tar file and returns its label, while Postgres is in backup mode. */
export async function copyCluster(client: pg.Client, cluster: string, target: string): Promise<string> {
  await client.query("select pg_backup_start('loyalty wallet', true)");
  await tar(["-cf", target, "-C", cluster, ...LEFT_OUT.map((path) => `--exclude=./${path}`), "."]);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(true)");
  return rows[0]?.labelfile ?? "";
}

/**
 * Makes a base backup of the embedded cluster and of the data folder's files, and from then on has Postgres archive its
 * write-ahead log, a segment a minute at least. Answers the backup's name. Throws when the destination holds the backups
 * of another cluster. Source: Postgres's documentation, "Continuous Archiving and Point-in-Time Recovery".
 */
export async function backUp(source: Source, destination: Destination): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wallet-backup-"));
  const make = async (client: pg.Client): Promise<string> => {
    const { rows } = await client.query<{ cluster: string; postgres: string; now: Date }>(
      `select system_identifier::text as cluster, current_setting('server_version') as postgres, clock_timestamp() as now
       from pg_control_system()`,
    );
    const { cluster = "", postgres = "", now = new Date() } = rows[0] ?? {};
    const others = (await manifests(destination)).filter(({ manifest }) => manifest.cluster !== cluster);
    if (others.length > 0) throw new Error(`${destination.name} holds the backups of another database.`);
    openArchive(source.cluster);
    await client.query("alter system set archive_timeout = '60s'");
    await client.query("select pg_reload_conf()");

    const label = await copyCluster(client, source.cluster, join(folder, "cluster.tar"));
    writeFileSync(join(folder, "backup_label"), label);
    await tar(["-rf", join(folder, "cluster.tar"), "-C", folder, "./backup_label"]);
    const kept = readdirSync(source.dataDir).filter((name) => !NOT_DATA.includes(name));
    await tar(["-cf", join(folder, "data.tar"), "-C", source.dataDir, "--exclude=*.lock", ...kept]);
    await shipArchive(source.cluster, destination);

    const stopped = await client.query<{ now: Date }>("select clock_timestamp() as now");
    const manifest: Manifest = {
      startedAt: now.toISOString(),
      consistentAt: (stopped.rows[0]?.now ?? now).toISOString(),
      firstWal: /\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? "",
      postgres,
      cluster,
    };
    const name = `${BASE}${manifest.startedAt.replace(/[:.]/g, "-")}`;
    for (const part of ["cluster.tar", "data.tar"]) {
      await putCompressed(destination, `${name}/${part}.gz`, join(folder, part));
    }
    writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest, null, 2));
    await destination.put(`${name}/${MANIFEST}`, join(folder, MANIFEST));
    return name;
  };
  return connected(source.ownerUrl, make).finally(() => rm(folder, { recursive: true, force: true }));
}

/** The whole backups of a destination, oldest first. */
export async function manifests(destination: Destination): Promise<{ name: string; manifest: Manifest }[]> {
  const found: { name: string; manifest: Manifest }[] = [];
  const folder = mkdtempSync(join(tmpdir(), "wallet-manifests-"));
  try {
    for (const file of await destination.list(BASE)) {
      if (basename(file) !== MANIFEST) continue;
      await destination.get(file, join(folder, MANIFEST));
      const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")));
      found.push({ name: dirname(file), manifest });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return found;
}

/** Keeps the newest backups and the log from the oldest of them on. Answers how many whole backups went. */
export async function prune(destination: Destination, keep: number): Promise<number> {
  const all = await manifests(destination);
  const gone = all.slice(0, Math.max(0, all.length - keep));
  const kept = all[gone.length];
  const oldest = kept?.manifest.firstWal;
  // Remove the manifest first. If the removal is cut off here, the rest does not look like a whole backup.
  for (const { name } of gone) await destination.remove(`${name}/${MANIFEST}`);
  // With what backups left that were killed. Newer ones may still be copied.
  if (kept) {
    for (const file of await destination.list(BASE, { parts: true })) {
      if (file < kept.name) await destination.remove(file);
    }
  }
  if (gone.length > 0 && oldest) {
    for (const file of await destination.list(WAL)) {
      const segment = basename(file, ".gz");
      // Of any time line: the number after its first eight digits says how far it is.
      const isOlder = !segment.endsWith(".history") && segment.slice(8, 24) < oldest.slice(8);
      if (isOlder) await destination.remove(file);
    }
  }
  return gone.length;
}

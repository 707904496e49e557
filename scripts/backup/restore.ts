import { execFile } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import { homeOf, type OsAccount, serverAccount } from "../postgres/home";
import { connected, endOrphan, isHalfRestored, startPostgres } from "../postgres/server";
import { type Manifest, manifests, putCompressed, WAL } from "./backup";
import type { Destination } from "./destination";

const run = promisify(execFile);
const RECOVERY = ["restore_command", "recovery_target_time", "recovery_target_action", "hot_standby"];

async function unpack(destination: Destination, name: string, folder: string): Promise<string> {
  const packed = join(folder, basename(name));
  const file = packed.replace(/\.gz$/, "");
  await destination.get(name, packed);
  await pipeline(createReadStream(packed), createGunzip(), createWriteStream(file, { mode: 0o600 }));
  rmSync(packed);
  return file;
}

/** Fetches the log that this backup needs, still compressed, into a new folder of the account that the server runs as. */
async function fetchLog(
  destination: Destination,
  manifest: Manifest,
  account: OsAccount | undefined,
  folder: string,
): Promise<void> {
  const own = (path: string, mode: number) => {
    chmodSync(path, mode);
    if (account) chownSync(path, account.uid, account.gid);
  };
  own(folder, 0o700);
  for (const file of await destination.list(WAL)) {
    const segment = basename(file, ".gz");
    const needed = segment.endsWith(".history") || segment.slice(8, 24) >= manifest.firstWal.slice(8);
    if (!needed) continue;
    await destination.get(file, join(folder, basename(file)));
    own(join(folder, basename(file)), 0o600);
  }
}

function recoverySettings(log: string, at: Date | undefined): string {
  const values = {
    restore_command: `gunzip -c ${log}/%f.gz > %p`,
    hot_standby: "off",
    ...(at && {
      recovery_target_time: at.toISOString().replace("T", " ").replace("Z", "+00"),
      recovery_target_action: "promote",
    }),
  };
  return Object.entries(values)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join("");
}

/** Ends the recovery's settings, and keeps the new time line in the destination, so that no other restore takes it too. */
async function settle(ownerUrl: string, cluster: string, destination: Destination): Promise<void> {
  await connected(ownerUrl, async (client) => {
    for (const name of RECOVERY) await client.query(`alter system reset ${name}`);
    // The new cluster archives only after its first backup.
    await client.query("alter system reset archive_timeout");
    await client.query("select pg_reload_conf()");
    const { rows } = await client.query<{ line: string }>(
      "select lpad(to_hex(timeline_id), 8, '0') as line from pg_control_checkpoint()",
    );
    const history = `${rows[0]?.line.toUpperCase()}.history`;
    const file = join(cluster, "pg_wal", history);
    if (existsSync(file)) await putCompressed(destination, `${WAL}${history}.gz`, file);
  });
}

/**
 * Restores the newest backup before `at` into a data folder and plays the log up to that moment, or to its end. Replaces
 * what a killed restore left. Throws when the folder holds a database, when no backup is old enough, and when the log ends
 * before that moment. No other account of the machine can read any of it meanwhile.
 */
export async function restore(
  destination: Destination,
  options: { dataDir: string; at?: Date },
): Promise<{ backup: string }> {
  const root = resolve(options.dataDir);
  mkdirSync(root, { recursive: true });
  const account = serverAccount();
  const cluster = homeOf(root, account);
  if (existsSync(join(cluster, "PG_VERSION")) && !isHalfRestored(cluster)) {
    throw new Error(
      `${cluster} holds a database. Restore into another DATA_DIR, or move this one away first.`,
    );
  }
  const { at } = options;
  const chosen = (await manifests(destination))
    .filter(({ manifest }) => !at || new Date(manifest.consistentAt) <= at)
    .at(-1);
  if (!chosen)
    throw new Error(`${destination.name} has no backup${at ? ` from before ${at.toISOString()}` : ""}.`);

  // Both are made for this account alone. The server reads the log itself, under its own account.
  const folder = mkdtempSync(join(tmpdir(), "wallet-restore-"));
  const log = mkdtempSync(join(tmpdir(), "wallet-restore-log-"));
  const half = `${cluster}.restored`;
  try {
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true, mode: 0o700 });
    await run("tar", ["-xf", await unpack(destination, `${chosen.name}/cluster.tar.gz`, folder), "-C", half]);
    await run("tar", ["-xf", await unpack(destination, `${chosen.name}/data.tar.gz`, folder), "-C", root]);
    await fetchLog(destination, chosen.manifest, account, log);
    appendFileSync(join(half, "postgresql.auto.conf"), recoverySettings(log, at));
    writeFileSync(join(half, "recovery.signal"), "");
    if (account) await run("chown", ["-R", `${account.uid}:${account.gid}`, half]);
    chmodSync(half, 0o700);
    if (isHalfRestored(cluster)) {
      await endOrphan(cluster);
      rmSync(cluster, { recursive: true });
    }
    renameSync(half, cluster);
    try {
      const server = await startPostgres({ dataDir: root, restore: true });
      await settle(server.ownerUrl(), cluster, destination).finally(() => server.stop());
    } catch (error) {
      // Nothing should start on a half-recovered database.
      rmSync(cluster, { recursive: true, force: true });
      if (!String(error).includes("before configured recovery target")) throw error;
      throw new Error(`The log in ${destination.name} ends before ${at?.toISOString()}.`);
    }
    return { backup: chosen.name };
  } finally {
    rmSync(half, { recursive: true, force: true });
    for (const path of [folder, log]) rmSync(path, { recursive: true, force: true });
  }
}

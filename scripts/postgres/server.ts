import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { guardName, processOf, startGuarded } from "./guarded";
import { homeOf, initialise, type OsAccount, programs, serverAccount } from "./home";
import { freePort } from "./port";

export type Postgres = {
  /** The connection string of a database ("wallet" by default) as the application (prisma/grants.sql). */
  url(database?: string): string;
  /** The same as the owner, who migrates. */
  ownerUrl(database?: string): string;
  folder: string;
  /** Ends the server and waits until it is gone. Safe to call twice. */
  stop(): Promise<void>;
  ended(): boolean;
  /** kill -9 of the server's own process, whose children then end by themselves. */
  kill(): Promise<void>;
};

export type PostgresOptions = {
  /** DATA_DIR: the cluster is in its subfolder `postgres` (home.ts has the exception). */
  dataDir: string;
  /** For databases that are thrown away: no fsync, nothing survives a crash. */
  throwaway?: boolean;
  /** Postgres' own settings for loads and measurements, beside or in place of the usual ones. */
  settings?: Record<string, string>;
  /** The port of the loopback; absent: a free one. */
  port?: number;
  /** The folder holds the copy of another cluster, which must stay as it is: a standby. */
  standby?: true;
  /** The start plays the log of a restore. Any other start refuses a restore that was cut off, which may lack postings. */
  restore?: true;
  /** A server that ends by itself starts again, 5 times in 10 minutes at most; `lost` is called after that. */
  keepRunning?: { lost: () => void };
};

/** Does the work on one connection, and closes it. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // The query under way is rejected; without a listener the event as well would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    // The server may be gone.
    await client.end().catch(() => {});
  }
}

/** Does the work in a transaction of this connection. */
export async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const answer = await work();
    await client.query("commit");
    return answer;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

export type Login = { name: string; password: string };

/** Makes the role if the cluster lacks it. `resetPassword` sets an existing role's password again. */
export async function ensureRole(client: pg.Client, login: Login, { resetPassword = false } = {}) {
  const { name, password } = login;
  const { rowCount } = await client.query("select 1 from pg_roles where rolname = $1", [name]);
  if (rowCount !== 0 && !resetPassword) return;
  const verb = rowCount === 0 ? "create" : "alter";
  const role = client.escapeIdentifier(name);
  try {
    await client.query(`${verb} role ${role} login password ${client.escapeLiteral(password)}`);
  } catch (error) {
    // Another command made it at the same moment.
    if (error instanceof pg.DatabaseError && (error.code === "23505" || error.code === "42710")) return;
    throw error;
  }
}

/** Makes the database when the cluster lacks it. `url` names any other database of the cluster. */
export async function ensureDatabase(url: string, name: string): Promise<void> {
  await connected(url, async (client) => {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}

const ROLES = {
  owner: { name: "wallet", file: "postgres-password" },
  application: { name: "wallet_app", file: "application-password" },
} as const;
type Role = keyof typeof ROLES;

/** A secret of so many bytes: made once, kept in this file, readable by its owner only. */
export function secretIn(file: string, bytes: number): string {
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(bytes).toString("base64url"), { mode: 0o600, flag: "wx" });
  }
  return readFileSync(file, "utf8").trim();
}

const loginOf = (dataDir: string, role: Role): Login => ({
  name: ROLES[role].name,
  password: secretIn(join(dataDir, ROLES[role].file), 24),
});

type Urls = Pick<Postgres, "url" | "ownerUrl">;
function urlsAt(dataDir: string, port: number): Urls {
  const as = (role: Role) => {
    const { name, password } = loginOf(dataDir, role);
    return (database = "wallet") => `postgresql://${name}:${password}@127.0.0.1:${port}/${database}`;
  };
  return { url: as("application"), ownerUrl: as("owner") };
}

/** The server that holds this cluster now. A leftover pid file whose process is another program is removed. */
function runningIn(folder: string) {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const [pid = 0, , , port = 0] = readFileSync(file, "utf8").split("\n").map(Number);
  const found = processOf(pid);
  if (found?.command.includes(folder)) {
    return { pid, port, orphan: !processOf(found.parent)?.command.includes(guardName) };
  }
  // After a crash the number may belong to someone else; Postgres itself would refuse to start.
  rmSync(file, { force: true });
  return undefined;
}

/** The folder beside a cluster into which it archives its write-ahead log, once the folder exists (scripts/backup). */
export const archiveOf = (folder: string): string => `${folder}-archive`;

/** Copies a finished segment whole or not at all, and never over another one. */
function archiveCommand(folder: string): string {
  const quoted = `'${archiveOf(folder).replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;
  const copy = `cp %p ${quoted}/%f.part && sync ${quoted}/%f.part && mv ${quoted}/%f.part ${quoted}/%f`;
  return `! test -d ${quoted} || cmp -s %p ${quoted}/%f || { test ! -e ${quoted}/%f && ${copy}; }`;
}

function settings(port: number, { throwaway, settings: own }: PostgresOptions, folder: string): string[] {
  const values = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "128MB",
    // Recovery after a crash reads this much at most.
    max_wal_size: "128MB",
    min_wal_size: "32MB",
    checkpoint_timeout: "60s",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    ...(throwaway
      ? { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }
      : { archive_mode: "on", archive_command: archiveCommand(folder) }),
    ...own,
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

type Server = ReturnType<typeof launch>;

const READY = /database system is ready to accept (read-only )?connections/;

/** Starts the server under its guard. `ready` fails with what the server printed. */
function launch(command: string, folder: string, account: OsAccount | undefined, flags: string[]) {
  const up = Promise.withResolvers<void>();
  const server = startGuarded({
    command,
    args: ["-D", folder, ...flags],
    cwd: "/",
    account,
    // "Fast" (roll back what is open), then "immediate" (recovery at the next start).
    signals: ["SIGINT", "SIGQUIT"],
    patience: 20_000,
    output: "keep",
    onOutput: (text) => READY.test(text) && up.resolve(),
  });
  void server.gone.then((text) => up.reject(new Error(`Postgres did not start:\n${text}`)));
  up.promise.catch(() => {});
  return { ...server, ready: up.promise };
}

/** Whether the folder holds a cluster whose recovery has not ended: Postgres then takes the file away. */
export const isHalfRestored = (folder: string): boolean => existsSync(join(folder, "recovery.signal"));

/** Ends a server whose guard is gone, and refuses when another program runs it. */
export async function endOrphan(folder: string): Promise<void> {
  const before = runningIn(folder);
  if (!before) return;
  if (!before.orphan) {
    throw new Error(`The database in ${folder} is in use (process ${before.pid}). Stop that program first.`);
  }
  process.kill(before.pid, "SIGINT");
  while (processOf(before.pid)) await pause(50);
}

/**
 * Starts the project's own Postgres, and makes its cluster where there is none. It ends with this process, however this
 * process ends. Throws when another program runs it already.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, throwaway = false } = options;
  const root = resolve(dataDir);
  mkdirSync(root, { recursive: true });
  const account = serverAccount();
  const folder = homeOf(root, account);
  if (!options.restore && isHalfRestored(folder)) {
    throw new Error(`The restore into ${folder} was cut off. Begin it again: npm run restore`);
  }
  const { postgres, initdb } = await programs(account);
  await initialise(initdb, folder, loginOf(root, "owner").password, account);
  await endOrphan(folder);
  const startOn = (port: number) => launch(postgres, folder, account, settings(port, options, folder));
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const server = startOn(port);
    try {
      await server.ready;
      const urls = urlsAt(root, port);
      if (!options.standby) {
        const first = urls.ownerUrl("postgres");
        await ensureDatabase(first, "wallet");
        // The application's role, which may do nothing yet.
        const login = loginOf(root, "application");
        await connected(first, (client) => ensureRole(client, login, { resetPassword: true }));
      }
      const handle = handleOf(folder, urls, server, throwaway);
      if (options.keepRunning) void handle.keepRunning(() => startOn(port), options.keepRunning.lost);
      return handle;
    } catch (error) {
      // Someone may have taken the port in between.
      if (attempt === 5 || !String(error).includes("could not bind")) throw error;
    }
  }
}

/** So many starts in so many milliseconds; before each one it waits longer, since what is left of the old server must end. */
const STARTS = 5;
const STARTS_WITHIN = 10 * 60_000;
const PAUSE = 500;

function handleOf(folder: string, urls: Urls, first: Server, throwaway: boolean) {
  let server = first;
  let isStopping = false;
  let starting: Promise<unknown> | undefined;
  /** Answers whether it did not help. */
  const restart = async (start: () => Server): Promise<boolean> => {
    try {
      await endOrphan(folder);
      if (isStopping) return false;
      server = start();
      await server.ready;
      console.error("Postgres ended by itself and was started again.");
      return false;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      return true;
    }
  };
  return {
    ...urls,
    folder,
    async stop() {
      isStopping = true;
      await starting;
      await server.stop();
      if (throwaway) rmSync(folder, { recursive: true, force: true });
    },
    ended: () => server.ended(),
    async kill() {
      process.kill(await server.pid, "SIGKILL");
      await server.gone;
    },
    /** Starts the server again each time it ends by itself, until `stop` is called or a limit is met. */
    async keepRunning(start: () => Server, lost: () => void): Promise<void> {
      let starts: number[] = [];
      let inRow = 0;
      for (;;) {
        await server.gone;
        if (isStopping) return;
        starts = starts.filter((at) => at > Date.now() - STARTS_WITHIN);
        if (starts.length >= STARTS) return lost();
        starts.push(Date.now());
        await pause(PAUSE * inRow);
        const attempt = restart(start);
        starting = attempt;
        inRow = (await attempt) ? inRow + 1 : 0;
      }
    },
  };
}

/** As startPostgres, but joins the server that already runs in this folder; then `stop` leaves it running. */
export async function openPostgres(options: PostgresOptions): Promise<Omit<Postgres, "kill">> {
  const root = resolve(options.dataDir);
  mkdirSync(root, { recursive: true });
  const folder = homeOf(root, serverAccount());
  const running = runningIn(folder);
  if (!running?.port) return await startPostgres(options);
  return {
    ...urlsAt(root, running.port),
    folder,
    stop: async () => {},
    ended: () => processOf(running.pid) === undefined,
  };
}

import { Client, type ClientBase, type Pool, type PoolClient, type QueryResult } from "pg";

type Driven = { cause?: { kind?: string; originalCode?: string; originalMessage?: string } };

function drivenCause(error: Error): Driven["cause"] {
  const { meta, cause } = error as Driven & { meta?: { driverAdapterError?: Driven } };
  return meta?.driverAdapterError?.cause ?? cause;
}

/** The SQLSTATE of a database error from Prisma, its adapter or pg, or "" for any other error. */
export function sqlState(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code } = error as { code?: unknown };
  const driven = drivenCause(error)?.originalCode;
  if (driven) return driven;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("P") ? code : "";
}

/** Whether a statement's kept name was lost, or a migration changed what it answers. It was not run. */
export function isKeptStatementLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state === "26000") return true;
  if (state !== "0A000" || !(error instanceof Error)) return false;
  return /cached plan/.test(drivenCause(error)?.originalMessage ?? "");
}

// Shutting down, a standby, out of resources, no connection; a time limit, a lock, a deadlock or a conflict.
const UNAVAILABLE = /^(57P0|53|08|57014|40001|40P01|25006|25P03|25P04|55P03)/;
// P2028: Prisma could not begin its transaction in time, or its time was over; it was rolled back.
const PRISMA_UNAVAILABLE = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"]);
/** How Prisma's adapter names a lost connection. A raw query has this name only: its code is P2010, with no SQLSTATE. */
const NO_CONNECTION_KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout"]);
const NO_CONNECTION =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|Connection terminated|Connection ended|timeout exceeded|Query read timeout|not queryable|server (?:has )?closed|Can't reach database/i;

/** Whether the connection failed, so that the outcome of the statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return /^(57P0|08|25P03)/.test(state);
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  const { kind = "" } = drivenCause(error) ?? {};
  return NO_CONNECTION_KINDS.has(kind) || NO_CONNECTION.test(`${String(code)} ${error.message}`);
}

/** Whether a commit no longer waits for the standby: a failover may lose it. `routine` has no language. */
export const isCommittedHereOnly = (notice: { routine?: string | undefined }): boolean =>
  notice.routine === "SyncRepWaitForLSN";

/** Whether the database is temporarily unavailable or too busy, so that the request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (UNAVAILABLE.test(sqlState(error)) || isKeptStatementLost(error) || isConnectionLost(error)) return true;
  return error instanceof Error && PRISMA_UNAVAILABLE.has(String((error as { code?: unknown }).code));
}

export const QUERY_CANCELED = "57014";

/** Repeats statements that the time limit of the role or the database ended, each time after `undo`. */
export async function insist(
  client: ClientBase,
  statements: string,
  undo = "",
  tries = 10,
): Promise<QueryResult> {
  try {
    return await client.query(statements);
  } catch (error) {
    if (undo) await client.query(undo).catch(() => undefined);
    if (tries === 1 || sqlState(error) !== QUERY_CANCELED) throw error;
    return await insist(client, statements, undo, tries - 1);
  }
}

/** Read-only transaction: answered as 503, since the next connection may reach the primary. */
const STANDBY = { name: "Standby", code: "25006", severity: "FATAL" };
const processes = new WeakMap<ClientBase, number>();

/** Takes a connection to any server, for a pool of reads. Answers whether it is a standby. */
export async function acceptAny(client: ClientBase): Promise<boolean> {
  const { rows } = await insist(client, "select pg_is_in_recovery() as standby, pg_backend_pid() as pid");
  const [{ standby, pid }] = rows as [{ standby: boolean; pid: number }];
  processes.set(client, pid);
  return standby;
}

/** Refuses a standby when a pool connects. Throws an error that `isDatabaseUnavailable` knows. */
export async function acceptPrimary(client: ClientBase): Promise<void> {
  if (await acceptAny(client)) throw Object.assign(new Error("the database is a standby"), STANDBY);
}

/** Milliseconds after which the program asks whether Postgres still works for a connection, and asks again. */
const SILENCE_MS = 8_000;
const PATIENCE_MS = 8_000;

/** A transaction that waits for the program has a time limit there; a longer one is lost. */
const AT_WORK = `select 1 from pg_stat_activity where pid = $1 and (state = 'active'
  or state like 'idle in transaction%' and state_change > now() - interval '30 seconds')`;

async function isAtWork(connectionString: string, pid: number): Promise<boolean> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: "wallet probe",
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(AT_WORK, [pid])).rows.length > 0;
  } catch (error) {
    // A database that refuses the question is there, and may be busy.
    return sqlState(error) !== "" && !sqlState(error).startsWith("57P");
  } finally {
    void client.end().catch(() => undefined);
  }
}

/**
 * Ends connections whose answer will never come, since a cut network drops packets silently and TCP gives up after a
 * quarter of an hour only. The pool's connections must have passed `acceptPrimary` or `acceptAny`.
 */
export function endSilent(pool: Pool, connectionString: string): void {
  const timers = new WeakMap<PoolClient, NodeJS.Timeout>();
  const endIfLost = async (client: PoolClient) => {
    const timer = timers.get(client);
    const pid = processes.get(client) ?? 0;
    if (await isAtWork(connectionString, pid)) return;
    // It may have answered in the meantime, and serve somebody else.
    if (timers.get(client) === timer) void (client as ClientBase & { end(): Promise<void> }).end();
  };
  pool.on("acquire", (client) => {
    const timer = setInterval(() => void endIfLost(client), SILENCE_MS);
    timer.unref();
    timers.set(client, timer);
  });
  pool.on("release", (_error, client) => {
    clearInterval(timers.get(client));
    timers.delete(client);
  });
}

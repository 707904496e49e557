import { Client, type ClientBase, type Pool, type PoolClient, type QueryResult } from "pg";
import { sqlState } from "./faults";

/** SQLSTATE of a statement that a time limit ended. */
const QUERY_CANCELED = "57014";

/**
 * Runs statements again that the time limit of the role or the database ended, before they could lift it, or on a
 * connection that has none of its own. `undo` runs before each new try.
 */
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

/** A standby took the connection: it can read, and it accepts no write. */
class Standby extends Error {
  override readonly name = "Standby";
  /** Read-only transaction: answered as 503, since the next connection may reach the primary. */
  readonly code = "25006";
  readonly severity = "FATAL";
}

const processes = new WeakMap<ClientBase, number>();

/**
 * Refuses a connection to a standby, so that no pool keeps one after a failover. Call it when a pool connects. Throws an
 * error that `isDatabaseUnavailable` knows.
 */
export async function acceptPrimary(client: ClientBase): Promise<void> {
  const { rows } = await insist(client, "select pg_is_in_recovery() as standby, pg_backend_pid() as pid");
  const [row] = rows as { standby: boolean; pid: number }[];
  if (row?.standby) throw new Standby("the database is a standby");
  processes.set(client, row?.pid ?? 0);
}

/** Takes a connection to any server, for a pool of reads. */
export async function acceptAny(client: ClientBase): Promise<void> {
  const { rows } = await insist(client, "select pg_backend_pid() as pid");
  processes.set(client, rows[0].pid);
}

/** Milliseconds after which the program asks whether Postgres still works for a connection, and asks again. */
const SILENCE_MS = 8_000;
const PATIENCE_MS = 8_000;

/** A transaction that waits for the program has a time limit there; a longer one is lost. */
const AT_WORK = `select 1 from pg_stat_activity where pid = $1 and (state = 'active'
  or state like 'idle in transaction%' and state_change > now() - interval '30 seconds')`;

/** Whether Postgres works for this process, such as in a long report, or while it waits for a lock or its standby. */
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
 * Ends connections whose answer will never come. A cut network drops packets silently, and TCP gives up after a quarter of
 * an hour only. The program therefore asks the database over another connection. What waits on the ended connection is
 * told that it was lost. The pool's connections must have passed `acceptPrimary` or
 * `acceptAny`.
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

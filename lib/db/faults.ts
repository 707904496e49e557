type Driven = { cause?: { kind?: string; originalCode?: string; originalMessage?: string } };

/** Answers the details that Prisma's adapter keeps of a database error, or undefined for any other error. */
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

/**
 * Whether Postgres no longer runs a statement under the name that its connection kept it by: a migration changed what the
 * statement answers, or something between forgot the name. It was not run.
 */
export function isKeptStatementLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state === "26000") return true;
  if (state !== "0A000" || !(error instanceof Error)) return false;
  return /cached plan/.test(drivenCause(error)?.originalMessage ?? "");
}

// Temporary errors: shutting down or starting, a standby that takes no writes, out of resources, no connection, ended by a
// time limit, by a lock, by a deadlock or by a conflict with another transaction.
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

/**
 * Whether Postgres says with this notice that a commit no longer waits for the standby. The transaction is committed here,
 * and a failover may lose it. The name of Postgres's own function is the same in every language.
 */
export const isCommittedHereOnly = (notice: { routine?: string | undefined }): boolean =>
  notice.routine === "SyncRepWaitForLSN";

/** Whether the database is temporarily unavailable or too busy, so that the request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (UNAVAILABLE.test(sqlState(error)) || isKeptStatementLost(error) || isConnectionLost(error)) return true;
  return error instanceof Error && PRISMA_UNAVAILABLE.has(String((error as { code?: unknown }).code));
}

type Driven = { cause?: { originalCode?: string; originalMessage?: string } };

/** What Prisma's adapter keeps of an error of the database; undefined for any other error. */
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

// Temporary errors: shutting down or starting, out of resources, no connection, cancelled by a timeout, ended in a
// deadlock or a conflict with another transaction.
const UNAVAILABLE = /^(57P0|53|08|57014|40001|40P01)/;
const PRISMA_UNAVAILABLE = new Set(["P1001", "P1002", "P1008", "P1017", "P2024"]);
const NO_CONNECTION =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|Connection terminated|Connection ended|timeout exceeded|not queryable|server (?:has )?closed/i;

/** Whether the connection failed, so that the outcome of the statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return /^(57P0|08)/.test(state);
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return PRISMA_UNAVAILABLE.has(String(code)) || NO_CONNECTION.test(`${String(code)} ${error.message}`);
}

/** Whether the database is temporarily unavailable or too busy, so that the request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return UNAVAILABLE.test(sqlState(error)) || isKeptStatementLost(error) || isConnectionLost(error);
}

/** The SQLSTATE of an error that came from the database, through Prisma or pg, or "". */
export function sqlState(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code, meta } = error as { code?: unknown; meta?: unknown };
  const driver = (meta as { driverAdapterError?: { cause?: { originalCode?: string } } } | undefined)
    ?.driverAdapterError;
  if (driver?.cause?.originalCode) return driver.cause.originalCode;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("P") ? code : "";
}

// Shut down or starting, out of resources, no connection, cancelled by a time limit: soon it may work.
const AWAY = /^(57P0|53|08|57014)/;
const PRISMA_AWAY = new Set(["P1001", "P1002", "P1008", "P1017", "P2024"]);
const NO_CONNECTION =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|Connection terminated|Connection ended|timeout exceeded|not queryable|server closed/i;

/** Whether the connection broke (or never was), so that nobody knows what became of a statement that was sent. */
export function lostConnection(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return /^(57P0|08)/.test(state);
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return PRISMA_AWAY.has(String(code)) || NO_CONNECTION.test(`${String(code)} ${error.message}`);
}

/** Whether the database is away or too busy for now: the same request may succeed a moment later. */
export function isAway(error: unknown): boolean {
  return AWAY.test(sqlState(error)) || lostConnection(error);
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

/** Milliseconds after which a check counts as failed. */
export const CHECK_PATIENCE = 1_000;

/** The role of a Postgres; null where it does not answer. */
async function roleOf(connectionString: string): Promise<"primary" | "standby" | null> {
  const limits = { connectionTimeoutMillis: CHECK_PATIENCE, query_timeout: CHECK_PATIENCE };
  const client = new pg.Client({ connectionString, ...limits });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select pg_is_in_recovery() as standby");
    return rows[0].standby ? "standby" : "primary";
  } catch {
    return null;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** As Patroni's HTTP check: /replica is 200 on a standby, every other path on the primary; else 503. */
export async function openCheck(
  url: () => string | undefined,
  { port = 0, host = "127.0.0.1" } = {},
): Promise<{ port: number; close: () => void }> {
  const check = createServer(async (request, answer) => {
    const wanted = request.url === "/replica" ? "standby" : "primary";
    const known = url();
    answer.statusCode = known && (await roleOf(known)) === wanted ? 200 : 503;
    answer.end();
  });
  await new Promise<void>((up) => check.listen(port, host, up));
  return { port: (check.address() as AddressInfo).port, close: () => check.close() };
}

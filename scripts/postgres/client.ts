import pg from "pg";

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

export type Login = { name: string; password: string };

/**
 * Makes the role if the cluster lacks it. An existing role stays as it is; `resetPassword` sets its password
 * again.
 */
export async function ensureRole(
  client: pg.Client,
  { name, password }: Login,
  { resetPassword = false }: { resetPassword?: boolean } = {},
): Promise<void> {
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

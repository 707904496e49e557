import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { projectRoot } from "./project";

const grants = readFileSync(join(projectRoot, "prisma", "grants.sql"), "utf8");

type Login = { name: string; password: string };

/** Who a connection string signs in as. */
export function loginOf(url: string): Login {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Makes the role when the cluster lacks it. One that exists stays as it is, but for the password where it is given anew. */
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

/**
 * Gives the application's role what it needs and takes everything else from it (prisma/grants.sql), on the owner's
 * connection. `application` is the application's connection string; where it signs in as the owner, or is left out, the
 * functions are closed to others and that is all. Throws when the role is no ordinary one, or has the owner's password.
 */
export async function grantApplication(client: pg.Client, application?: string): Promise<void> {
  const { rows } = await client.query<{ me: string }>("select current_user as me");
  const login = application ? loginOf(application) : undefined;
  const apart = login !== undefined && login.name !== rows[0]?.me ? login : undefined;
  if (apart) {
    if (apart.password === "" || apart.password === client.password) {
      throw new Error(
        "The application's role needs a password of its own: DATABASE_URL and DATABASE_OWNER_URL.",
      );
    }
    await ensureRole(client, apart);
  }
  await client.query("begin");
  try {
    // Two at a time would find each other's rows of the catalogue changed.
    await client.query("select pg_advisory_xact_lock(hashtextextended('grants', 0))");
    await client.query("select set_config('wallet.application', $1, true)", [apart?.name ?? ""]);
    await client.query(grants);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

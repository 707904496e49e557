import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { ensureRole, type Login } from "../postgres/client";
import { projectRoot } from "./project";

const grants = readFileSync(join(projectRoot, "prisma", "grants.sql"), "utf8");

/** Answers the login of a connection string. */
function loginOf(url: string): Login {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/**
 * Gives the application's role what it needs and takes everything else from it (prisma/grants.sql), on the
 * owner's connection. `application` is the application's connection string. If it signs in as the owner, or
 * is left out, this only closes the functions to others. Throws if the role is not an ordinary one, or has
 * the owner's password.
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

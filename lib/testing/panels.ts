import { encode } from "next-auth/jwt";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { openSession } from "@/lib/accounts/session";
import type { Db } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import type { Role } from "@/lib/domain/roles";
import { cookieSecrets } from "@/lib/secrets/secrets";

/**
 * A panel's session that has just confirmed who it is, with its cookie and the token of its calls. `cookieAs` answers the
 * cookie with another role in it, as a cookie has that is older than a change of the role: it opens pages, and must open
 * nothing else.
 */
export async function panelOf(db: Db, user: Pick<User, "id" | "role">) {
  const from = { userId: user.id, userAgent: null, address: "127.0.0.1", now: new Date() };
  const { id, handle, token } = await openSession(db, from);
  const steppedUpUntil = new Date(Date.now() + 3_600_000);
  await db.session.update({ where: { id }, data: { steppedUpUntil } });
  const cookieAs = async (role: Role) => {
    const claims = { sid: id, handle, role };
    const value = await encode({ token: claims, secret: cookieSecrets() ?? [], salt: SESSION_COOKIE });
    return `${SESSION_COOKIE}=${value}`;
  };
  return { id, handle, token, cookie: await cookieAs(user.role), cookieAs };
}

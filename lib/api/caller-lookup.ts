import { sessionMemory } from "@/lib/accounts/session";
import { getDb } from "@/lib/db/client";
import { isId } from "@/lib/domain/is-id";
import { hashSecret } from "@/lib/secrets/secrets";
import { shareCallerLookup } from "./page-caller";

/** Lets the middleware, a bundle by itself, ask whose cookies are live without a second pool. */
export function registerCallerLookup(): void {
  shareCallerLookup({
    async session(id) {
      if (!isId(id)) return false;
      if (sessionMemory().find(id.toLowerCase())) return true;
      const rows = await getDb().$queryRaw<unknown[]>`
        select 1 from sessions s join users u on u.id = s.user_id
        where s.id = ${id}::uuid and s.revoked_at is null and s.expires_at > now() and u.status = 'active'`;
      return rows.length > 0;
    },
    async holder(customerId, secret) {
      if (!isId(customerId)) return false;
      const where = { customerId, tokenHash: hashSecret(secret) };
      return (await getDb().cardDevice.findFirst({ where, select: { id: true } })) !== null;
    },
  });
}

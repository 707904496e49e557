import { createHash, randomBytes } from "node:crypto";
import { encode } from "next-auth/jwt";
import { connected } from "@/scripts/postgres/server";
import { customerId, workerId } from "./posting-rows";

/** Someone signed in, for calls and for pages, with customers to look at. */
export type Session = { token: string; cookie: string; customers: string[] };
export type Sessions = { workers: Session[]; owners: Session[] };

/** So many sessions of each kind that no limit is met: each may send 600 postings or 1,200 other requests a minute. */
const SESSIONS = 260;
const CUSTOMERS_EACH = 50;
const COOKIE = "wallet.session";

type User = { id: string; role: string; merchant: string };

/** Opens sessions by SQL: signing in is not what is measured, and its limits are not meant for it. */
export function makeSessions(ownerUrl: string, secret: string): Promise<Sessions> {
  return connected(ownerUrl, async (client) => {
    const insert = async (user: User, tokenHash: string | null) => {
      const { rows } = await client.query<{ id: string; handle: string }>(
        `insert into sessions (id, user_id, handle, token_hash, expires_at)
         values (gen_random_uuid(), $1, gen_random_uuid(), $2, now() + interval '12 hours') returning id, handle`,
        [user.id, tokenHash],
      );
      return rows[0];
    };
    const open = async (user: User, customers: string[]): Promise<Session> => {
      const token = randomBytes(32).toString("base64url");
      await insert(user, createHash("sha256").update(token).digest("hex"));
      const panel = await insert(user, null);
      const value = await encode({
        token: { sub: user.id, sid: panel?.id, handle: panel?.handle, role: user.role },
        secret,
        salt: COOKIE,
      });
      return { token, cookie: `${COOKIE}=${value}`, customers };
    };
    const { rows: owners } = await client.query<User>(
      `select id, role, merchant_id as merchant from users
       where role = 'merchant_owner' and email like '%large%@large.test' order by email`,
    );
    const people = new Map<string, string[]>();
    for (const { merchant } of owners) {
      const { rows } = await client.query<{ id: string }>(
        "select id from customers where merchant_id = $1 order by id limit $2",
        [merchant, CUSTOMERS_EACH],
      );
      people.set(
        merchant,
        rows.map(({ id }) => id),
      );
    }
    const sessions: Sessions = { workers: [], owners: [] };
    for (let n = 0; n < SESSIONS; n++) {
      const worker = { id: workerId(n), role: "branch_worker", merchant: "" };
      const owner = owners[n % owners.length];
      sessions.workers.push(await open(worker, [customerId(n)]));
      if (owner) sessions.owners.push(await open(owner, people.get(owner.merchant) ?? []));
    }
    return sessions;
  });
}

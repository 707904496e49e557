import type { Db } from "@/lib/db/client";
import type { UserStatus } from "@/lib/db/generated/client";
import { hashSecret } from "@/lib/secrets/secrets";

export type AccountState = {
  id: string;
  email: string;
  status: UserStatus;
  passwordHash: string | null;
  merchantId: string | null;
  /** The version of the credentials: another one after a new password, and after a factor is added or removed. */
  credentials: string;
};

/** An account or null, in one statement in every case. `credentials` is derived: no change can forget it. */
export async function readAccount(
  db: Db,
  of: { email: string } | { userId: string },
): Promise<AccountState | null> {
  const [email, userId] = "email" in of ? [of.email, null] : [null, of.userId];
  const [row] = await db.$queryRaw<(Omit<AccountState, "credentials"> & { factors: string | null })[]>`
    select u.id::text as id, u.email, u.status::text as status, u.password_hash as "passwordHash",
      u.merchant_id::text as "merchantId",
      (select string_agg(f.id::text, ',' order by f.id) from second_factors f
        where f.user_id = u.id and f.confirmed_at is not null) as factors
    from users u where u.email = ${email} or u.id = ${userId}::uuid`;
  if (!row) return null;
  const { factors, ...account } = row;
  return { ...account, credentials: hashSecret(`${account.passwordHash ?? ""}\n${factors ?? ""}`) };
}

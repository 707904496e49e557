import type { PublicContext } from "@/lib/db/context";
import { assertWithinLimit, consume, type GuardLimit, resetAttempts } from "@/lib/db/rate-limit";
import { type LogIn, logInSchema } from "@/lib/domain/account";
import { DomainError } from "@/lib/domain/errors";
import { isLocale, type Locale, type Role } from "@/lib/domain/roles";
import { passwordMatches } from "./password";
import { type Profile, profile } from "./profile";
import { type NewSession, openSession, resolveSession } from "./session";

// Five wrong passwords for one account from one address, fifty from anywhere, in 15 minutes.
const HERE: GuardLimit = { name: "sign-in-address", points: 5, seconds: 15 * 60 };
const ANYWHERE: GuardLimit = { name: "sign-in-account", points: 50, seconds: 15 * 60 };

export type SignedIn = NewSession & { user: { id: string; role: Role; locale: Locale | null } };

/**
 * Opens a session for the right e-mail and password.
 * Throws invalid_credentials (the same for an unknown account, a wrong password and a disabled user) and rate_limited.
 */
export async function signIn(ctx: PublicContext, input: LogIn): Promise<SignedIn> {
  const here = `${input.email}|${ctx.address}`;
  await assertWithinLimit(ctx.db, HERE, here);
  await assertWithinLimit(ctx.db, ANYWHERE, input.email);
  // Counted before the password is looked at, so that parallel guesses cannot slip through together.
  await consume(ctx.db, HERE, here);
  await consume(ctx.db, ANYWHERE, input.email);
  const user = await ctx.db.user.findUnique({
    where: { email: input.email },
    select: { id: true, role: true, status: true, locale: true, passwordHash: true },
  });
  const right = await passwordMatches(user?.passwordHash, input.password);
  if (!user || !right || user.status !== "active") throw new DomainError("invalid_credentials");
  await resetAttempts(ctx.db, HERE, here);
  await resetAttempts(ctx.db, ANYWHERE, input.email);
  const session = await ctx.db.$transaction(async (tx) => {
    // Held, so that a change of the password meanwhile either refuses this session or ends it with the others.
    const [same] = await tx.$queryRaw<unknown[]>`
      select 1 from users
      where id = ${user.id}::uuid and password_hash = ${user.passwordHash} and status = 'active' for share`;
    if (!same) throw new DomainError("invalid_credentials");
    return openSession(tx, {
      userId: user.id,
      userAgent: input.userAgent ?? null,
      address: ctx.address,
      now: ctx.clock(),
    });
  });
  const locale = isLocale(user.locale) ? user.locale : null;
  return { ...session, user: { id: user.id, role: user.role, locale } };
}
signIn.permission = "public" as const;
signIn.input = logInSchema;

export type LoggedIn = { token: string; expiresAt: Date; user: Profile };

/** Signs an API client in: its token, until when it lives unused, and who it is. Throws as signIn does. */
export async function logIn(ctx: PublicContext, input: LogIn): Promise<LoggedIn> {
  const { token, expiresAt } = await signIn(ctx, input);
  const found = await resolveSession(ctx.db, { token }, ctx.clock());
  // Disabled between the two: no longer anybody.
  if (found.state !== "live") throw new DomainError("invalid_credentials");
  return { token, expiresAt, user: await profile({ ...ctx, actor: found.actor }, {}) };
}
logIn.permission = "public" as const;
logIn.input = logInSchema;
logIn.errors = ["invalid_credentials"] as const;

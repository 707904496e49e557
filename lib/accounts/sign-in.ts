import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { assertWithinLimit, consume, type GuardLimit, resetAttempts } from "@/lib/db/rate-limit";
import { type LogIn, logInSchema } from "@/lib/domain/account";
import { DomainError } from "@/lib/domain/errors";
import { isLocale, type Locale, type Role } from "@/lib/domain/roles";
import { type Device, noteDevice } from "./devices";
import { askForFactor, factorMethods } from "./factors/prove";
import { passwordMatches } from "./password";
import { type Profile, readProfile } from "./profile";
import { type NewSession, openSession, resolveSession } from "./session";

// In 15 minutes, an account accepts five wrong passwords from one address and fifty in total.
const PER_ACCOUNT_AND_ADDRESS: GuardLimit = { name: "sign-in-address", points: 5, seconds: 15 * 60 };
const PER_ACCOUNT: GuardLimit = { name: "sign-in-account", points: 50, seconds: 15 * 60 };

export type SignedIn = NewSession & { user: { id: string; role: Role; locale: Locale | null } };

/** Opens the session of a user who proved who they are, and keeps the device. */
export async function openSignedIn(
  tx: Tx,
  ctx: PublicContext,
  userId: string,
  device: Device,
): Promise<SignedIn> {
  const row = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { id: true, role: true, email: true, firstName: true, locale: true },
  });
  const user = { ...row, locale: isLocale(row.locale) ? row.locale : null };
  const session = await openSession(tx, {
    userId,
    userAgent: device.userAgent ?? null,
    address: ctx.address,
    now: ctx.clock(),
  });
  await noteDevice(tx, ctx, user, device);
  return { ...session, user: { id: user.id, role: user.role, locale: user.locale } };
}

/**
 * Opens a session for an e-mail and a password. The token works for the API, or once for claimWebSession.
 * Throws rate_limited, invalid_credentials for an unknown account, a wrong password or a disabled user, and
 * second_factor_required with the challenge for confirmSignIn when the account has a second factor.
 */
export async function signIn(ctx: PublicContext, input: LogIn): Promise<SignedIn> {
  const accountAtAddress = `${input.email}|${ctx.address}`;
  await assertWithinLimit(ctx.db, PER_ACCOUNT_AND_ADDRESS, accountAtAddress);
  await assertWithinLimit(ctx.db, PER_ACCOUNT, input.email);
  // Counting before verifying the password also limits parallel guesses.
  await consume(ctx.db, PER_ACCOUNT_AND_ADDRESS, accountAtAddress);
  await consume(ctx.db, PER_ACCOUNT, input.email);
  const user = await ctx.db.user.findUnique({
    where: { email: input.email },
    select: { id: true, status: true, passwordHash: true },
  });
  const matches = await passwordMatches(user?.passwordHash, input.password);
  if (!user || !matches || user.status !== "active") throw new DomainError("invalid_credentials");
  await resetAttempts(ctx.db, PER_ACCOUNT_AND_ADDRESS, accountAtAddress);
  await resetAttempts(ctx.db, PER_ACCOUNT, input.email);
  const methods = await factorMethods(ctx.db, user.id);
  if (methods.length > 0) {
    const of = { kind: "sign_in" as const, userId: user.id };
    const data = await askForFactor(ctx.db, of, methods, ctx.clock());
    throw new DomainError("second_factor_required", {}, [], { data });
  }
  return ctx.db.$transaction(async (tx) => {
    // The lock makes a parallel password change either reject this session or end it with the others, and a second
    // factor that is added meanwhile either reject it or come after it.
    const [unchanged] = await tx.$queryRaw<unknown[]>`
      select 1 from users
      where id = ${user.id}::uuid and password_hash = ${user.passwordHash} and status = 'active' for share`;
    if (!unchanged) throw new DomainError("invalid_credentials");
    return openSignedIn(tx, ctx, user.id, input);
  });
}
signIn.permission = "public" as const;
signIn.input = logInSchema;

export type LoggedIn = { token: string; expiresAt: Date; user: Profile };

/** What an API client gets of a new session: its token, when it expires unused, and the user. */
export async function loggedIn(ctx: PublicContext, { token, expiresAt }: SignedIn): Promise<LoggedIn> {
  const found = await resolveSession(ctx.db, { token }, ctx.clock());
  // The user was disabled in the meantime.
  if (found.state !== "live") throw new DomainError("invalid_credentials");
  return { token, expiresAt, user: await readProfile({ ...ctx, actor: found.actor }) };
}

/** Signs an API client in. Answers its token, when it expires unused, and the user. Throws the same errors as signIn. */
export async function logIn(ctx: PublicContext, input: LogIn): Promise<LoggedIn> {
  return loggedIn(ctx, await signIn(ctx, input));
}
logIn.permission = "public" as const;
logIn.input = logInSchema;
logIn.errors = ["invalid_credentials", "second_factor_required"] as const;

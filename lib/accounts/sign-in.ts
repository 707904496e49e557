import { audit } from "@/lib/audit/audit";
import type { PublicContext } from "@/lib/db/context";
import { assertWithinLimit, consume, type GuardLimit, resetAttempts } from "@/lib/db/rate-limit";
import { type LogIn, logInSchema } from "@/lib/domain/account";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { isLocale, type Locale, type Role } from "@/lib/domain/roles";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import { passwordMatches } from "./password";
import { type Profile, profile } from "./profile";
import { type NewSession, openSession, resolveSession } from "./session";

// In 15 minutes, an account accepts five wrong passwords from one address and fifty in total.
const PER_ACCOUNT_AND_ADDRESS: GuardLimit = { name: "sign-in-address", points: 5, seconds: 15 * 60 };
const PER_ACCOUNT: GuardLimit = { name: "sign-in-account", points: 50, seconds: 15 * 60 };
// A device that signed in to this account before: strangers who use up the others do not shut it out.
const PER_DEVICE: GuardLimit = { name: "sign-in-device", points: 5, seconds: 15 * 60 };

type Budget = readonly [GuardLimit, key: string];

/** The budgets of an attempt: those of a known device, or those that all strangers share. */
function budgetsOf({ device, address }: PublicContext, email: string): Budget[] {
  const known = deviceKnownTo(device, email);
  if (known) return [[PER_DEVICE, `${email}|${known}`]];
  return [
    [PER_ACCOUNT_AND_ADDRESS, `${email}|${address}`],
    [PER_ACCOUNT, email],
  ];
}

/** Who failed to sign in stays a stranger. Of an unknown e-mail only a masked form is written, beside the chain. */
async function recordRefusal(
  ctx: PublicContext,
  email: string,
  user: { id: string; merchantId: string | null; status: string } | null,
): Promise<void> {
  const about = user
    ? {
        merchantId: user.merchantId,
        entityId: user.id,
        after: { reason: user.status === "active" ? "wrong" : user.status },
      }
    : { merchantId: null, after: { reason: "unknown", email: maskEmail(email, 1) } };
  await audit(ctx.db, { ...ctx, actor: null }, { action: "session.refused", entity: "user", ...about });
}

export type SignedIn = NewSession & { user: { id: string; role: Role; locale: Locale | null } };

/**
 * Opens a session for an e-mail and a password. The token works for the API, or once for claimWebSession.
 * Throws rate_limited, and invalid_credentials for an unknown account, a wrong password or a disabled user.
 */
export async function signIn(ctx: PublicContext, input: LogIn): Promise<SignedIn> {
  const budgets = budgetsOf(ctx, input.email);
  for (const budget of budgets) await assertWithinLimit(ctx.db, ...budget);
  // Counting before verifying the password also limits parallel guesses.
  for (const budget of budgets) await consume(ctx.db, ...budget);
  const user = await ctx.db.user.findUnique({
    where: { email: input.email },
    select: { id: true, role: true, status: true, locale: true, passwordHash: true, merchantId: true },
  });
  const matches = await passwordMatches(user?.passwordHash, input.password);
  if (!user || !matches || user.status !== "active") {
    await recordRefusal(ctx, input.email, user);
    throw new DomainError("invalid_credentials");
  }
  // A known device's success leaves the strangers' counts, so that it gives them no new guesses.
  for (const budget of budgets) await resetAttempts(ctx.db, ...budget);
  const session = await ctx.db.$transaction(async (tx) => {
    // The lock makes a parallel password change either reject this session or end it with the others.
    const [unchanged] = await tx.$queryRaw<unknown[]>`
      select 1 from users
      where id = ${user.id}::uuid and password_hash = ${user.passwordHash} and status = 'active' for share`;
    if (!unchanged) throw new DomainError("invalid_credentials");
    const opened = await openSession(tx, {
      userId: user.id,
      userAgent: input.userAgent ?? null,
      address: ctx.address,
      now: ctx.clock(),
    });
    const by = { ...ctx, actor: { type: "user", userId: user.id } } as const;
    const { id: entityId, merchantId } = user;
    await audit(tx, by, { merchantId, action: "session.opened", entity: "user", entityId });
    return opened;
  });
  const locale = isLocale(user.locale) ? user.locale : null;
  return { ...session, user: { id: user.id, role: user.role, locale } };
}
signIn.permission = "public" as const;
signIn.input = logInSchema;

export type LoggedIn = { token: string; expiresAt: Date; user: Profile };

/** Signs an API client in. Answers its token, when it expires unused, and the user. Throws the same errors as signIn. */
export async function logIn(ctx: PublicContext, input: LogIn): Promise<LoggedIn> {
  const { token, expiresAt } = await signIn(ctx, input);
  const found = await resolveSession(ctx.db, { token }, ctx.clock());
  // The user was disabled in the meantime.
  if (found.state !== "live") throw new DomainError("invalid_credentials");
  return { token, expiresAt, user: await profile({ ...ctx, actor: found.actor }, {}) };
}
logIn.permission = "public" as const;
logIn.input = logInSchema;
logIn.errors = ["invalid_credentials"] as const;

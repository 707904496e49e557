import { audit, auditUser } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { isLocale, type Locale, type Role } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { operation } from "@/lib/operations/operation";
import { hashSecret } from "@/lib/secrets/secrets";
import { auditRefusal, clearAttempts, signInBudgets, takeAttempt, tellUsedUp } from "./attempts";
import { type AccountState, readAccount } from "./credentials";
import { askForFactor, factorMethods } from "./factors/prove";
import { logInSchema, parseUserAgent } from "./model/account";
import { passwordMatches } from "./password";
import { type Profile, profileOf } from "./profile";
import { type NewSession, openSession, resolveSession } from "./session";

/** Audits a failed sign-in, without an actor. Of an unknown e-mail only a masked form is stored, outside the chain. */
async function recordRefusal(ctx: PublicContext, email: string, user: AccountState | null): Promise<void> {
  const stranger = { ...ctx, actor: null };
  if (user) return auditRefusal(stranger, user, user.status === "active" ? "password" : user.status);
  const after = { reason: "unknown", email: maskEmail(email, 1) };
  await audit(ctx.db, stranger, { merchantId: null, action: "session.refused", entity: "user", after });
}

export type SignedIn = NewSession & {
  user: { id: string; email: string; role: Role; locale: Locale | null };
};

/** Opens the session of an authenticated user, on a till after a PIN, and stores the device. */
export async function openSignedIn(
  tx: Tx,
  ctx: PublicContext,
  userId: string,
  tillId?: string,
): Promise<SignedIn> {
  const row = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { id: true, role: true, email: true, firstName: true, locale: true, merchantId: true },
  });
  const user = { ...row, locale: isLocale(row.locale) ? row.locale : null };
  const session = await openSession(tx, {
    userId,
    userAgent: ctx.userAgent ?? null,
    address: ctx.address,
    now: ctx.clock(),
    tillId,
  });
  // A till is the device of everybody who signs in on it.
  await noteDevice(tx, ctx, user, tillId ? `till ${tillId}` : ctx.device?.id);
  const by = { ...ctx, actor: { type: "user", userId } } as const;
  await auditUser(tx, by, user, { action: "session.opened" });
  const { email, role, locale } = user;
  return { ...session, user: { id: userId, email, role, locale } };
}

/**
 * Opens a session for an e-mail and a password. The token works for the API, or once for claimWebSession.
 * Throws rate_limited, invalid_credentials for an unknown account, a wrong password or a disabled user, and
 * second_factor_required with the challenge for confirmSignIn when the account has a second factor.
 */
export const signIn = operation({
  permission: "public",
  input: logInSchema,
  run: async (ctx, input): Promise<SignedIn> => {
    const user = await readAccount(ctx.db, { email: input.email });
    const budgets = signInBudgets("sign-in", ctx, user, input.email);
    const last = await takeAttempt(ctx, budgets);
    const matches = await passwordMatches(user?.passwordHash, input.password);
    if (!user || !matches || user.status !== "active") {
      await recordRefusal(ctx, input.email, user);
      if (last) await tellUsedUp(ctx, input.email, "password");
      throw new DomainError("invalid_credentials");
    }
    await clearAttempts(ctx, budgets);
    const { session, data } = await ctx.db.$transaction(async (tx) => {
      // The lock makes a parallel password change either reject this session or challenge or end it with the others, and a
      // second factor that is added meanwhile either be asked for or come after it.
      const [unchanged] = await tx.$queryRaw<unknown[]>`
      select 1 from users
      where id = ${user.id}::uuid and password_hash = ${user.passwordHash} and status = 'active' for share`;
      if (!unchanged) throw new DomainError("invalid_credentials");
      const methods = await factorMethods(tx, user.id);
      if (methods.length === 0) return { session: await openSignedIn(tx, ctx, user.id) };
      const of = { kind: "sign_in" as const, userId: user.id };
      return { data: await askForFactor(tx, of, methods, ctx.clock()) };
    });
    if (!session) throw new DomainError("second_factor_required", {}, [], { data });
    return session;
  },
});

export type LoggedIn = { token: string; expiresAt: Date; user: Profile };

/** Answers a new session for an API client: the token, the time when it expires unused, and the user. */
export async function loggedIn(ctx: PublicContext, { token, expiresAt }: SignedIn): Promise<LoggedIn> {
  const found = await resolveSession(ctx.db, { token }, ctx.clock());
  // The user was disabled in the meantime.
  if (found.state !== "live") throw new DomainError("invalid_credentials");
  return { token, expiresAt, user: profileOf(found.actor) };
}

/** Signs an API client in. Answers its token, when it expires unused, and the user. Throws the same errors as signIn. */
export const logIn = operation({
  permission: "public",
  input: logInSchema,
  errors: ["invalid_credentials", "second_factor_required"],
  run: async (ctx, input): Promise<LoggedIn> => loggedIn(ctx, await signIn(ctx, input)),
});

type Owner = SignedIn["user"] & { firstName: string; merchantId: string | null };

/**
 * Keeps the device of a sign-in, and mails the user when they never signed in with it. An API client without the cookie is
 * known by its user agent and address. The first device of an account is not reported: it is how the account began.
 */
async function noteDevice(
  tx: Tx,
  { address, clock, locale, userAgent = null }: PublicContext,
  user: Owner,
  device: string | undefined,
): Promise<void> {
  const now = clock();
  const deviceHash = hashSecret(device ?? `${userAgent ?? ""}\n${address}`);
  const [known] = await tx.$queryRaw<{ isNew: boolean; others: boolean }[]>`
    with others as (
      select 1 from user_devices where user_id = ${user.id}::uuid and device_hash <> ${deviceHash} limit 1)
    insert into user_devices (user_id, device_hash, last_seen_at, created_at)
    values (${user.id}::uuid, ${deviceHash}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (user_id, device_hash) do update set last_seen_at = excluded.last_seen_at
    returning created_at = ${now}::timestamptz as "isNew", exists (select 1 from others) as others`;
  if (!known?.isNew || !known.others) return;
  const { browser, system } = parseUserAgent(userAgent);
  await queueEmail(tx, {
    to: user.email,
    template: "new_device",
    shop: user.merchantId,
    locale: user.locale ?? locale,
    params: {
      name: user.firstName,
      device: [browser, system].filter(Boolean).join(" · ") || null,
      address: address === "unknown" ? null : address,
      at: now,
      url: `${env().APP_URL}/forgot-password`,
    },
  });
}

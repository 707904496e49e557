import { audit, auditUser } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { mustStepUp } from "@/lib/domain/actor";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError, type FactorRequest } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { isLocale, type Locale, type Role } from "@/lib/domain/roles";
import { MAILED_USER, type MailedUser, mailUser } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { operation } from "@/lib/operations/operation";
import { hashSecret } from "@/lib/secrets/secrets";
import {
  auditRefusal,
  clearAttempts,
  confirmPassword,
  signInBudgets,
  takeAttempt,
  tellUsedUp,
} from "./attempts";
import { type AccountState, readAccount } from "./credentials";
import { readChallenge, spendChallenge } from "./factors/challenges";
import { spendAssertion } from "./factors/passkeys";
import { askForFactor, factorMethods, proveFactor } from "./factors/prove";
import { logInSchema, parseUserAgent } from "./model/account";
import {
  type ConfirmSignIn,
  confirmSignInSchema,
  STEP_UP_SECONDS,
  stepUpSchema,
} from "./model/second-factor";
import type { Profile } from "./names";
import { passwordMatches } from "./password";
import { profileOf } from "./profile";
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
  const user = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { role: true, ...MAILED_USER },
  });
  const { address, userAgent = null } = ctx;
  const session = await openSession(tx, { userId, userAgent, address, now: ctx.clock(), tillId });
  // A till is the device of everybody who signs in on it.
  await noteDevice(tx, ctx, { ...user, id: userId }, tillId ? `till ${tillId}` : ctx.device?.id);
  const by = { ...ctx, actor: { type: "user", userId } } as const;
  const { email, role, locale, merchantId } = user;
  await auditUser(tx, by, { id: userId, merchantId }, { action: "session.opened" });
  return { ...session, user: { id: userId, email, role, locale: isLocale(locale) ? locale : null } };
}

/**
 * Opens a session, whose token works for the API, or once for claimWebSession. Throws rate_limited, invalid_credentials (also
 * for an unknown or disabled account), and second_factor_required with the challenge for confirmSignIn.
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

/** Keeps the device of a sign-in (without a cookie: user agent and address), and mails the user about any but the first. */
async function noteDevice(
  tx: Tx,
  ctx: PublicContext,
  user: MailedUser & { id: string },
  device: string | undefined,
): Promise<void> {
  const { address, userAgent = null } = ctx;
  const now = ctx.clock();
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
  await mailUser(tx, ctx, user, "new_device", {
    device: [browser, system].filter(Boolean).join(" · ") || null,
    address: address === "unknown" ? null : address,
    at: now,
    url: `${env().APP_URL}/forgot-password`,
  });
}

const PASSKEYS_PER_ADDRESS: GuardLimit = { name: "passkey-address", points: 100, seconds: 15 * 60 };
// A device that signed in before, which strangers cannot shut out. All of an address have ten times as many.
const PASSKEYS_PER_DEVICE: GuardLimit = { name: "passkey-device", points: 100, seconds: 15 * 60 };
const PASSKEYS_OF_DEVICES: GuardLimit = { name: "passkey-devices", points: 1000, seconds: 15 * 60 };

/** Begins a sign-in with a passkey alone: answers the challenge that any passkey of this site can sign. */
export const askForPasskey = operation({
  permission: "public",
  input: nothingSchema,
  run: async (ctx): Promise<FactorRequest> => {
    if (ctx.device) {
      await consume(ctx.db, PASSKEYS_PER_DEVICE, ctx.device.id);
      await consume(ctx.db, PASSKEYS_OF_DEVICES, ctx.address);
    } else await consume(ctx.db, PASSKEYS_PER_ADDRESS, ctx.address);
    return askForFactor(ctx.db, { kind: "passkey" }, ["passkey"], ctx.clock());
  },
});

/** Whether the user may sign in, locked so that a password change either comes before this or ends its session. */
async function lockActive(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from users where id = ${userId}::uuid and status = 'active' for share`;
  return rows.length > 0;
}

async function signInByPasskey(ctx: PublicContext, input: ConfirmSignIn): Promise<SignedIn> {
  const invalid = () => new DomainError("second_factor_invalid");
  if (!input.assertion) throw invalid();
  const now = ctx.clock();
  const passkey = await spendAssertion(ctx.db, input.assertion, { kind: "passkey" }, now, input.challenge);
  // Not audited: it names no account, and a stranger could write as many entries as they like.
  if (!passkey) throw invalid();
  return ctx.db.$transaction(async (tx) => {
    if (!(await lockActive(tx, passkey.userId))) throw invalid();
    return openSignedIn(tx, ctx, passkey.userId);
  });
}

/**
 * The second step of signIn, or a sign-in by a passkey alone with the challenge of askForPasskey. A wrong code leaves the
 * challenge good. Throws challenge_expired, second_factor_invalid, rate_limited.
 */
export const confirmSignIn = operation({
  permission: "public",
  input: confirmSignInSchema,
  run: async (ctx, input): Promise<SignedIn> => {
    const { db } = ctx;
    const challenge = await readChallenge(db, input.challenge, ctx.clock());
    if (challenge?.kind === "passkey") return signInByPasskey(ctx, input);
    const userId = challenge?.userId;
    if (challenge?.kind !== "sign_in" || !userId) throw new DomainError("challenge_expired");
    const of = { kind: "sign_in" as const, userId };
    await proveFactor(ctx, of, input, input.challenge);
    return db.$transaction(async (tx) => {
      if (!(await lockActive(tx, userId))) throw new DomainError("challenge_expired");
      // A passkey's answer has spent the challenge already. A password change removes it: the first step is then void.
      const left = input.assertion
        ? (await tx.authChallenge.count({ where: { secretHash: hashSecret(input.challenge) } })) > 0
        : await spendChallenge(tx, input.challenge, of, ctx.clock());
      if (!left) throw new DomainError("challenge_expired");
      return openSignedIn(tx, ctx, userId);
    });
  },
});

/** The second step of an API client's sign-in. Answers what logIn answers. Throws the same errors as confirmSignIn. */
export const confirmLogIn = operation({
  permission: "public",
  input: confirmSignInSchema,
  errors: ["invalid_credentials", "challenge_expired", "second_factor_invalid"],
  run: async (ctx, input): Promise<LoggedIn> => loggedIn(ctx, await confirmSignIn(ctx, input)),
});

/** How the user can confirm who they are: by a second factor where one is set (with its challenge), else by password. */
export const askToStepUp = operation({
  permission: "account.security",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<FactorRequest> => {
    const { userId, sessionId } = ctx.actor;
    const methods = await factorMethods(ctx.db, userId);
    const of = { kind: "step_up" as const, userId, sessionId };
    return askForFactor(ctx.db, of, methods.length > 0 ? methods : ["password"], ctx.clock());
  },
});

/** Whether the user must confirm who they are before the next operation that asks for it. */
export const stepUpDue = operation({
  permission: "account.security",
  input: nothingSchema,
  run: async (ctx): Promise<{ due: boolean }> => ({ due: mustStepUp(ctx.actor, ctx.clock()) }),
});

/** Confirms who the user is for five minutes. Throws second_factor_invalid also for a password where a factor is set. */
export const stepUp = operation({
  permission: "account.security",
  input: stepUpSchema,
  errors: ["wrong_password", "second_factor_invalid"],
  run: async (ctx, input): Promise<{ until: Date }> => {
    const { userId, sessionId } = ctx.actor;
    if (input.password === undefined) {
      await proveFactor(ctx, { kind: "step_up", userId, sessionId }, input);
    } else if (ctx.actor.secondFactor) {
      throw new DomainError("second_factor_invalid");
    } else {
      await confirmPassword(ctx, input.password);
    }
    const until = new Date(ctx.clock().getTime() + STEP_UP_SECONDS * 1000);
    await ctx.db.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { steppedUpUntil: until },
    });
    return { until };
  },
});

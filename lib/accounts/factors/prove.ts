import { audit } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { assertWithinLimit, consume, type GuardLimit, resetAttempts } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { localeOr } from "@/lib/domain/roles";
import type { Assertion, ProofMethod } from "@/lib/domain/second-factor";
import { queueEmail } from "@/lib/email/queue";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import { type ChallengeOf, newChallenge } from "./challenges";
import { assertionOptions, spendAssertion } from "./passkeys";
import { spendRecoveryCode } from "./recovery-codes";
import { demoCode, spendTotpCode } from "./totp";

// As for passwords: in 15 minutes, five wrong tries from one address and fifty in total.
const PER_ACCOUNT_AND_ADDRESS: GuardLimit = { name: "factor-address", points: 5, seconds: 15 * 60 };
const PER_ACCOUNT: GuardLimit = { name: "factor-account", points: 50, seconds: 15 * 60 };
// A device that signed in to this account before: strangers who use up the others do not shut it out.
const PER_DEVICE: GuardLimit = { name: "factor-device", points: 5, seconds: 15 * 60 };
// A step-up: whoever has no session of the user cannot use these up. A session may get a new id, so there is a total.
const PER_SESSION: GuardLimit = { name: "factor-session", points: 5, seconds: 15 * 60 };
const PER_ACCOUNT_IN_SESSIONS: GuardLimit = { name: "factor-sessions", points: 50, seconds: 15 * 60 };

/** The budgets of a try: of the session, of a known device, or those that all strangers share. */
async function budgetsOf(
  { db, device, address }: PublicContext,
  { userId, sessionId }: ChallengeOf & { userId: string },
): Promise<(readonly [GuardLimit, key: string])[]> {
  if (sessionId) {
    return [
      [PER_SESSION, sessionId],
      [PER_ACCOUNT_IN_SESSIONS, userId],
    ];
  }
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  const known = deviceKnownTo(device, user.email);
  if (known) return [[PER_DEVICE, `${userId}|${known}`]];
  return [
    [PER_ACCOUNT_AND_ADDRESS, `${userId}|${address}`],
    [PER_ACCOUNT, userId],
  ];
}

/** The ways in which a user can prove a second factor; empty for a user who set none. */
export async function factorMethods(db: Db | Tx, userId: string): Promise<ProofMethod[]> {
  const rows = await db.secondFactor.findMany({
    where: { userId, confirmedAt: { not: null } },
    distinct: ["kind"],
    orderBy: { kind: "asc" },
    select: { kind: true },
  });
  if (rows.length === 0) return [];
  const codes = await db.recoveryCode.count({ where: { userId, usedAt: null } });
  return [...rows.map(({ kind }) => kind), ...(codes > 0 ? (["recovery"] as const) : [])];
}

/** A new challenge to prove a second factor, with what the browser needs for a passkey and, in the demo, the code. */
export async function askForFactor(
  db: Db | Tx,
  of: ChallengeOf & { userId: string },
  methods: ProofMethod[],
  now: Date,
) {
  const { secret, expiresAt } = await newChallenge(db, of, now);
  const options = methods.includes("passkey") ? await assertionOptions(db, secret, of.userId) : null;
  const code = methods.includes("totp") ? await demoCode(db, of.userId, now) : null;
  return {
    challenge: secret,
    methods,
    options: options && { ...options },
    expiresAt,
    demoCode: code,
  };
}

/** Writes down that a recovery code was used, and mails the user, who then knows if it was somebody else. */
async function reportRecovery(ctx: PublicContext, userId: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    await queueEmail(tx, {
      to: user.email,
      template: "second_factor_changed",
      locale: localeOr(user.locale, ctx.locale),
      params: { name: user.firstName, change: "recovered", factor: "", at: ctx.clock() },
    });
    await audit(tx, ctx, {
      merchantId: user.merchantId,
      action: "factor.recovered",
      entity: "user",
      entityId: userId,
    });
  });
}

/**
 * Proves a second factor of a user: a code of the authenticator app, a recovery code, or a passkey's answer to a
 * challenge (`of`, and `expected` where the caller names it), which is spent. Each is good once.
 * Throws second_factor_invalid, rate_limited.
 */
export async function proveFactor(
  ctx: PublicContext,
  of: ChallengeOf & { userId: string },
  shown: { code?: string | undefined; assertion?: Assertion | undefined },
  expected?: string,
): Promise<void> {
  const { db } = ctx;
  const { userId } = of;
  const budgets = await budgetsOf(ctx, of);
  for (const budget of budgets) await assertWithinLimit(db, ...budget);
  // Counting before verifying also limits parallel guesses.
  for (const budget of budgets) await consume(db, ...budget);
  const now = ctx.clock();
  const { code, assertion } = shown;
  const recovery = code !== undefined && code.length > 6;
  const good =
    code === undefined
      ? assertion !== undefined && (await spendAssertion(db, assertion, of, now, expected)) !== null
      : recovery
        ? await spendRecoveryCode(db, userId, code, now)
        : (await spendTotpCode(db, userId, code, now)) !== null;
  if (!good) throw new DomainError("second_factor_invalid", {}, problemsOf(code));
  // A known device's or a session's success leaves the strangers' counts, so that it gives them no new guesses.
  for (const budget of budgets) await resetAttempts(db, ...budget);
  if (recovery) await reportRecovery(ctx, userId);
}

const problemsOf = (code: string | undefined) =>
  code === undefined ? [] : [{ path: "code", message: "errors.second_factor_invalid" }];

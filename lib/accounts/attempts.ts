import { auditUser } from "@/lib/audit/audit";
import type { Context, PublicContext } from "@/lib/db/context";
import {
  assertWithinLimit,
  consume,
  firstOfHour,
  type GuardLimit,
  resetAttempts,
  returnAttempt,
} from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { askedMail, leaveMailToJob } from "@/lib/jobs/add-job";
import type { Task } from "@/lib/jobs/queue";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import type { AccountState } from "./credentials";
import { passwordMatches } from "./password";

const QUARTER = 15 * 60;
const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** A budget of wrong tries. A success empties it, or with `keeps` takes back only its own try. */
export type Budget = { limit: GuardLimit; key: string; keeps?: true };

/** The names are keys of the database: they do not change. */
const limitsOf = (what: "sign-in" | "factor") => ({
  address: { name: `${what}-address`, points: 5, seconds: QUARTER },
  account: { name: `${what}-account`, points: 50, seconds: QUARTER },
  known: { name: `${what}-known`, points: 5, seconds: QUARTER },
  knownInAll: { name: `${what}-known-day`, points: 50, seconds: DAY },
});
const LIMITS = { "sign-in": limitsOf("sign-in"), factor: limitsOf("factor") };

/** All known devices of an account share a budget, which no stranger can use up. `name` names the account for strangers. */
export function signInBudgets(
  what: "sign-in" | "factor",
  { device, address }: Pick<PublicContext, "device" | "address">,
  account: AccountState | null,
  name: string,
): Budget[] {
  const limits = LIMITS[what];
  const owner = account && { userId: account.id, credentials: account.credentials };
  if (owner && deviceKnownTo(device, owner)) {
    return [
      { limit: limits.known, key: owner.userId },
      { limit: limits.knownInAll, key: owner.userId, keeps: true },
    ];
  }
  return [
    { limit: limits.address, key: `${name}|${address}` },
    { limit: limits.account, key: name },
  ];
}

/** Counts a try before the secret is looked at. Answers whether it is the last of a budget. Throws rate_limited. */
export async function takeAttempt({ db }: Pick<Context, "db">, budgets: Budget[]): Promise<boolean> {
  for (const { limit, key } of budgets) await assertWithinLimit(db, limit, key);
  let last = false;
  for (const { limit, key } of budgets) last = (await consume(db, limit, key)) === 0 || last;
  return last;
}

/** After a success. The budgets of others keep their counts, so that it gives nobody else new guesses. */
export async function clearAttempts({ db }: Pick<Context, "db">, budgets: Budget[]): Promise<void> {
  for (const { limit, key, keeps } of budgets) {
    await (keeps ? returnAttempt(db, limit, key) : resetAttempts(db, limit, key));
  }
}

/** Which secret was wrong. */
type Refused = "password" | "factor";

/** Audits a refused password or second factor. `actor` is the user where a session of theirs asks. */
export async function auditRefusal(
  ctx: Pick<PublicContext, "db" | "actor" | "address" | "userAgent">,
  user: { id: string; merchantId: string | null },
  reason: string,
): Promise<void> {
  await auditUser(ctx.db, ctx, user, { action: "session.refused", after: { reason } });
}

/** Has the user of an e-mail, if there is one, told that the tries of a budget are used up. */
export const tellUsedUp = (ctx: PublicContext, email: string, what: Refused): Promise<void> =>
  leaveMailToJob(ctx, `mail_${what}_tries`, email);

/** Mails a user, at most once an hour, that somebody used up the tries of their password or second factor. */
const mailUsedUp =
  (what: Refused): Task =>
  async ({ db }, payload) => {
    const asked = askedMail(payload, HOUR / 60);
    if (!asked) return;
    await db.$transaction(async (tx) => {
      const user = await tx.user.findUnique({
        where: { email: asked.email, status: "active" },
        select: { id: true, firstName: true, locale: true, merchantId: true },
      });
      if (!user || !(await firstOfHour(tx, user.id))) return;
      await queueEmail(tx, {
        id: asked.mailId,
        to: asked.email,
        template: "tries_used_up",
        shop: user.merchantId,
        locale: localeOr(user.locale, asked.locale),
        params: {
          name: user.firstName,
          what,
          at: asked.askedAt,
          address: asked.address === "unknown" ? null : asked.address,
          url: `${env().APP_URL}/forgot-password`,
        },
      });
    });
  };
export const mailPasswordTries = mailUsedUp("password");
export const mailFactorTries = mailUsedUp("factor");

const PER_SESSION: GuardLimit = { name: "password-session", points: 5, seconds: QUARTER };
const PER_SESSION_IN_ALL: GuardLimit = { name: "password-session-day", points: 50, seconds: DAY };

/**
 * Asks the user of a session for their password. Wrong ones count for the session: a stolen session keeps none of the user's
 * others from a new password. Answers the matched hash. Throws wrong_password (at `path`), rate_limited.
 */
export async function confirmPassword(ctx: Context, password: string, path = "password"): Promise<string> {
  const { userId, sessionId, merchantId, email } = ctx.actor;
  const budgets: Budget[] = [
    { limit: PER_SESSION, key: sessionId },
    { limit: PER_SESSION_IN_ALL, key: sessionId, keeps: true },
  ];
  const last = await takeAttempt(ctx, budgets);
  const { passwordHash } = await ctx.db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { passwordHash: true },
  });
  if (!passwordHash || !(await passwordMatches(passwordHash, password))) {
    await auditRefusal(ctx, { id: userId, merchantId }, "password");
    if (last) await tellUsedUp(ctx, email, "password");
    throw new DomainError("wrong_password", {}, [{ path, message: "errors.wrong_password" }]);
  }
  await clearAttempts(ctx, budgets);
  return passwordHash;
}

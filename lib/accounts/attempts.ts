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
import { MAILED_USER, mailUser } from "@/lib/email/queue";
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

/** All known devices of an account share a budget, which no stranger can use up. `name` names the account for strangers. */
export function signInBudgets(
  what: "sign-in" | "factor",
  { device, address }: Pick<PublicContext, "device" | "address">,
  account: AccountState | null,
  name: string,
): Budget[] {
  // The names are keys of the database: they do not change.
  const limit = (of: string, points: number, seconds = QUARTER) => ({
    name: `${what}-${of}`,
    points,
    seconds,
  });
  const owner = account && { userId: account.id, credentials: account.credentials };
  if (owner && deviceKnownTo(device, owner)) {
    return [
      { limit: limit("known", 5), key: owner.userId },
      { limit: limit("known-day", 50, DAY), key: owner.userId, keeps: true },
    ];
  }
  return [
    { limit: limit("address", 5), key: `${name}|${address}` },
    { limit: limit("account", 50), key: name },
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

const mailUsedUp =
  (what: Refused): Task =>
  async ({ db }, payload) => {
    const asked = askedMail(payload, HOUR / 60);
    if (!asked) return;
    await db.$transaction(async (tx) => {
      const user = await tx.user.findUnique({
        where: { email: asked.email, status: "active" },
        select: { id: true, ...MAILED_USER },
      });
      if (!user || !(await firstOfHour(tx, user.id))) return;
      const address = asked.address === "unknown" ? null : asked.address;
      const params = { what, at: asked.askedAt, address, url: `${env().APP_URL}/forgot-password` };
      await mailUser(tx, asked, user, "tries_used_up", params, asked.mailId);
    });
  };
export const mailPasswordTries = mailUsedUp("password");
export const mailFactorTries = mailUsedUp("factor");

/** The budgets of a session: 5 in a quarter of an hour, and 50 a day for `dayKey`. Whoever has no session cannot use them up. */
export const sessionBudgets = (what: Refused, sessionId: string, dayKey: string): Budget[] => [
  { limit: { name: `${what}-session`, points: 5, seconds: QUARTER }, key: sessionId },
  { limit: { name: `${what}-session-day`, points: 50, seconds: DAY }, key: dayKey, keeps: true },
];

/**
 * Asks the user of a session for their password. Wrong ones count for the session: a stolen session keeps none of the user's
 * others from a new password. Answers the matched hash. Throws wrong_password (at `path`), rate_limited.
 */
export async function confirmPassword(ctx: Context, password: string, path = "password"): Promise<string> {
  const { userId, sessionId, merchantId, email } = ctx.actor;
  const budgets = sessionBudgets("password", sessionId, sessionId);
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

import type { Db, Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { DomainError, type ProofMethod } from "@/lib/domain/errors";
import {
  auditRefusal,
  clearAttempts,
  sessionBudgets,
  signInBudgets,
  takeAttempt,
  tellUsedUp,
} from "../attempts";
import { readAccount } from "../credentials";
import type { Assertion } from "../model/second-factor";
import { type ChallengeOf, newChallenge } from "./challenges";
import { demoCode, spendRecoveryCode, spendTotpCode, WRONG_CODE } from "./codes";
import { reportFactorChange } from "./manage";
import { assertionOptions, spendAssertion } from "./passkeys";

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

/** A new challenge, with the options for a passkey (any of this site without a user) and the demo's code. */
export async function askForFactor(db: Db | Tx, of: ChallengeOf, methods: ProofMethod[], now: Date) {
  const { userId = null } = of;
  const { secret: challenge, expiresAt } = await newChallenge(db, of, now);
  const options = methods.includes("passkey") ? await assertionOptions(db, challenge, userId) : null;
  const code = userId && methods.includes("totp") ? await demoCode(db, userId, now) : null;
  return { challenge, methods, options: options && { ...options }, expiresAt, demoCode: code };
}

/** Spends a code, a recovery code or a passkey's answer. Throws second_factor_invalid, rate_limited. */
export async function proveFactor(
  ctx: PublicContext,
  of: ChallengeOf & { userId: string },
  shown: { code?: string | undefined; assertion?: Assertion | undefined },
  expected?: string,
): Promise<void> {
  const { db } = ctx;
  const { userId } = of;
  const account = await readAccount(db, { userId });
  if (!account) throw new DomainError("second_factor_invalid");
  // A thief of a session guesses no more in all the user's sessions than on a known device.
  const budgets = of.sessionId
    ? sessionBudgets("factor", of.sessionId, userId)
    : signInBudgets("factor", ctx, account, userId);
  const last = await takeAttempt(ctx, budgets);
  const now = ctx.clock();
  const { code, assertion } = shown;
  const recovery = code !== undefined && code.length > 6;
  const good =
    code === undefined
      ? assertion !== undefined && (await spendAssertion(db, assertion, of, now, expected)) !== null
      : recovery
        ? await spendRecoveryCode(db, userId, code, now)
        : (await spendTotpCode(db, userId, code, now)) !== null;
  if (!good) {
    await auditRefusal(of.sessionId ? ctx : { ...ctx, actor: null }, account, "factor");
    if (last) await tellUsedUp(ctx, account.email, "factor");
    throw new DomainError("second_factor_invalid", {}, code === undefined ? [] : [WRONG_CODE]);
  }
  await clearAttempts(ctx, budgets);
  if (!recovery) return;
  // The user then knows if it was somebody else.
  await db.$transaction(async (tx) => {
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    await reportFactorChange(tx, ctx, user, "recovered");
  });
}

import type { Context } from "@/lib/db/context";
import { authorize, mustStepUp } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { type FactorRequest, STEP_UP_SECONDS, type StepUp, stepUpSchema } from "@/lib/domain/second-factor";
import { confirmPassword } from "./attempts";
import { askForFactor, factorMethods, proveFactor } from "./factors/prove";

/** How the user can confirm who they are: by a second factor where one is set (with its challenge), else by password. */
export async function askToStepUp(ctx: Context, _input: Record<never, never>): Promise<FactorRequest> {
  authorize(ctx.actor, "account.security");
  const { userId, sessionId } = ctx.actor;
  const methods = await factorMethods(ctx.db, userId);
  const of = { kind: "step_up" as const, userId, sessionId };
  return askForFactor(ctx.db, of, methods.length > 0 ? methods : ["password"], ctx.clock());
}
askToStepUp.permission = "account.security" as const;
askToStepUp.input = nothingSchema;

/** Whether the user must confirm who they are before the next operation that asks for it. */
export async function stepUpDue(ctx: Context, _input: Record<never, never>): Promise<{ due: boolean }> {
  authorize(ctx.actor, "account.security");
  return { due: mustStepUp(ctx.actor, ctx.clock()) };
}
stepUpDue.permission = "account.security" as const;
stepUpDue.input = nothingSchema;

/**
 * Confirms who the user is for five minutes of this session: by the second factor where one is set, else by the password.
 * Answers until when. Throws wrong_password, second_factor_invalid (also for a password where a factor is set),
 * rate_limited.
 */
export async function stepUp(ctx: Context, input: StepUp): Promise<{ until: Date }> {
  authorize(ctx.actor, "account.security");
  const { userId, sessionId } = ctx.actor;
  if (input.password === undefined) {
    await proveFactor(ctx, { kind: "step_up", userId, sessionId }, input);
  } else if (ctx.actor.secondFactor) {
    throw new DomainError("second_factor_invalid");
  } else {
    await confirmPassword(ctx, "step-up", input.password);
  }
  const until = new Date(ctx.clock().getTime() + STEP_UP_SECONDS * 1000);
  await ctx.db.session.updateMany({
    where: { id: sessionId, revokedAt: null },
    data: { steppedUpUntil: until },
  });
  return { until };
}
stepUp.permission = "account.security" as const;
stepUp.input = stepUpSchema;
stepUp.errors = ["wrong_password", "second_factor_invalid"] as const;

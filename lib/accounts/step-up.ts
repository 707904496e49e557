import { mustStepUp } from "@/lib/domain/actor";
import { DomainError, type FactorRequest } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import { confirmPassword } from "./attempts";
import { askForFactor, factorMethods, proveFactor } from "./factors/prove";
import { STEP_UP_SECONDS, stepUpSchema } from "./model/second-factor";

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

/**
 * Confirms who the user is for five minutes of this session: by the second factor where one is set, else by the password.
 * Answers until when. Throws wrong_password, second_factor_invalid (also for a password where a factor is set),
 * rate_limited.
 */
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
      await confirmPassword(ctx, "step-up", input.password);
    }
    const until = new Date(ctx.clock().getTime() + STEP_UP_SECONDS * 1000);
    await ctx.db.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { steppedUpUntil: until },
    });
    return { until };
  },
});

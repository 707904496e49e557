import type { Context, PublicContext, StepUpRule } from "@/lib/db/context";
import { mustStepUp } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { replyError } from "./reply";

/**
 * The one check that a user confirmed who they are, for routes, server actions and downloads alike. It passes for an
 * operation without a rule, and for an input that the rule lets through. Throws step_up_required.
 */
export async function requireStepUp<Input>(
  ctx: PublicContext,
  run: { stepUp?: StepUpRule<Input> } | object,
  input: Input,
): Promise<void> {
  const rule = "stepUp" in run ? run.stepUp : undefined;
  const { actor } = ctx;
  if (!rule || !actor || !mustStepUp(actor, ctx.clock())) return;
  if (rule === true || (await rule({ ...ctx, actor } satisfies Context, input))) {
    throw new DomainError("step_up_required");
  }
}

/** A download of a panel for the operation and input it exports: 403 step_up_required until the user confirmed. */
export async function confirmedDownload<Input>(
  ctx: PublicContext,
  run: { stepUp?: StepUpRule<Input> } | object,
  input: Input,
  file: () => Promise<Response>,
): Promise<Response> {
  try {
    await requireStepUp(ctx, run, input);
  } catch (error) {
    return replyError(error, ctx.locale, ctx.requestId);
  }
  return file();
}

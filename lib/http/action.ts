import { sessionMemory } from "@/lib/accounts/session";
import {
  type OpenOperation,
  type PublicContext,
  type PublicOperation,
  runProved,
  systemClock,
} from "@/lib/db/context";
import { assertMayWrite, authorize, mustStepUp, type UserActor } from "@/lib/domain/actor";
import { type ActionResult, DomainError } from "@/lib/domain/errors";
import { isStaffPermission, type Permission } from "@/lib/domain/policy";
import type { Locale } from "@/lib/domain/roles";
import { errorText } from "@/lib/i18n/translate";
import { deliverInBackground } from "@/lib/jobs/deliver-in-background";
import { metrics } from "@/lib/observe/metrics";
import { countRequest } from "./limits";
import { readableProblems, validationError } from "./problems";
import { requireStepUp } from "./step-up";
import { webContext } from "./web-context";

/** The failure result of an action for an error, in the reader's language. */
export function failureResult(
  error: DomainError,
  locale: Locale,
): Extract<ActionResult<never>, { ok: false }> {
  const problems = readableProblems(locale, error.problems);
  const fieldErrors = Object.fromEntries(problems.map(({ path, message }) => [path, message]));
  return { ok: false, code: error.code, message: errorText(locale, error), fieldErrors };
}

/** Whether an operation lets this actor in, as far as that does not depend on its input. */
function isAllowed(
  actor: UserActor | null,
  run: { permission: Permission | "public"; stepUp?: unknown },
): boolean {
  if (!isStaffPermission(run.permission)) return true;
  try {
    if (actor) authorize(actor, run.permission);
    return actor !== null && !(run.stepUp && mustStepUp(actor, systemClock()));
  } catch {
    return false;
  }
}

/**
 * Makes a server action of an operation: actor → limit → permission → parse → run. The actor of a card-holder operation
 * depends on the parsed input, so its permission is checked after parsing. The action answers data or a failure. It
 * catches domain and validation errors only; Next's redirects and unexpected errors are thrown.
 */
export function action<Input, Sent, Output, Answer = Output>(
  run: OpenOperation<Input, Output, Sent>,
  /** Maps the result to the browser's answer. It may also set cookies. */
  toAnswer?: (output: Output, ctx: PublicContext) => Answer | Promise<Answer>,
): (input: Sent) => Promise<ActionResult<Answer>> {
  const reads = "readOnly" in run && run.readOnly === true;
  return async (input) => {
    let found = await webContext({ remembered: reads });
    // A remembered session never causes a refusal, because the user may have gained rights a moment ago.
    if (reads && !isAllowed(found.ctx.actor, run)) found = await webContext();
    const { ctx, session, secrets } = found;
    const { locale, actor } = ctx;
    try {
      await countRequest(actor ? "session" : "action", actor?.sessionId ?? ctx.device?.id ?? ctx.address);
      if (isStaffPermission(run.permission)) {
        if (!actor) throw new DomainError(session === "ended" ? "session_ended" : "unauthenticated");
        authorize(actor, run.permission);
        if (!reads) assertMayWrite(actor, run.permission);
      }
      const parsed = run.input.safeParse(input);
      if (!parsed.success) throw validationError(parsed.error, run.input);
      await requireStepUp(ctx, run, parsed.data);
      const output =
        "actorFrom" in run
          ? await runProved(run, ctx, parsed.data, secrets)
          : await (run as PublicOperation<Input, Output>)(ctx, parsed.data);
      deliverInBackground();
      // Users see changes of their own account immediately in this process; the database notifies the others.
      if (!reads && actor) sessionMemory().forget(`user:${actor.userId}`);
      return { ok: true, data: toAnswer ? await toAnswer(output, ctx) : (output as unknown as Answer) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      metrics().refusals.inc({ code: error.code });
      return failureResult(error, locale);
    }
  };
}

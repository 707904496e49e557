import { sessionMemory } from "@/lib/accounts/session";
import type { PublicContext } from "@/lib/db/context";
import { STATUS } from "@/lib/domain/error-status";
import { type ActionResult, DomainError } from "@/lib/domain/errors";
import { isStaffPermission } from "@/lib/domain/policy";
import type { Locale } from "@/lib/domain/roles";
import { errorText } from "@/lib/i18n/translate";
import { deliverInBackground } from "@/lib/jobs/deliver-in-background";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import { currentRequest } from "@/lib/observe/request";
import type { Operation } from "@/lib/operations/operation";
import { isAllowed } from "./actor";
import { countRequest, countVisitor } from "./limits";
import { knownError, RETRY_SECONDS, readableProblems } from "./reply";
import { webContext, webLocale } from "./web-context";

/** The failure result of an action for an error, in the reader's language. */
export function failureResult(
  error: DomainError,
  locale: Locale,
): Extract<ActionResult<never>, { ok: false }> {
  const problems = readableProblems(locale, error.problems);
  const fieldErrors = Object.fromEntries(problems.map(({ path, message }) => [path, message]));
  return { ok: false, code: error.code, message: errorText(locale, error), fieldErrors };
}

/** The refusal for an error, or null for an unexpected one. A temporary error makes the response a 503. */
function refusalOf(error: unknown): DomainError | null {
  const known = knownError(error);
  if (STATUS[known.code] !== 503) return error instanceof DomainError ? error : null;
  log("error", "action failed", { cause: known.cause ?? known });
  const request = currentRequest();
  if (request) request.retryAfter = Number(known.params.seconds ?? RETRY_SECONDS);
  return known;
}

/** A server action of an operation. Answers domain errors and an absent database (503), throws others. */
export function action<Input, Sent, Output, Answer = Output>(
  run: Operation<Input, Output, Sent>,
  /** Maps the result to the browser's answer. It may also set cookies. */
  toAnswer?: (output: Output, ctx: PublicContext) => Answer | Promise<Answer>,
): (input: Sent) => Promise<ActionResult<Answer>> {
  const reads = run.readOnly;
  return async (input) => {
    try {
      let found = await webContext({ remembered: reads, writes: !reads });
      // A remembered session never causes a refusal, because the user may have gained rights a moment ago.
      if (reads && !isAllowed(found.ctx.actor, run)) found = await webContext();
      const { ctx, session, secrets } = found;
      const { actor } = ctx;
      await (actor ? countRequest("session", actor.sessionId) : countVisitor("action", ctx));
      const ended =
        session === "ended" && isStaffPermission(run.permission) ? new DomainError("session_ended") : null;
      const output = await run.perform(ctx, async () => input, { secrets, ended });
      deliverInBackground();
      // Users see changes of their own account immediately in this process; the database notifies the others.
      if (!reads && actor) sessionMemory().forget(`user:${actor.userId}`);
      return { ok: true, data: toAnswer ? await toAnswer(output, ctx) : (output as unknown as Answer) };
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      metrics().refusals.inc({ code: refusal.code });
      return failureResult(refusal, await webLocale());
    }
  };
}

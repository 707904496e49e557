import { type OpenOperation, type PublicContext, type PublicOperation, runProved } from "@/lib/db/context";
import { assertMayWrite, authorize } from "@/lib/domain/actor";
import { type ActionResult, DomainError } from "@/lib/domain/errors";
import { isStaffPermission } from "@/lib/domain/policy";
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
  return async (input) => {
    const { ctx, session, secrets } = await webContext();
    const { locale, actor } = ctx;
    try {
      await countRequest(actor ? "session" : "action", actor?.sessionId ?? ctx.device?.id ?? ctx.address);
      if (isStaffPermission(run.permission)) {
        if (!actor) throw new DomainError(session === "ended" ? "session_ended" : "unauthenticated");
        authorize(actor, run.permission);
        if (!("readOnly" in run && run.readOnly)) assertMayWrite(actor, run.permission);
      }
      const parsed = run.input.safeParse(input);
      if (!parsed.success) throw validationError(parsed.error, run.input);
      await requireStepUp(ctx, run, parsed.data);
      const output =
        "actorFrom" in run
          ? await runProved(run, ctx, parsed.data, secrets)
          : await (run as PublicOperation<Input, Output>)(ctx, parsed.data);
      deliverInBackground();
      return { ok: true, data: toAnswer ? await toAnswer(output, ctx) : (output as unknown as Answer) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      metrics().refusals.inc({ code: error.code });
      return failureResult(error, locale);
    }
  };
}

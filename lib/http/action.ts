import { type OpenOperation, type PublicOperation, runProved } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { type ActionResult, DomainError } from "@/lib/domain/errors";
import { isStaffPermission } from "@/lib/domain/policy";
import type { Locale } from "@/lib/domain/roles";
import { errorText } from "@/lib/i18n/translate";
import { deliverInBackground } from "@/lib/jobs/deliver-in-background";
import { countRequest } from "./limits";
import { readableProblems, validationError } from "./problems";
import { webContext } from "./web-context";

/** A refusal as an action answers it, in the reader's language. */
export function refusal(error: DomainError, locale: Locale): Extract<ActionResult<never>, { ok: false }> {
  const problems = readableProblems(locale, error.problems);
  const fieldErrors = Object.fromEntries(problems.map(({ path, message }) => [path, message]));
  return { ok: false, code: error.code, message: errorText(locale, error), fieldErrors };
}

/**
 * A server action over an operation: actor → limit → permission → parse → run; a card holder is found by the parsed
 * input, so the permission comes after it. Answers data or a refusal; only domain and validation errors become refusals,
 * so Next's redirects and real faults pass.
 */
export function action<Input, Sent, Output, Answer = Output>(
  run: OpenOperation<Input, Output, Sent>,
  /** What the browser gets of the result, and what is done with it on the way (cookies). */
  then?: (output: Output) => Answer | Promise<Answer>,
): (input: Sent) => Promise<ActionResult<Answer>> {
  return async (input) => {
    const { ctx, session, secrets } = await webContext();
    const { locale, actor } = ctx;
    try {
      await countRequest(actor ? "session" : "action", actor?.sessionId ?? ctx.address);
      if (isStaffPermission(run.permission)) {
        if (!actor) throw new DomainError(session === "ended" ? "session_ended" : "unauthenticated");
        authorize(actor, run.permission);
      }
      const parsed = run.input.safeParse(input);
      if (!parsed.success) throw validationError(parsed.error);
      const output =
        "actorFrom" in run
          ? await runProved(run, ctx, parsed.data, secrets)
          : await (run as PublicOperation<Input, Output>)(ctx, parsed.data);
      deliverInBackground();
      return { ok: true, data: then ? await then(output) : (output as unknown as Answer) };
    } catch (error) {
      if (error instanceof DomainError) return refusal(error, locale);
      throw error;
    }
  };
}

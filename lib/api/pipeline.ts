import {
  type Context,
  type OpenOperation,
  type PublicContext,
  type PublicOperation,
  runProved,
  type Secrets,
  type StepUpRule,
  systemClock,
} from "@/lib/db/context";
import { assertMayWrite, authorize, mustStepUp, type UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isStaffPermission } from "@/lib/domain/policy";
import { replyError } from "./reply";

/** Whether calls of this operation change nothing. */
export const isReadOnly = (run: object): boolean => "readOnly" in run && run.readOnly === true;

/**
 * Whether an operation lets this actor in, as far as that does not depend on its input. A remembered session never causes
 * a refusal, because the user may have gained rights a moment ago: where this answers false, adapters read it again.
 */
export function isAllowed(
  actor: UserActor | null,
  run: { permission: OpenOperation<never, unknown>["permission"]; stepUp?: unknown },
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
 * Throws step_up_required where the user must confirm who they are. It passes for an operation without a rule, and for an
 * input that the rule lets through.
 */
async function requireStepUp<Input>(
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

/** The facts that an adapter knows about a call before the operation's own checks. */
type Arrival = {
  /** With the session's user, or the user whose session ended. */
  ctx: PublicContext;
  secrets: Secrets;
  /** Whether the call changes something. */
  writes: boolean;
  /** Why the session does not count any more; null while it does. */
  ended?: unknown;
  /** Whether the request names a key: a repeat of it is answered the stored first result. */
  keyed?: boolean;
};

/**
 * The one way to an operation, for routes and server actions, once the session is read, the request counted and the till
 * proved: permission and write check → parse → step-up → actor from the input → run. A refusal before `run` is answered by
 * the stored first result, if there is one for this actor and key. `parse` is called at most once.
 */
export async function perform<Input, Output, Sent>(
  run: OpenOperation<Input, Output, Sent>,
  { ctx, secrets, writes, ended = null, keyed = false }: Arrival,
  parse: () => Promise<Input>,
): Promise<Output> {
  let parsing: Promise<Input> | undefined;
  const input = () => {
    parsing ??= parse();
    return parsing;
  };
  try {
    if (ended !== null) throw ended;
    if (isStaffPermission(run.permission)) {
      if (!ctx.actor) throw new DomainError("unauthenticated");
      authorize(ctx.actor, run.permission);
      if (writes) assertMayWrite(ctx.actor, run.permission);
    }
    await requireStepUp(ctx, run, await input());
  } catch (refused) {
    const stored = keyed && "stored" in run ? run.stored : undefined;
    if (!stored || !ctx.actor || !(refused instanceof DomainError)) throw refused;
    const first = await firstResult(stored, { ...ctx, actor: ctx.actor }, input);
    if (first === null) throw refused;
    return first;
  }
  // A staff permission was asked above: its operation has its actor here.
  return "actorFrom" in run
    ? runProved(run, ctx, await input(), secrets)
    : (run as PublicOperation<Input, Output>)(ctx, await input());
}

async function firstResult<Input, Output>(
  stored: (ctx: Context, input: Input) => Promise<Output | null>,
  ctx: Context,
  input: () => Promise<Input>,
): Promise<Output | null> {
  try {
    return await stored(ctx, await input());
  } catch (error) {
    if (error instanceof DomainError && error.code !== "unavailable") return null;
    throw error;
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

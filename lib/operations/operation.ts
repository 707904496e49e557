import { z } from "zod";
import type { Context, PublicContext } from "@/lib/db/context";
import { readLagging } from "@/lib/db/replica";
import {
  type Actor,
  assertKeyScope,
  assertNotSuspended,
  authorize,
  type CardHolderActor,
  type CardReach,
  type HolderReach,
  mustStepUp,
  type Reach,
  type StaffActor,
  type SystemActor,
  type TillActor,
  type UserActor,
} from "@/lib/domain/actor";
import { betweenMessage, DomainError, type ErrorCode, fieldMessage } from "@/lib/domain/errors";
import type { KeyScope } from "@/lib/domain/key-scopes";
import {
  type GrantedTo,
  type HolderPermission,
  isStaffPermission,
  type Permission,
  type StaffPermission,
} from "@/lib/domain/policy";
import { isTillAccepted } from "@/lib/tills/model/till";

/** The credentials of a request besides its session. Adapters read them from the request. */
export type Secrets = {
  /** The secret of the card-holder cookie of this card. */
  holder: (customerId: string) => string | undefined;
  authorization: string | null;
};
const NO_SECRETS: Secrets = { holder: () => undefined, authorization: null };

/** Finds the actor by the input and the request's secrets; null for a stranger. */
export type ActorFrom<Input> = (ctx: PublicContext, input: Input, secrets: Secrets) => Promise<Actor | null>;

/** The ActorFrom of operations for a till alone. */
export const provedTill: ActorFrom<unknown> = async ({ till }) =>
  till ? { type: "till", tillId: till.id, merchantId: till.merchantId } : null;

/** The ActorFrom of operations for strangers. */
export const stranger = async (): Promise<null> => null;

/** Whether the user confirms who they are before an operation: always, or for some inputs. */
type StepUpRule<Input> = true | ((ctx: Context, input: Input) => boolean | Promise<boolean>);

/** The actors that the policy lets in with a permission, and the rows that it opens to them. */
type ActorOf<P extends Permission | "public", K> = P extends "public"
  ? (K extends string ? StaffActor : UserActor) | null
  : P extends StaffPermission
    ? K extends string
      ? StaffActor
      : UserActor
    : P extends HolderPermission
      ? CardHolderActor
      : P extends GrantedTo<"cardHolder">
        ? CardHolderActor | null
        : P extends GrantedTo<"till">
          ? TillActor
          : SystemActor;
type ReachOf<P extends Permission | "public"> = P extends "public"
  ? undefined
  : P extends HolderPermission
    ? HolderReach
    : P extends GrantedTo<"cardHolder">
      ? CardReach
      : Reach;

type Checked<P extends Permission | "public", K> = Context<ActorOf<P, K>> & { reach: ReachOf<P> };

type Definition<P extends Permission | "public", Input, Output, Sent, K> = {
  permission: P;
  /** The scope with which an API key may call it; "any": every key may. Without it no key does. */
  keyScope?: K;
  input: z.ZodType<Input, Sent>;
  /** The error codes besides those of every call. */
  errors?: readonly ErrorCode[];
  /** It changes only what its reader has seen: suspended staff may run it. The call of a GET must be readOnly. */
  readOnly?: true;
  /** Its answer may be a second old (lib/db/replica.ts). Only with readOnly; its writes go to `primaryOf`. */
  mayLag?: true;
  /** The request must carry a till proof: "in_use", or "kept" also of a till retired or paired again. */
  needsTill?: "in_use" | "kept";
  /** Finds the actor of an operation that no session's user has. Required with such a permission. */
  actorFrom?: ActorFrom<Input>;
  /** Users confirm who they are at most once in five minutes; step_up_required asks for it. */
  stepUp?: StepUpRule<Input>;
  /** Answers the first result of a request with the input's key, or null. It checks no permission and no status. */
  stored?: (ctx: Context<StaffActor>, input: Input) => Promise<Output | null>;
  run: (ctx: Checked<P, K>, input: Input) => Promise<Output>;
};

type Arrival = {
  secrets?: Secrets;
  /** Why the session does not count any more; `ctx.actor` is then the user whose session ended. */
  ended?: unknown;
  /** Whether the request names a key, so that a repeat of it gets the stored first result. */
  keyed?: boolean;
};

declare const checked: unique symbol;
type Caller = Context<Actor | null>;

/** A verb of the product. It checks its own rules whoever calls it; only `operation()` makes one. */
export type Operation<Input, Output, Sent = unknown> = ((ctx: Caller, input: Sent) => Promise<Output>) & {
  readonly [checked]: true;
  readonly permission: Permission | "public";
  /** The scope that an API key needs; null where no key may call it. */
  readonly keyScope: KeyScope | "any" | null;
  readonly input: z.ZodType<Input, Sent>;
  readonly errors: readonly ErrorCode[];
  readonly readOnly: boolean;
  readonly needsTill: "in_use" | "kept" | null;
  readonly stepUp: boolean;
  /** Whether a repeated request gets its stored first result. */
  readonly repeatable: boolean;
  /** As a call, for adapters: `read` reads the input once the permission is checked. */
  perform(ctx: Caller, read: () => Promise<unknown>, arrival?: Arrival): Promise<Output>;
};

/** The user or API key of a staff permission. Throws unauthenticated. */
function staffOf(ctx: Caller): Context<StaffActor> {
  const { actor } = ctx;
  if (actor?.type !== "user" && actor?.type !== "apiKey") throw new DomainError("unauthenticated");
  return { ...ctx, actor };
}

/** Throws step_up_required where the user must confirm who they are, and the rule holds for the input. */
async function assertSteppedUp<Input>(ctx: Caller, rule: StepUpRule<Input>, input: Input): Promise<void> {
  const { actor } = ctx;
  if (actor?.type !== "user" || !mustStepUp(actor, ctx.clock())) return;
  if (rule === true || (await rule({ ...ctx, actor }, input))) throw new DomainError("step_up_required");
}

/** Throws validation where an API key names no idempotency key: nobody is there to see a doubled posting. */
function assertIdempotent(input: unknown): void {
  if ((input as { idempotencyKey?: string }).idempotencyKey !== undefined) return;
  const message = "errors.idempotencyKeyRequired";
  throw new DomainError("validation", {}, [{ path: "idempotencyKey", message }]);
}

/** The stored first result of a refused request, or null. Throws when the database is away. */
async function firstResult<Output>(read: () => Promise<Output | null>): Promise<Output | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DomainError && error.code !== "unavailable") return null;
    throw error;
  }
}

/**
 * Defines an operation. Each call takes these steps, whoever calls: till proof → permission and write check → parse → actor
 * from the input → step-up → run. A refusal after the till proof is answered by the stored first result, if there is one for
 * this actor and key.
 */
export function operation<
  P extends Permission | "public",
  Input,
  Output,
  Sent,
  const K extends KeyScope | "any" | undefined = undefined,
>(definition: Definition<P, Input, Output, Sent, K>): Operation<Input, Output, Sent> {
  const { permission, input: schema, needsTill = null, actorFrom, stepUp, stored, run } = definition;
  const { readOnly = false, mayLag = false, errors = [], keyScope = null } = definition;
  const staff = isStaffPermission(permission);
  if (mayLag && !readOnly) throw new Error(`${permission} may lag, and is not readOnly`);
  if (!staff && permission !== "public" && !actorFrom) throw new Error(`${permission} needs actorFrom`);

  const found = async (ctx: Caller, input: Input, secrets: Secrets) => {
    const { actor } = ctx;
    // Only the program itself makes other actors than users, after it has proved them.
    const proved =
      actor === null || actor.type === "user" ? await actorFrom?.({ ...ctx, actor }, input, secrets) : actor;
    return { actor: proved ?? null, reach: authorize(proved ?? null, permission as Permission) };
  };

  const perform = async (
    ctx: Caller,
    read: () => Promise<unknown>,
    { secrets = NO_SECRETS, ended = null, keyed = true }: Arrival = {},
  ): Promise<Output> => {
    let parsing: Promise<Input> | undefined;
    const input = () => {
      parsing ??= read().then((sent) => {
        const parsed = schema.safeParse(sent);
        if (!parsed.success) throw validationError(parsed.error, schema);
        return parsed.data;
      });
      return parsing;
    };
    if (needsTill) {
      assertKeyScope(ctx.actor, keyScope);
      if (!ctx.till || !isTillAccepted(ctx.till, needsTill === "kept", ctx.clock()))
        throw new DomainError("invalid_dpop_proof");
    }
    let allowed: { actor: Actor | null; reach?: Reach | CardReach } = { actor: ctx.actor };
    try {
      if (ended !== null) throw ended;
      assertKeyScope(ctx.actor, keyScope);
      if (staff) {
        const reach = authorize(ctx.actor, permission);
        const { actor } = staffOf(ctx);
        assertNotSuspended(actor, permission, readOnly);
        allowed = { actor, reach };
      } else if (permission !== "public") allowed = await found(ctx, await input(), secrets);
      const given = await input();
      if (ctx.actor?.type === "apiKey" && stored) assertIdempotent(given);
      if (stepUp) await assertSteppedUp(ctx, stepUp, given);
    } catch (refused) {
      if (!stored || !keyed || !ctx.actor || !(refused instanceof DomainError)) throw refused;
      const first = await firstResult(async () => stored(staffOf(ctx), await input()));
      if (first === null) throw refused;
      return first;
    }
    // The checks above found the actor and the reach that the policy gives this permission.
    const [call, given] = [{ ...ctx, ...allowed } as unknown as Checked<P, K>, await input()];
    return mayLag ? readLagging(call, (on) => run(on, given)) : run(call, given);
  };

  const call = (ctx: Caller, input: Sent): Promise<Output> => perform(ctx, async () => input);
  return Object.assign(call, {
    permission,
    keyScope,
    input: schema,
    errors,
    readOnly,
    needsTill,
    stepUp: stepUp !== undefined,
    repeatable: stored !== undefined,
    perform,
  }) as unknown as Operation<Input, Output, Sent>;
}

type Issue = z.core.$ZodIssue;

function keyOf(issue: Issue): string {
  if (issue.message.startsWith("validation.") || issue.message.startsWith("errors.")) return issue.message;
  // zod reports a missing value only in the text of its message.
  if (issue.code === "invalid_type") {
    if (issue.message.endsWith("received undefined")) return "validation.required";
    return issue.expected === "int" || issue.expected === "number"
      ? "validation.number.type"
      : "validation.type";
  }
  if (issue.code === "too_big") return "validation.tooLong";
  if (issue.code === "too_small") return "validation.required";
  return "validation.invalid";
}

function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? unwrapped(schema.in as z.ZodType) : schema;
}

/** The bounds of the number at a path of the schema: what its issue says is only the one that was crossed. */
function boundsAt(schema: z.ZodType, path: PropertyKey[]) {
  const found = path.reduce<z.ZodType | undefined>((at, part) => {
    const inner = unwrapped(at);
    return inner instanceof z.ZodObject ? (inner.shape[String(part)] as z.ZodType | undefined) : undefined;
  }, schema);
  const number = unwrapped(found);
  if (!(number instanceof z.ZodNumber)) return {};
  const bounded = (bound: number | null) =>
    bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
  return { min: bounded(number.minValue), max: bounded(number.maxValue) };
}

function numberMessage(issue: Issue, schema: z.ZodType): string | null {
  if (issue.code !== "too_big" && issue.code !== "too_small") return null;
  if (issue.origin !== "number" && issue.origin !== "int") return null;
  if (issue.message.startsWith("validation.")) return null;
  const { min, max } = boundsAt(schema, issue.path);
  if (min !== undefined && max !== undefined) return betweenMessage(min, max);
  return issue.code === "too_small"
    ? fieldMessage("validation.number.least", { min: Number(issue.minimum) + (issue.inclusive ? 0 : 1) })
    : fieldMessage("validation.number.most", { max: Number(issue.maximum) - (issue.inclusive ? 0 : 1) });
}

/** Converts a zod error of this schema to a DomainError with a field and a message per issue. */
export function validationError(error: z.ZodError, schema: z.ZodType): DomainError {
  const problems = error.issues.map((issue) => ({
    path: issue.path.join("."),
    message: numberMessage(issue, schema) ?? keyOf(issue),
  }));
  return new DomainError("validation", {}, problems);
}

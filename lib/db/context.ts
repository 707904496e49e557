import type { z } from "zod";
import { type Actor, authorize, type CardHolderActor, type UserActor } from "@/lib/domain/actor";
import type { ErrorCode } from "@/lib/domain/errors";
import type { Permission, StaffPermission } from "@/lib/domain/policy";
import type { Locale } from "@/lib/domain/roles";
import type { KnownDevice } from "@/lib/secrets/known-device";
import type { Db } from "./client";

/** Answers the current time. Tests replace it. With the system clock, writes use the database's time instead. */
export type Clock = () => Date;
export const systemClock: Clock = () => new Date();

/** A till that proved itself by its key. */
export type ProvedTill = {
  id: string;
  merchantId: string;
  branchId: string;
  name: string;
  retiredAt: Date | null;
  /** The public JWK that proved it, with its thumbprint, and since when another key has taken its place. */
  publicKey: Record<string, unknown>;
  thumbprint: string;
  replacedAt: Date | null;
};

/** The context of an operation: the actor, the database, the time, the reader's language, the caller's address. */
export type Context<A extends Actor | null = UserActor> = {
  actor: A;
  db: Db;
  clock: Clock;
  locale: Locale;
  address: string;
  /** The User-Agent header of the request. */
  userAgent?: string | null;
  requestId: string;
  /** The till that proved itself in this request. */
  till?: ProvedTill | null;
  /** The caller's browser, if it proved that it signed in or held a card before; it has its own budgets. */
  device?: KnownDevice | null;
};
/** The context of a public operation, with the session's user if there is one. */
export type PublicContext = Context<UserActor | null>;
/** The context of an operation for card holders only. */
export type HolderContext = Context<CardHolderActor>;
/** The context of an operation for anyone with a card's private id: its holder, or a stranger. */
export type CardContext = Context<CardHolderActor | null>;

/** The properties of an operation besides its permission. */
type Properties<Input, Sent> = {
  /** The only schema that parses a form or a request. */
  input?: z.ZodType<Input, Sent>;
  /** The error codes besides those of every call. */
  errors?: readonly ErrorCode[];
  /**
   * The request must carry a till proof. "in_use": of a till in use. "kept": also of a till that was retired
   * or paired again.
   */
  needsTill?: "in_use" | "kept";
};

/**
 * Whether the user confirms who they are before an operation: always, or for some inputs. Adapters ask at most once in
 * five minutes, and throw step_up_required.
 */
export type StepUpRule<Input> = true | ((ctx: Context, input: Input) => boolean | Promise<boolean>);

/** An operation with its permission, so that adapters can answer 401 and 403 before they parse. */
export type Operation<Input, Output, Sent = unknown> = ((ctx: Context, input: Input) => Promise<Output>) &
  Properties<Input, Sent> & {
    permission: StaffPermission;
    /**
     * It changes nothing but what its own reader has seen, although a call of it is not a GET: a suspended merchant's staff
     * may run it.
     */
    readOnly?: true;
    stepUp?: StepUpRule<Input>;
    /**
     * Answers the first result of a request with this key, or null. It checks no permission and no status.
     */
    stored?: (ctx: Context, input: Input) => Promise<Output | null>;
  };
/** A verb open to everyone. */
export type PublicOperation<Input, Output, Sent = unknown> = ((
  ctx: PublicContext,
  input: Input,
) => Promise<Output>) &
  Properties<Input, Sent> & { permission: "public" };

/** The credentials of a request besides its session. Adapters read them from the request. */
export type Secrets = {
  /** The secret of the card-holder cookie of this card. */
  holder: (customerId: string) => string | undefined;
  /** The Authorization header. */
  authorization: string | null;
};

/** Finds the actor by the input and the request's secrets; null for a stranger. */
export type ActorFrom<Input> = (ctx: PublicContext, input: Input, secrets: Secrets) => Promise<Actor | null>;

/** The ActorFrom of operations for a till alone. */
export const provedTill: ActorFrom<unknown> = async ({ till }) =>
  till ? { type: "till", tillId: till.id, merchantId: till.merchantId } : null;

/** The ActorFrom of operations for strangers. */
export const stranger = async (): Promise<null> => null;

/** An operation whose actor has no session. `actorFrom` finds the actor, then the policy is checked. */
export type ProvedOperation<Input, Output, Sent = unknown> = ((
  ctx: Context<never>,
  input: Input,
) => Promise<Output>) &
  Properties<Input, Sent> & {
    permission: Exclude<Permission, StaffPermission>;
    actorFrom: ActorFrom<Input>;
  };

/**
 * Runs an operation with the actor from `actorFrom`. Throws card_holder_required, forbidden, unauthenticated, and the
 * errors of `actorFrom` and of the operation.
 */
export async function runProved<I, O, S>(
  run: ProvedOperation<I, O, S>,
  ctx: PublicContext,
  input: I,
  secrets: Secrets,
): Promise<O> {
  const actor = await run.actorFrom(ctx, input, secrets);
  authorize(actor, run.permission);
  // After authorize, the actor is of a kind that the operation accepts.
  return run({ ...ctx, actor: actor as never }, input);
}

/** An operation that a form or a request can call, with the schema of its input. */
export type OpenOperation<Input, Output, Sent = unknown> = (
  | Operation<Input, Output, Sent>
  | PublicOperation<Input, Output, Sent>
  | ProvedOperation<Input, Output, Sent>
) & { input: z.ZodType<Input, Sent> };

/** The time for a write, or null to use the database's time after it holds its locks. */
export function givenTime(ctx: Context<Actor | null>): Date | null {
  return ctx.clock === systemClock ? null : ctx.clock();
}

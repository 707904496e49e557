import type { z } from "zod";
import { type Actor, authorize, type CardHolderActor, type UserActor } from "@/lib/domain/actor";
import type { ErrorCode } from "@/lib/domain/errors";
import type { Permission, StaffPermission } from "@/lib/domain/policy";
import type { Locale } from "@/lib/domain/roles";
import type { Db } from "./client";

/** Tells the time. Tests hand in another; a write lets the database's own clock decide unless one was handed in. */
export type Clock = () => Date;
export const systemClock: Clock = () => new Date();

/** What every operation gets: who asks, the database, the time, the reader's language, the caller's address. */
export type Context<A extends Actor | null = UserActor> = {
  actor: A;
  db: Db;
  clock: Clock;
  locale: Locale;
  address: string;
  requestId: string;
};
/** What an operation gets that is open to everyone: the session's user, where there is one. */
export type PublicContext = Context<UserActor | null>;
/** What an operation gets that only a card's holder may call. */
export type HolderContext = Context<CardHolderActor>;
/** What an operation gets for whoever has a card's private id: its holder, or a stranger. */
export type CardContext = Context<CardHolderActor | null>;

/** What stands beside an operation's permission. */
type Terms<Input, Sent> = {
  /** Parses what a caller sends; a form or a request is parsed by nothing else. */
  input?: z.ZodType<Input, Sent>;
  /** What it can refuse beside what every call can. */
  errors?: readonly ErrorCode[];
};

/** An exported verb with its permission beside it, so that adapters answer 401 and 403 before they parse. */
export type Operation<Input, Output, Sent = unknown> = ((ctx: Context, input: Input) => Promise<Output>) &
  Terms<Input, Sent> & {
    permission: StaffPermission;
    /** What a request with this key was answered the first time, or null. It asks nobody's permission or status. */
    stored?: (ctx: Context, input: Input) => Promise<Output | null>;
  };
/** A verb open to everyone. */
export type PublicOperation<Input, Output, Sent = unknown> = ((
  ctx: PublicContext,
  input: Input,
) => Promise<Output>) &
  Terms<Input, Sent> & { permission: "public" };

/** What a request brings, beside a session, to prove who asks. The adapters read it from the request. */
export type Secrets = {
  /** The secret of the card-holder cookie of this card. */
  holder: (customerId: string) => string | undefined;
  /** The Authorization header. */
  authorization: string | null;
};

/** Finds who asks by the input and the request's secrets; null for a stranger. */
export type ActorFrom<Input> = (ctx: PublicContext, input: Input, secrets: Secrets) => Promise<Actor | null>;

/** For what a stranger may do: nobody is looked up. */
export const stranger = async (): Promise<null> => null;

/** A verb whose actor is none of a session: `actorFrom` finds it, then the policy is asked. */
export type ProvedOperation<Input, Output, Sent = unknown> = ((
  ctx: Context<never>,
  input: Input,
) => Promise<Output>) &
  Terms<Input, Sent> & {
    permission: Exclude<Permission, StaffPermission>;
    actorFrom: ActorFrom<Input>;
  };

/**
 * Runs a verb for whoever `actorFrom` finds. Throws what the policy answers (card_holder_required, forbidden,
 * unauthenticated), what `actorFrom` throws, and the verb's own errors.
 */
export async function runProved<I, O, S>(
  run: ProvedOperation<I, O, S>,
  ctx: PublicContext,
  input: I,
  secrets: Secrets,
): Promise<O> {
  const actor = await run.actorFrom(ctx, input, secrets);
  authorize(actor, run.permission);
  // The policy has settled which kinds of actor come here.
  return run({ ...ctx, actor: actor as never }, input);
}

/** An operation that a form or a request reaches: it says how its input is parsed. */
export type OpenOperation<Input, Output, Sent = unknown> = (
  | Operation<Input, Output, Sent>
  | PublicOperation<Input, Output, Sent>
  | ProvedOperation<Input, Output, Sent>
) & { input: z.ZodType<Input, Sent> };

/** The moment a write should carry, or null to let the database's clock decide after its locks are held. */
export function givenTime(ctx: Context<Actor | null>): Date | null {
  return ctx.clock === systemClock ? null : ctx.clock();
}

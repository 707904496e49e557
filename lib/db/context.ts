import type { z } from "zod";
import type { Actor } from "@/lib/domain/actor";
import type { ErrorCode } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/policy";
import type { Locale } from "@/lib/domain/roles";
import type { Db } from "./client";

/** Tells the time. Tests hand in another; a write lets the database's own clock decide unless one was handed in. */
export type Clock = () => Date;
export const systemClock: Clock = () => new Date();

/** What every operation gets: who asks, the database, the time, the reader's language, the caller's address. */
export type Context<A extends Actor | null = Actor> = {
  actor: A;
  db: Db;
  clock: Clock;
  locale: Locale;
  address: string;
  requestId: string;
};
export type PublicContext = Context<Actor | null>;

/** What stands beside an operation's permission. */
type Terms<Input, Sent> = {
  /** Parses what a caller sends; a form or a request is parsed by nothing else. */
  input?: z.ZodType<Input, Sent>;
  /** What it can refuse beside what every call can. */
  errors?: readonly ErrorCode[];
};

/** An exported verb with its permission beside it, so that adapters answer 401 and 403 before they parse. */
export type Operation<Input, Output, Sent = unknown> = ((ctx: Context, input: Input) => Promise<Output>) &
  Terms<Input, Sent> & { permission: Permission };
/** A verb open to everyone. */
export type PublicOperation<Input, Output, Sent = unknown> = ((
  ctx: PublicContext,
  input: Input,
) => Promise<Output>) &
  Terms<Input, Sent> & { permission: "public" };

/** An operation that a form or a request reaches: it says how its input is parsed. */
export type OpenOperation<Input, Output, Sent = unknown> = (
  | Operation<Input, Output, Sent>
  | PublicOperation<Input, Output, Sent>
) & { input: z.ZodType<Input, Sent> };

/** The moment a write should carry, or null to let the database's clock decide after its locks are held. */
export function givenTime(ctx: Context<Actor | null>): Date | null {
  return ctx.clock === systemClock ? null : ctx.clock();
}

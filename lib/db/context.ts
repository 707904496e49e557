import type { Actor } from "@/lib/domain/actor";
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

/** An exported verb with its permission beside it, so that adapters answer 401 and 403 before they parse. */
export type Operation<Input, Output> = ((ctx: Context, input: Input) => Promise<Output>) & {
  permission: Permission;
};
/** A verb open to everyone. */
export type PublicOperation<Input, Output> = ((ctx: PublicContext, input: Input) => Promise<Output>) & {
  permission: "public";
};

/** The moment a write should carry, or null to let the database's clock decide after its locks are held. */
export function givenTime(ctx: Context<Actor | null>): Date | null {
  return ctx.clock === systemClock ? null : ctx.clock();
}

import type { Actor, CardHolderActor, Reach, UserActor } from "@/lib/domain/actor";
import type { Locale } from "@/lib/domain/roles";
import type { KnownDevice } from "@/lib/secrets/known-device";
import type { Db } from "./client";

/** Answers the current time. Tests replace it. With the system clock, writes use the database's time instead. */
export type Clock = () => Date;
export const systemClock: Clock = () => new Date();

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

export type Context<A extends Actor | null = UserActor> = {
  actor: A;
  db: Db;
  clock: Clock;
  locale: Locale;
  address: string;
  userAgent?: string | null;
  requestId: string;
  till?: ProvedTill | null;
  /** The caller's browser, if it proved that it signed in or held a card before; it has its own budgets. */
  device?: KnownDevice | null;
};
export type ReachContext<A extends Actor | null = UserActor> = Context<A> & { reach: Reach };
export type PublicContext = Context<UserActor | null>;
export type HolderContext = Context<CardHolderActor>;

/** The time for a write, or null to use the database's time after it holds its locks. */
export function givenTime(ctx: Context<Actor | null>): Date | null {
  return ctx.clock === systemClock ? null : ctx.clock();
}

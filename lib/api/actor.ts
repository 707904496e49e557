import { type Resolved, resolveSession, type sessionMemory } from "@/lib/accounts/session";
import { sessionIdOf } from "@/lib/accounts/web-session";
import type { Db } from "@/lib/db/client";
import { systemClock } from "@/lib/db/context";
import type { UserActor } from "@/lib/domain/actor";
import { authorize, mustStepUp } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { isStaffPermission } from "@/lib/domain/policy";
import type { Operation } from "@/lib/operations/operation";
import { readCookie } from "@/lib/secrets/cookies";

/** A read may take a session that was read a moment ago from the memory; a write is noted in the session. */
type Purpose = { memory?: ReturnType<typeof sessionMemory>; writes?: boolean };

async function resolve(db: Db, headers: Headers, now: Date, purpose: Purpose = {}): Promise<Resolved> {
  const header = headers.get("authorization")?.trim() ?? "";
  const token = header.replace(/^Bearer\s+/i, "");
  if (token === "") return { state: "missing" };
  // The browser sends the public handle of its session. It is valid only together with the cookie of that session.
  if (isId(token)) {
    const id = await sessionIdOf((name) => readCookie(headers, name));
    if (id === null) return { state: "missing" };
    const found = await resolveSession(db, { id }, now, purpose);
    return found.state === "live" && found.actor.handle !== token.toLowerCase()
      ? { state: "missing" }
      : found;
  }
  return resolveSession(db, { token }, now, purpose);
}

// How long an ended session still gets the stored results of its postings.
const REPEATS_MS = 24 * 60 * 60 * 1000;

/**
 * Answers the user of a session that ended less than 24 hours ago, or null. A repeated request of this user
 * gets its stored result, and nothing else.
 */
export async function formerActor(db: Db, headers: Headers, now: Date): Promise<UserActor | null> {
  const found = await resolve(db, headers, now);
  if (found.state !== "ended") return null;
  return now.getTime() - found.endedAt.getTime() < REPEATS_MS ? found.actor : null;
}

/**
 * The user who calls the API, or null without an Authorization header. A cookie alone does not authenticate, which
 * prevents requests forged by another site. With a memory, a session read a moment ago is not read again.
 * Throws session_ended (417) for an expired or revoked session, unauthenticated (401) for an unknown token.
 */
export async function apiActor(
  db: Db,
  headers: Headers,
  now: Date,
  purpose: Purpose = {},
): Promise<UserActor | null> {
  if (!headers.get("authorization")) return null;
  const found = await resolve(db, headers, now, purpose);
  if (found.state === "live") return found.actor;
  throw new DomainError(found.state === "ended" ? "session_ended" : "unauthenticated");
}

/**
 * Whether an operation lets this actor in, as far as that does not depend on its input. A remembered session never causes
 * a refusal, because the user may have gained rights a moment ago: where this answers false, adapters read it again.
 */
export function isAllowed(
  actor: UserActor | null,
  { permission, stepUp }: Pick<Operation<never, unknown>, "permission" | "stepUp">,
): boolean {
  if (!isStaffPermission(permission)) return true;
  try {
    if (actor) authorize(actor, permission);
    return actor !== null && !(stepUp && mustStepUp(actor, systemClock()));
  } catch {
    return false;
  }
}

import { sessionIdOf } from "@/lib/accounts/auth.config";
import { type Resolved, resolveSession, type sessionMemory } from "@/lib/accounts/session";
import { countKeyUse, findApiKey, isKeySecret, keyHash, looksLikeKey } from "@/lib/api-keys/find-key";
import type { Db } from "@/lib/db/client";
import { systemClock } from "@/lib/db/context";
import type { ApiKeyActor, StaffActor, UserActor } from "@/lib/domain/actor";
import { authorize, mustStepUp } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { isStaffPermission } from "@/lib/domain/policy";
import { oncePerProcess } from "@/lib/observe/once";
import type { Operation } from "@/lib/operations/operation";
import { readCookie } from "@/lib/secrets/cookies";
import { callerAddress, exactAddress } from "./address";
import { countGuess } from "./limits";

/** A read may take a session that was read a moment ago from the memory; a write is noted in the session. */
type Purpose = { memory?: ReturnType<typeof sessionMemory>; writes?: boolean };

/** The token of the Authorization header, with or without `Bearer`; empty without one. */
export const tokenOf = (headers: Headers): string =>
  (headers.get("authorization")?.trim() ?? "").replace(/^Bearer\s+/i, "");

async function resolve(db: Db, headers: Headers, now: Date, purpose: Purpose = {}): Promise<Resolved> {
  const token = tokenOf(headers);
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

/** The user of a session that ended less than 24 hours ago, who gets stored results and nothing else, or null. */
export async function formerActor(db: Db, headers: Headers, now: Date): Promise<UserActor | null> {
  const found = await resolve(db, headers, now);
  if (found.state !== "ended") return null;
  return now.getTime() - found.endedAt.getTime() < REPEATS_MS ? found.actor : null;
}

/** Hashes of secrets that were good in this process: their repeats are no guesses, whoever else guesses at their address. */
const MOST_KNOWN = 10_000;
const known = () => oncePerProcess("hashes of good API keys", () => new Set<string>());

/** Throws unauthenticated, also without the database for a bad checksum, rate_limited for too many guesses, key_address. */
async function keyActor(db: Db, secret: string, headers: Headers): Promise<ApiKeyActor> {
  const hash = Buffer.from(keyHash(secret)).toString("base64");
  const isKnown = known().has(hash);
  const takeBack = isKnown ? null : await countGuess(callerAddress(headers));
  const key = isKeySecret(secret) ? await findApiKey(db, secret, exactAddress(headers)) : null;
  if (!key) {
    known().delete(hash);
    throw new DomainError("unauthenticated");
  }
  await takeBack?.();
  if (known().size >= MOST_KNOWN) known().clear();
  known().add(hash);
  countKeyUse(db, key.keyId);
  return key;
}

/** Whether a request carries an API key, good or not. */
export const carriesKey = (headers: Headers): boolean => looksLikeKey(tokenOf(headers));

/**
 * The user or the API key that calls the API, or null without an Authorization header. A cookie alone does not
 * authenticate, which prevents requests forged by another site. Throws session_ended (417) for an expired or revoked session,
 * unauthenticated (401) for an unknown token or key, rate_limited for guesses of keys, key_address.
 */
export async function apiActor(
  db: Db,
  headers: Headers,
  now: Date,
  purpose: Purpose,
): Promise<StaffActor | null> {
  if (!headers.get("authorization")) return null;
  if (carriesKey(headers)) return keyActor(db, tokenOf(headers), headers);
  const found = await resolve(db, headers, now, purpose);
  if (found.state === "live") return found.actor;
  throw new DomainError(found.state === "ended" ? "session_ended" : "unauthenticated");
}

/** Whether an operation lets this actor in, whatever its input. Where not, adapters read a remembered session again. */
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

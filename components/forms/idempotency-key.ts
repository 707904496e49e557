import { ATTEMPT_PREFIX, readStored } from "@/components/accounts/session/stored-session";
import type { Answer } from "@/lib/api/client";

/** A random 128-bit key in hex; `crypto.randomUUID` is missing on plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Goes with all that a tab keeps of its user (clearTab); no user's attempt has this name.
const nameOf = (request: string) => `${ATTEMPT_PREFIX}.key.${request}`;

const keysWithoutStorage = new Map<string, string>();

/**
 * Sends a request with this name under a new key, or under its last one while that is unanswered, even after
 * a reload of the page. A rate limit is no answer: the server has not looked up the key.
 */
export async function sendUnderKey<T>(
  request: string,
  send: (idempotencyKey: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const name = nameOf(request);
  const key =
    readStored<string>("sessionStorage", name) ?? keysWithoutStorage.get(name) ?? newIdempotencyKey();
  try {
    sessionStorage.setItem(name, JSON.stringify(key));
  } catch {
    keysWithoutStorage.set(name, key);
  }
  const answer = await send(key);
  const isDefinite = answer.kind === "ok" || (answer.kind === "refused" && answer.code !== "rate_limited");
  if (!isDefinite) return answer;
  keysWithoutStorage.delete(name);
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
  return answer;
}

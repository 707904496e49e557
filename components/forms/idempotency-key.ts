import { ATTEMPT_PREFIX, readStored } from "@/components/accounts/session/stored-session";
import type { Answer } from "@/lib/api/client";

/** A random 128-bit key in hex; `crypto.randomUUID` is missing on plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Goes with all that a tab keeps of its user (clearTab); no user's attempt has this name.
const nameOf = (request: string) => `${ATTEMPT_PREFIX}.key.${request}`;

/** The keys of a tab without storage. */
const unstored = new Map<string, string>();

/**
 * Sends a request with this name under a new key, or under the one that it was sent with before and not answered: the tab
 * keeps that key until an answer comes, also when the dialog is closed and when the page is loaded again. A repeat that is
 * rate-limited is not answered: the server has not looked up its key.
 */
export async function sendUnderKey<T>(
  request: string,
  send: (idempotencyKey: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const name = nameOf(request);
  const key = readStored<string>("sessionStorage", name) ?? unstored.get(name) ?? newIdempotencyKey();
  try {
    sessionStorage.setItem(name, JSON.stringify(key));
  } catch {
    unstored.set(name, key);
  }
  const answer = await send(key);
  const isDefinite = answer.kind === "ok" || (answer.kind === "refused" && answer.code !== "rate_limited");
  if (!isDefinite) return answer;
  unstored.delete(name);
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
  return answer;
}

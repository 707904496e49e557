import { ATTEMPT_PREFIX, readStored } from "@/components/accounts/session/stored-session";
import type { Answer } from "@/lib/api/client";
import { newIdempotencyKey } from "./idempotency-key";

// Goes with all that a tab keeps of its user (clearTab); no user's attempt has this name.
const nameOf = (request: string) => `${ATTEMPT_PREFIX}.key.${request}`;

/** The same for a browser that stores nothing: then a loaded page forgets them. */
const unanswered = new Map<string, string>();

/**
 * Sends a request with this name under a new key, or under the one that it was sent with before and not answered: the tab
 * keeps that key until an answer comes, also when the dialog is closed and when the page is loaded again.
 */
export async function sendUnderKey<T>(
  request: string,
  send: (key: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const name = nameOf(request);
  const key = readStored<string>("sessionStorage", name) ?? unanswered.get(name) ?? newIdempotencyKey();
  unanswered.set(name, key);
  try {
    sessionStorage.setItem(name, JSON.stringify(key));
  } catch {
    // The key is in the memory of this page.
  }
  const answer = await send(key);
  if (answer.kind !== "ok" && answer.kind !== "refused") return answer;
  unanswered.delete(name);
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
  return answer;
}

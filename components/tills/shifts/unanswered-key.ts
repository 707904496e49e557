import { ATTEMPT_PREFIX, readStored } from "@/components/accounts/session/stored-session";
import type { Answer } from "@/lib/api/client";

// Goes with all that a tab keeps of its cashier (clearTab); no user's attempt has this name.
const nameOf = (request: string) => `${ATTEMPT_PREFIX}.key.${request}`;

/**
 * Sends a request with this name under a key, or under the one that it was sent with before and not answered: the tab keeps
 * that key until an answer comes, also when the dialog is closed and when the page is loaded again.
 */
export async function sendUnderKey<T>(
  request: string,
  freshKey: string,
  send: (key: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const name = nameOf(request);
  const key = readStored<string>("sessionStorage", name) ?? freshKey;
  try {
    sessionStorage.setItem(name, JSON.stringify(key));
  } catch {
    // Without storage the key is that of the dialog.
  }
  const answer = await send(key);
  if (answer.kind !== "ok" && answer.kind !== "refused") return answer;
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
  return answer;
}

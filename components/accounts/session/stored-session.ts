import { readMark } from "@/components/tills/device/mark";

// A signed-in person's data in this browser. Sign-out removes it, except the till's IndexedDB and an attempt
// that was sent and never answered: its user repeats it, so that nothing is posted twice.

/** Local storage: the session's public handle. */
export const TOKEN_KEY = "token";
/** Session storage: the live code of a card that was just scanned. */
export const LIVE_CODE_KEY = "counter.liveCode";
/** Session storage, with a path: the filters of a list, which may contain a name that was searched for. */
export const VIEW_PREFIX = "view:";
/** Session storage, with a user, a mode and a customer: the attempt of a posting. */
export const ATTEMPT_PREFIX = "counter.attempt";

/** The JSON value that a storage of this browser has under a name; null without one, and where storage is refused. */
export function readStored<T>(storage: "localStorage" | "sessionStorage", name: string): T | null {
  try {
    return JSON.parse(globalThis[storage].getItem(name) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** Ends the session (`handle`: only that one) and opens `to`, or login. Scripts cannot remove its cookie. */
export function postSignOut(to?: string, handle?: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/session/sign-out";
  for (const [name, value] of Object.entries({ to, handle })) {
    if (!value) continue;
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  afterTill(() => form.submit());
}

/** Goes on, on a till after removing what it kept for its cashier, and with `customers` whom it met too. */
export function afterTill(goOn: () => void, { customers = false }: { customers?: boolean } = {}) {
  if (readMark() === null) return goOn();
  const forget = async () => {
    const { forgetCashier, forgetTill } = await import("@/components/tills/offline/store");
    await (customers ? forgetTill() : forgetCashier());
  };
  // Sign-out continues even if something cannot be removed.
  forget()
    .catch(() => undefined)
    .finally(goOn);
}

/** Removes what the session left in this tab. The handle stays: removing it signs the other tabs out. */
export function clearTab(): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      const isAttempt = name.startsWith(ATTEMPT_PREFIX);
      const stays = isAttempt && readStored<{ sent?: unknown }>("sessionStorage", name)?.sent != null;
      const ours = name === LIVE_CODE_KEY || name.startsWith(VIEW_PREFIX) || isAttempt;
      if (ours && !stays) sessionStorage.removeItem(name);
    }
  } catch {
    // Without storage there is nothing to remove.
  }
}

const KEEP = "wallet:keep-typed";

/** Asks the page's forms to keep what was typed, before a reload for the same person. */
export function keepTyped(): void {
  window.dispatchEvent(new Event(KEEP));
}

/** Calls back when a form should keep what was typed. Answers a function that unsubscribes. */
export function followKeep(keep: () => void): () => void {
  window.addEventListener(KEEP, keep);
  return () => window.removeEventListener(KEEP, keep);
}

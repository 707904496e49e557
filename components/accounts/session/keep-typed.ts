// Keeps what was typed on a page when the page is reloaded for the same person.

const KEEP = "wallet:keep-typed";

/** Asks the page's forms to keep what was typed in this tab. */
export function keepTyped(): void {
  window.dispatchEvent(new Event(KEEP));
}

/** Calls back when a form should keep what was typed. Answers a function that unsubscribes. */
export function followKeep(keep: () => void): () => void {
  window.addEventListener(KEEP, keep);
  return () => window.removeEventListener(KEEP, keep);
}

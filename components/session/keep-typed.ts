// Where a page is loaded anew for the same person, what was typed on it goes along.

const KEEP = "wallet:keep-typed";

/** Asks the page's forms to keep what was typed in this tab. */
export function keepTyped(): void {
  window.dispatchEvent(new Event(KEEP));
}

/** Calls back when a form is to keep what was typed. Answers how to stop. */
export function followKeep(keep: () => void): () => void {
  window.addEventListener(KEEP, keep);
  return () => window.removeEventListener(KEEP, keep);
}

/** A text for the log, its e-mail addresses left out: what other programs say of a person's mail names the person. */
export function withoutAddresses(text: string): string {
  // A match begins only where a run of letters does: begun anew at each of them, a long run would take the square of it.
  return text.replace(/(?<![\w.+%-])[\w.+%-]+@(?:[\w-]+\.)+[a-z]{2,}/gi, "(address)");
}

/** A text for the log, its e-mail addresses left out: what other programs say of a person's mail names the person. */
export function withoutAddresses(text: string): string {
  return text.replace(/[\w.+%-]+@(?:[\w-]+\.)+[a-z]{2,}/gi, "(address)");
}

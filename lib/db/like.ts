/** A text as LIKE reads it letter by letter: % and _ stand for themselves. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** A filter for a text that holds another, whatever the case. */
export function holds(text: string): { contains: string; mode: "insensitive" } {
  return { contains: literal(text), mode: "insensitive" };
}

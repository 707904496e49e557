const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A random token has letters of both cases and digits; file names and identifiers rarely have all three. */
function hideToken(run: string): string {
  const random = /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run);
  return random && !UUID.test(run) ? "(secret)" : run;
}

/**
 * Removes what no log may contain from a text: e-mail addresses, phone numbers, six-digit codes, tokens, and passwords in
 * connection strings. Ids (UUIDs), error codes and stack traces stay readable.
 */
export function scrub(text: string): string {
  return (
    text
      .replace(/(?<=\/\/)[^\s/:@]*:[^\s/@]+(?=@)/g, "(secret)")
      // The lookbehind keeps the time linear: a match starts only at the beginning of a run.
      .replace(
        /(?<![\p{L}\p{N}_.+%'-])[\p{L}\p{N}_.+%'-]+(?:@|%40)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/giu,
        "(address)",
      )
      .replace(/(?<![\w-])[\w-]{32,}(?![\w-])/g, hideToken)
      .replace(/(?<!\w)(?:\+|00|%2B)\p{Nd}(?:[\s()-]?\p{Nd}){7,14}(?!\w)/gu, "(phone)")
      .replace(/(?<!\w|\w-|\d[.:])(?:974[\s-]?)?\p{Nd}{4}[\s-]?\p{Nd}{4}(?!\w|[.:-]\w)/gu, "(phone)")
      .replace(/(?<!\w|\w-|\d[.:])\p{Nd}{6}(?!\w|[.:-]\w)/gu, "(code)")
  );
}

/** Keys whose values are never logged, whatever they contain. */
const HIDDEN =
  /passw|passphrase|secret|token|authori[sz]ation|cookie|e-?mail|phone|otp|recipient|login|codeHash/i;
const MAX_DEPTH = 8;

/** A value for the log without hidden keys and with scrubbed texts. Errors keep name, message, code, stack and cause. */
export function scrubValue(value: unknown, key = "", depth = 0): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value;
  if (HIDDEN.test(key)) return "(hidden)";
  if (typeof value === "number") return /code$/i.test(key) && value > 99_999 ? "(code)" : value;
  if (typeof value === "string") return scrub(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || depth >= MAX_DEPTH) return scrub(String(value));
  if (value instanceof Date) return value.toJSON();
  if (value instanceof Error) {
    const { name, message, stack, cause, code } = value as Error & { code?: unknown };
    return scrubFields({ name, message, code, stack, cause }, depth);
  }
  if (Array.isArray(value)) return value.map((one) => scrubValue(one, key, depth + 1));
  return scrubFields(value, depth);
}

/** The same for the fields of an object. */
function scrubFields(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, scrubValue(value, key, depth + 1)]),
  );
}

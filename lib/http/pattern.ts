import type { Params } from "./read-input";

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * The pattern of a path, such as "/api/branches/:id", for logs and metrics. "unmatched" where a parameter is not found,
 * since no text of a caller may become a pattern.
 */
export function patternOf(path: string, params: Awaited<Params> = {}): string {
  const segments = path.split("/").map(decoded);
  // From the end: parameters come after the fixed segments, which may have the same text.
  for (const [name, value] of Object.entries(params).reverse()) {
    const values = [value ?? []].flat();
    const at = segments.findLastIndex((_, start) =>
      values.every((one, index) => [one, decoded(one)].includes(segments[start + index] ?? "")),
    );
    if (values.length === 0) continue;
    if (at < 0) return "unmatched";
    segments.splice(at, values.length, `:${name}`);
  }
  return segments.join("/");
}

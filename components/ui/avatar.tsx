import { Avatar as AvatarPrimitive } from "radix-ui";
import { part } from "./utils";

export const Avatar = part(
  AvatarPrimitive.Root,
  "avatar",
  "relative flex base:size-9 shrink-0 overflow-hidden rounded-full",
);

export const AvatarFallback = part(
  AvatarPrimitive.Fallback,
  "avatar-fallback",
  "flex size-full items-center justify-center rounded-full bg-primary-soft font-semibold text-primary-strong base:text-sm",
);

/** Letters that Arabic would join to a word, such as "ما". */
const APART = "\u200c";

/**
 * The first letters of a name's first and last word, for an avatar without a picture; of an Arabic last word the one after
 * its article.
 */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0] ?? "";
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  const letters = [first, last.replace(/^ال(?=..)/u, "")].flatMap((word) => [...word].slice(0, 1));
  return letters.join(/\p{Script=Arabic}/u.test(name) ? APART : "").toLocaleUpperCase();
}

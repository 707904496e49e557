import type { ComponentProps } from "react";
import { cn } from "./utils";

/** The initials of a person in a circle. */
export function Avatar({ name, className, ...props }: ComponentProps<"span"> & { name: string }) {
  return (
    <span
      className={cn(
        "flex base:size-9 shrink-0 items-center justify-center overflow-hidden rounded-full bg-primary-soft font-semibold text-primary-strong base:text-sm",
        className,
      )}
      {...props}
    >
      {initials(name)}
    </span>
  );
}

/** Letters that Arabic would join to a word, such as "ما". */
const APART = "\u200c";

/** The first letters of a name's first and last word; of an Arabic last word, the one after its article. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0] ?? "";
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  const letters = [first, last.replace(/^ال(?=..)/u, "")].flatMap((word) => [...word].slice(0, 1));
  return letters.join(/\p{Script=Arabic}/u.test(name) ? APART : "").toLocaleUpperCase();
}

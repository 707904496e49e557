import { twMerge } from "tailwind-merge";

type Class = string | false | null | undefined | 0 | 0n;

/** Joins class names. Of two Tailwind classes for the same property the later one wins. */
export function cn(...inputs: readonly (Class | readonly Class[])[]): string {
  return twMerge(...inputs);
}

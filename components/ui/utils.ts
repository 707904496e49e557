import { twMerge } from "tailwind-merge";
import type { NoteGround } from "@/lib/cards/model/card-colours";

type Class = string | false | null | undefined | 0 | 0n;

/** Joins class names. Of two Tailwind classes for the same property the later one wins. */
export function cn(...inputs: readonly (Class | readonly Class[])[]): string {
  return twMerge(...inputs);
}

/** The note as the ground of an element with white text: its colour, until the drawing is loaded and without a connection. */
export const noteStyle = ({ colour, path }: NoteGround) => ({
  backgroundColor: colour,
  backgroundImage: `url("${path}")`,
});

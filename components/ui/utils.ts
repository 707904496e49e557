import { clsx } from "clsx";
import type { NoteGround } from "@/lib/cards/model/card-colours";

/**
 * Joins class names. It resolves nothing: what a caller may override has the variant `base:` (app/globals.css), and of
 * two classes for the same property one is chosen.
 */
export const cn = clsx;

/** The note as the ground of an element with white text: its colour, until the drawing is loaded and without a connection. */
export const noteStyle = ({ colour, path }: NoteGround) => ({
  backgroundColor: colour,
  backgroundImage: `url("${path}")`,
});

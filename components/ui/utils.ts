import { clsx } from "clsx";
import { type ComponentProps, createElement, type ElementType } from "react";
import type { NoteGround } from "@/lib/cards/model/card-colours";

/** Joins class names. Classes that a caller may override have the variant `base:` (app/globals.css). */
export const cn = clsx;

/** A component: this element with these classes and attributes, and a caller's own. `slot` names it for other styles. */
export const part =
  <T extends ElementType>(
    element: T,
    slot: string,
    classes: string,
    attributes?: Partial<ComponentProps<T>>,
  ) =>
  ({ className, ...props }: ComponentProps<T> & { className?: string | undefined }) =>
    createElement<object>(element, {
      "data-slot": slot,
      className: cn(classes, className),
      ...attributes,
      ...props,
    });

/** The note as the ground of an element with white text: its colour, until the drawing is loaded and without a connection. */
export const noteStyle = ({ colour, path }: NoteGround) => ({
  backgroundColor: colour,
  backgroundImage: `url("${path}")`,
});

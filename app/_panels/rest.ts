import { notFound } from "next/navigation";

/** Answers 404 for unknown paths of a panel. */
export function Rest(): never {
  notFound();
}

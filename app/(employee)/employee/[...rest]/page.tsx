import { notFound } from "next/navigation";

/** Answers 404 for unknown paths of the panel. */
export default function Rest(): never {
  notFound();
}

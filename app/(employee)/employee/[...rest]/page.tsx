import { notFound } from "next/navigation";

/** The panel's catch-all: a path of no page. */
export default function Rest(): never {
  notFound();
}

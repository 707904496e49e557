import type { ComponentType } from "react";
import { isPinSession } from "@/lib/api/page";
import { NeedsPassword } from "./needs-password";

/** A page that a PIN session gets without data: with a sentence in its place, or as `Instead`. */
export function withPassword<P extends object>(
  Page: ComponentType<P>,
  Instead: ComponentType<P> = NeedsPassword,
) {
  return async function PageWithPassword(props: P) {
    return (await isPinSession()) ? <Instead {...props} /> : <Page {...props} />;
  };
}

import type { ComponentType } from "react";
import { NeedsPassword } from "@/components/tills/sign-in/ask-who";
import { isPinSession } from "@/lib/api/page";

/** A page that a PIN session gets without data: with a sentence in its place, or as `Instead`. */
export function withPassword<P extends object>(
  Page: ComponentType<P>,
  Instead: ComponentType<P> = NeedsPassword,
) {
  return async function PageWithPassword(props: P) {
    return (await isPinSession()) ? <Instead {...props} /> : <Page {...props} />;
  };
}

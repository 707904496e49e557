import { cookies, headers } from "next/headers";
import { cache } from "react";
import { type Resolved, resolveSession } from "@/lib/accounts/session";
import { sessionIdOf } from "@/lib/accounts/web-session";
import { getDb } from "@/lib/db/client";
import { type PublicContext, type Secrets, systemClock } from "@/lib/db/context";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { REQUEST_ID_HEADER, requestIdOf } from "@/lib/observe/request";
import { callerAddress } from "./address";
import { readHolderSecret, type SetCookie, secureCookies } from "./cookies";

/**
 * The browser's session, read once per request. A cookie whose session row is gone counts as ended. Otherwise the
 * middleware, which trusts the cookie, and the pages would redirect to each other in a loop.
 */
const webSession = cache(async () => {
  const jar = await cookies();
  const id = await sessionIdOf((name) => jar.get(name)?.value);
  if (id === null) return { state: "missing" } as const;
  const found = await resolveSession(getDb(), { id }, systemClock());
  return found.state === "missing" ? ({ state: "ended" } as const) : found;
});

export type WebContext = { ctx: PublicContext; session: Resolved["state"]; secrets: Secrets };

/** The context of a page or a server action: the session of the cookie and the person's language. */
export async function webContext(): Promise<WebContext> {
  const [jar, head, session] = [await cookies(), await headers(), await webSession()];
  const locale = pickLocale(jar.get(LOCALE_COOKIE)?.value, head.get("accept-language"));
  const ctx: PublicContext = {
    actor: session.state === "live" ? session.actor : null,
    db: getDb(),
    clock: systemClock,
    locale,
    address: callerAddress(head),
    requestId: requestIdOf(head.get(REQUEST_ID_HEADER)),
  };
  const secrets = { holder: (customerId: string) => readHolderSecret(head, customerId), authorization: null };
  return { ctx, session: session.state, secrets };
}

/** Sets a cookie from a server action: httpOnly, SameSite=Lax, Secure on https. maxAge is in seconds; 0 deletes. */
export async function setCookie({ name, value, maxAge, path = "/" }: SetCookie): Promise<void> {
  const jar = await cookies();
  jar.set(name, value, { maxAge, path, httpOnly: true, sameSite: "lax", secure: secureCookies() });
}

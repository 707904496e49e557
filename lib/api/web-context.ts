import { cookies, headers } from "next/headers";
import { cache } from "react";
import { sessionIdOf } from "@/lib/accounts/auth.config";
import { type Resolved, resolveSession, sessionMemory } from "@/lib/accounts/session";
import { getDb } from "@/lib/db/client";
import { type PublicContext, systemClock } from "@/lib/db/context";
import { LOCALE_COOKIE, type Locale, pickLocale } from "@/lib/domain/roles";
import { REQUEST_ID_HEADER, requestIdOf } from "@/lib/observe/request";
import type { Secrets } from "@/lib/operations/operation";
import { readDeviceCookie, readHolderSecret, type SetCookie, secureCookies } from "@/lib/secrets/cookies";
import { callerAddress } from "./address";
import { deviceMark } from "./mark-device";

/**
 * The browser's session, read once per request, or remembered from the last seconds. A cookie whose session row is gone
 * counts as ended. Otherwise the middleware, which trusts the cookie, and the pages would redirect to each other in a loop.
 * A session that a PIN opened on a till counts only with the till's proof, which neither a navigation nor a server action
 * carries: pages of such a session have no data ("unproved"), and call the API.
 */
const webSession = cache(async (remembered: boolean, writes: boolean) => {
  const jar = await cookies();
  const id = await sessionIdOf((name) => jar.get(name)?.value);
  if (id === null) return { state: "missing" } as const;
  const memory = sessionMemory();
  const known = remembered ? await resolveSession(getDb(), { id }, systemClock(), { memory }) : null;
  // A remembered session never causes a refusal.
  const found =
    known?.state === "live" ? known : await resolveSession(getDb(), { id }, systemClock(), { writes });
  if (found.state === "live" && found.actor.tillId !== null) return { state: "unproved" } as const;
  return found.state === "missing" ? ({ state: "ended" } as const) : found;
});

/** The language of the browser's user: the choice in the cookie, else the browser's. */
export async function webLocale(): Promise<Locale> {
  return pickLocale((await cookies()).get(LOCALE_COOKIE)?.value, (await headers()).get("accept-language"));
}

export type WebContext = { ctx: PublicContext; session: Resolved["state"] | "unproved"; secrets: Secrets };

/** The context of a page or a server action. `remembered` is for reads: a session of the last seconds is not read again. */
export async function webContext({ remembered = false, writes = false } = {}): Promise<WebContext> {
  const [head, session] = [await headers(), await webSession(remembered, writes)];
  const ctx: PublicContext = {
    actor: session.state === "live" ? session.actor : null,
    till: null,
    db: getDb(),
    clock: systemClock,
    locale: await webLocale(),
    address: callerAddress(head),
    requestId: requestIdOf(head.get(REQUEST_ID_HEADER)),
    device: readDeviceCookie(head),
    userAgent: head.get("user-agent"),
  };
  const secrets = { holder: (customerId: string) => readHolderSecret(head, customerId), authorization: null };
  return { ctx, session: session.state, secrets };
}

/** Sets a cookie from a server action: httpOnly, SameSite=Lax, Secure on https. maxAge is in seconds; 0 deletes. */
export async function setCookie({ name, value, maxAge, path = "/" }: SetCookie): Promise<void> {
  const jar = await cookies();
  jar.set(name, value, { maxAge, path, httpOnly: true, sameSite: "lax", secure: secureCookies() });
}

/** Makes the browser of an action a known device, as deviceMark says. */
export async function markDevice(...of: Parameters<typeof deviceMark>): Promise<void> {
  const cookie = await deviceMark(...of);
  if (cookie) await setCookie(cookie);
}

/** Gives the browser of an action its new mark, after a change of factors has voided those of all devices. */
export async function markActorsDevice<Output>(output: Output, ctx: PublicContext): Promise<Output> {
  if (ctx.actor) await markDevice(ctx, { userId: ctx.actor.userId });
  return output;
}

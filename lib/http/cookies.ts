import { VERIFICATION_SECONDS } from "@/lib/domain/card-holder";
import { env } from "@/lib/env";

/** Whether cookies may say Secure: the site is reached by https. */
export function secureCookies(): boolean {
  return env().APP_URL.startsWith("https:");
}

export type SetCookie = { name: string; value: string; maxAge: number; path?: string };

/** A Set-Cookie line of ours: httpOnly, SameSite=Lax, Secure on https; maxAge in seconds (0 deletes). */
export function cookieLine({ name, value, maxAge, path = "/" }: SetCookie): string {
  const parts = [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${path}`,
    `Max-Age=${maxAge}`,
    "HttpOnly",
    "SameSite=Lax",
  ];
  return [...parts, ...(secureCookies() ? ["Secure"] : [])].join("; ");
}

/** The value of a cookie in a Cookie header. */
export function readCookie(headers: Headers, name: string): string | undefined {
  for (const part of (headers.get("cookie") ?? "").split(";")) {
    const [key, ...rest] = part.trim().split("=");
    if (key !== name) continue;
    try {
      return decodeURIComponent(rest.join("="));
    } catch {
      return undefined;
    }
  }
  return undefined;
}

const VERIFICATION_COOKIE = "wallet_verification";
// The longest that browsers keep a cookie.
const HOLDER_SECONDS = 400 * 24 * 60 * 60;

const holderName = (customerId: string) => `wallet_card_${customerId}`;

/** The cookie of a verified e-mail: good for one registration within 15 minutes. */
export function verificationCookie(secret: string): SetCookie {
  return { name: VERIFICATION_COOKIE, value: secret, maxAge: VERIFICATION_SECONDS };
}

/** Takes the cookie of a used verification away. */
export function clearedVerificationCookie(): SetCookie {
  return { name: VERIFICATION_COOKIE, value: "", maxAge: 0 };
}

/** The long-lived cookie of one card's holder. */
export function holderCookie(customerId: string, secret: string): SetCookie {
  return { name: holderName(customerId), value: secret, maxAge: HOLDER_SECONDS };
}

/** Takes a card-holder cookie away. */
export function clearedHolderCookie(customerId: string): SetCookie {
  return { name: holderName(customerId), value: "", maxAge: 0 };
}

/** The verification's secret of a request, when it brings one. */
export function readVerificationSecret(headers: Headers): string | undefined {
  return readCookie(headers, VERIFICATION_COOKIE) || undefined;
}

/** The card holder's secret for this card, when the request brings one. */
export function readHolderSecret(headers: Headers, customerId: string): string | undefined {
  return readCookie(headers, holderName(customerId)) || undefined;
}

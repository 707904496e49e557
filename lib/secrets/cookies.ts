import { VERIFICATION_SECONDS } from "@/lib/cards/model/card-holder";
import { env } from "@/lib/env";
import { type KnownDevice, knownDeviceValue, type MarkOwner, readKnownDevice } from "./known-device";

/** Whether cookies are Secure: the site uses https. */
export function secureCookies(): boolean {
  return env().APP_URL.startsWith("https:");
}

export type SetCookie = { name: string; value: string; maxAge: number; path?: string };

/** A Set-Cookie header: httpOnly, SameSite=Lax, Secure on https. maxAge is in seconds; 0 deletes the cookie. */
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

/** The value of a cookie in the Cookie header. */
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

const DEVICE_COOKIE = "wallet_device";

/** The known device in a request's cookies, or null. */
export function readDeviceCookie(headers: Headers): KnownDevice | null {
  return readKnownDevice(readCookie(headers, DEVICE_COOKIE));
}

/** The long-lived cookie of a browser that was now used with this owner. */
export function deviceCookie(device: KnownDevice | null | undefined, owner: MarkOwner): SetCookie {
  return { name: DEVICE_COOKIE, value: knownDeviceValue(device, owner), maxAge: HOLDER_SECONDS };
}

/** The card-holder cookies of a request. The database decides whether their secrets are right. */
export function heldCards(headers: Headers): { customerId: string; secret: string }[] {
  const cookies = (headers.get("cookie") ?? "").split(";").map((part) => part.trim().split("="));
  return cookies.flatMap(([name = "", secret = ""]) => {
    const [, customerId] = /^wallet_card_([0-9a-f-]{36})$/.exec(name) ?? [];
    return customerId && secret ? [{ customerId, secret }] : [];
  });
}

const VERIFICATION_COOKIE = "wallet_verification";
// The maximum that browsers allow.
const HOLDER_SECONDS = 400 * 24 * 60 * 60;

const holderName = (customerId: string) => `wallet_card_${customerId}`;

/** A cookie of this many seconds; without a secret it is deleted. */
const secretCookie = (name: string, secret: string | null, seconds: number): SetCookie => ({
  name,
  value: secret ?? "",
  maxAge: secret === null ? 0 : seconds,
});

/** The cookie of a verified e-mail, valid for one registration within 15 minutes; null deletes it. */
export const verificationCookie = (secret: string | null): SetCookie =>
  secretCookie(VERIFICATION_COOKIE, secret, VERIFICATION_SECONDS);

/** The long-lived cookie of one card's holder; null deletes it. */
export const holderCookie = (customerId: string, secret: string | null): SetCookie =>
  secretCookie(holderName(customerId), secret, HOLDER_SECONDS);

/** The verification secret in a request's cookies, if any. */
export function readVerificationSecret(headers: Headers): string | undefined {
  return readCookie(headers, VERIFICATION_COOKIE) || undefined;
}

/** The holder's secret for this card in a request's cookies, if any. */
export function readHolderSecret(headers: Headers, customerId: string): string | undefined {
  return readCookie(headers, holderName(customerId)) || undefined;
}

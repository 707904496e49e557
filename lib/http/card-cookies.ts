import { VERIFICATION_SECONDS } from "@/lib/domain/schemas/customer";
import { readCookie, type SetCookie } from "./cookies";

const VERIFICATION_COOKIE = "wallet_verification";
// The longest that browsers keep a cookie.
const HOLDER_SECONDS = 400 * 24 * 60 * 60;

const holderName = (customerId: string) => `wallet_card_${customerId}`;

/** The cookie of a verified e-mail: good for one registration within 15 minutes. */
export function verificationCookie(secret: string): SetCookie {
  return { name: VERIFICATION_COOKIE, value: secret, maxAge: VERIFICATION_SECONDS };
}

/** Takes the cookie of a used verification away. */
export function verificationUsed(): SetCookie {
  return { name: VERIFICATION_COOKIE, value: "", maxAge: 0 };
}

/** The long-lived cookie of one card's holder. */
export function holderCookie(customerId: string, secret: string): SetCookie {
  return { name: holderName(customerId), value: secret, maxAge: HOLDER_SECONDS };
}

/** Takes a card-holder cookie away. */
export function holderGone(customerId: string): SetCookie {
  return { name: holderName(customerId), value: "", maxAge: 0 };
}

/** The verification's secret of a request, when it brings one. */
export function verificationOf(headers: Headers): string | undefined {
  return readCookie(headers, VERIFICATION_COOKIE) || undefined;
}

/** The card holder's secret for this card, when the request brings one. */
export function holderOf(headers: Headers, customerId: string): string | undefined {
  return readCookie(headers, holderName(customerId)) || undefined;
}

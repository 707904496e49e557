import { decode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import { hashSecret } from "@/lib/secrets/secrets";

const MOST_KEPT = 10_000;

// Global, because the middleware and the pages are bundled separately.
const store = globalThis as typeof globalThis & { walletCookies?: Map<string, JWT> };

/** Whether a cookie with this content is still good, without next-auth's tolerance. */
const isGood = ({ exp }: JWT): boolean => exp !== undefined && exp * 1000 > Date.now();

/**
 * What next-auth's encrypted cookie says, or null without one. A cookie is decrypted once: deriving its key again for each
 * request took a tenth of a page's time. Only its content is remembered, by the hash of the cookie and its secrets; whether
 * its session is live is asked elsewhere. Throws on a forged or expired cookie, as next-auth does.
 */
export async function decodeCookie(params: JWTDecodeParams): Promise<JWT | null> {
  const { token, secret, salt } = params;
  if (!token) return null;
  store.walletCookies ??= new Map();
  const kept = store.walletCookies;
  const key = hashSecret(JSON.stringify([token, secret, salt]));
  const known = kept.get(key);
  if (known && isGood(known)) return known;
  kept.delete(key);
  const content = await decode(params);
  if (!content || !isGood(content)) return content;
  kept.set(key, Object.freeze(content));
  const oldest = kept.keys().next().value;
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return content;
}

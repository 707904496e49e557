import { decode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import { oncePerProcess } from "@/lib/observe/once";
import { hashSecret } from "@/lib/secrets/secrets";

const MOST_KEPT = 10_000;

const kept = oncePerProcess("cookies", () => new Map<string, JWT>());

/** Whether a cookie with this content is still good, without next-auth's tolerance. */
const isGood = ({ exp }: JWT): boolean => exp !== undefined && exp * 1000 > Date.now();

/**
 * Answers the content of next-auth's encrypted cookie, or null without a cookie. Each cookie is decrypted
 * only once, because deriving its key for each request took a tenth of a page's time. The memory holds only
 * the content, under the hash of the cookie and its secrets. Other code checks whether the session is live.
 * Throws on a forged or expired cookie, as next-auth does.
 */
export async function decodeCookie(params: JWTDecodeParams): Promise<JWT | null> {
  const { token, secret, salt } = params;
  if (!token) return null;
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

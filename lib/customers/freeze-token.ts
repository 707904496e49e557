import { createHmac, timingSafeEqual } from "node:crypto";
import { isId } from "@/lib/domain/ids";
import { env } from "@/lib/env";

/** How long the link of a receipt freezes, in seconds. */
const TOKEN_SECONDS = 60 * 24 * 60 * 60;

function macOf(text: string): string {
  const key = createHmac("sha256", env().AUTH_SECRET).update("freeze a card").digest();
  return createHmac("sha256", key).update(text).digest("base64url").slice(0, 32);
}

/** The secret of a receipt's "this was not me" link: names the card, signed, good for 60 days. */
export function freezeToken(customerId: string, now: Date): string {
  const text = `${customerId}.${Math.floor(now.getTime() / 1000) + TOKEN_SECONDS}`;
  return `${text}.${macOf(text)}`;
}

/** Where a receipt's "this was not me" leads. */
export function freezeUrl(customerId: string, now: Date): string {
  return `${env().APP_URL}/card/freeze/${freezeToken(customerId, now)}`;
}

/** The card that a token names, or null when it is not ours or too old. */
export function readFreezeToken(token: string, now: Date): string | null {
  const [customerId = "", until = "", mac = ""] = token.split(".");
  const given = Buffer.from(mac);
  const right = Buffer.from(macOf(`${customerId}.${until}`));
  const good = given.length === right.length && timingSafeEqual(given, right);
  return good && isId(customerId) && Number(until) * 1000 > now.getTime() ? customerId : null;
}

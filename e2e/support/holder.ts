import type { BrowserContext } from "@playwright/test";
import { addCardDevice } from "@/lib/cards/card-holder";
import type { Db } from "@/lib/db/client";

/** Makes this browser a device of the card's holder. Answers the token of its cookie. */
export async function holdCard(context: BrowserContext, db: Db, cardId: string): Promise<string> {
  const value = await addCardDevice(db, cardId, new Date());
  const url = process.env.APP_URL ?? "";
  await context.addCookies([{ name: `wallet_card_${cardId}`, value, url, httpOnly: true }]);
  return value;
}

import type { Page } from "@playwright/test";
import { setPin } from "@/lib/accounts/pin";
import type { Db } from "@/lib/db/client";
import { contextOf, type MerchantFixture, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { wordsOf } from "./words";

const { atTill } = wordsOf("en");
const PINS = { "Sara Nasser": "580314", "Omar Nasser": "470925" } as const;

/** Two workers of the shop's branch with a PIN each: Sara Nasser and Omar Nasser. */
export async function makeCashiers(db: Db, shop: MerchantFixture): Promise<void> {
  for (const [name, pin] of Object.entries(PINS)) {
    const [firstName = "", lastName = ""] = name.split(" ");
    const worker = await makeWorker(db, shop, { firstName, lastName });
    await setPin(contextOf(db, worker), { password: PASSWORD, pin });
  }
}

/** Taps a face and types its PIN, where the till asks who is there. */
export async function enter(page: Page, name: keyof typeof PINS): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.keyboard.type(PINS[name]);
}

/** What covers a counter until somebody says who they are. */
export const lockOf = (page: Page) => page.getByRole("dialog").filter({ hasText: atTill.title });
/** The bar with the cashier's name and the way to change. */
export const barOf = (page: Page) => page.getByRole("region", { name: atTill.cashier });

import type { BrowserContext } from "@playwright/test";
import { sendCardCode } from "@/lib/cards/card-code";
import { eraseCustomer } from "@/lib/cards/erase-card";
import type { Db } from "@/lib/db/client";
import { type MerchantFixture, makeCustomer, publicContext } from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";
import { holdCard } from "./support/holder";
import { lastCode } from "./support/mailbox";
import { scan } from "./support/qr";
import { expect, test, waitForOfflineCopy } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 }, deviceScaleFactor: 2 });
const { card: words, customerVerify } = wordsOf("en");
const OFFLINE = /^Offline. Last updated/;

/** A card whose holder this browser is. */
async function makeCard(context: BrowserContext, db: Db, shop: MerchantFixture) {
  const { id, email, publicId } = await makeCustomer(db, shop);
  const holder = await holdCard(context, db, id);
  return { id, holder, publicId, email: email ?? "", path: `/customer/loyalty-card/${id}` };
}

test("on a line that stalls, the card says that it is offline and shows the printed QR code", async ({
  page,
  context,
  shop,
  db,
  baseURL,
}) => {
  const card = await makeCard(context, db, shop);
  await page.goto(card.path);
  const qr = page.getByRole("img", { name: words.qrAlt });
  await expect.poll(() => scan(qr)).toContain("?code=");
  await context.route("**/balance", () => undefined);
  await expect(page.getByText(OFFLINE)).toBeVisible({ timeout: 20_000 });
  await expect.poll(() => scan(qr)).toBe(`${baseURL}/topup/${card.publicId}`);
  await context.unroute("**/balance");
  await expect(page.getByText(OFFLINE)).toBeHidden({ timeout: 10_000 });
});

test("what a browser keeps of a deleted card goes, wherever it was deleted; what it keeps of another card stays", async ({
  page,
  context,
  shop,
  db,
}) => {
  const [kept, card] = [await makeCard(context, db, shop), await makeCard(context, db, shop)];
  const info = JSON.stringify({ customerId: kept.id, customerData: {}, isNewRegistration: false });
  const keeps = ({ id, path }: typeof card) =>
    page.evaluate(
      async (of) => ({
        page: (await caches.match(of.path)) !== undefined,
        state: localStorage.getItem(`cardState:${of.id}`) !== null,
        last: localStorage.getItem("customerInfo")?.includes(of.id) ?? false,
      }),
      { id, path },
    );
  await page.goto(kept.path);
  await waitForOfflineCopy(page);
  await page.evaluate((value) => localStorage.setItem("customerInfo", value), info);
  await expect.poll(() => keeps(kept)).toEqual({ page: true, state: true, last: true });

  await page.goto(card.path);
  await waitForOfflineCopy(page);
  await page.getByRole("button", { name: words.delete }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: words.gateSend }).click();
  await dialog.getByLabel(customerVerify.codeLabel).fill(await lastCode(card.email));
  await dialog.getByRole("button", { name: words.deleteConfirm }).click();
  await expect(page.getByRole("heading", { name: words.deletedTitle })).toBeVisible();
  await expect.poll(() => keeps(card)).toEqual({ page: false, state: false, last: false });
  expect(await keeps(kept)).toEqual({ page: true, state: true, last: true });

  await page.goto(kept.path);
  await expect(page.locator("[data-slot=balance]")).toBeVisible();
  // The holder deletes it on another device.
  const call = withSecrets(publicContext(db));
  const own = { customerId: kept.id, holder: kept.holder };
  await call(sendCardCode, { ...own, purpose: "erase" });
  await call(eraseCustomer, { ...own, code: await lastCode(kept.email) });
  await expect(page.getByRole("heading", { name: words.unknownTitle })).toBeVisible({ timeout: 10_000 });
  await expect(page.locator("[data-slot=balance]")).toBeHidden();
  await expect.poll(() => keeps(kept)).toEqual({ page: false, state: false, last: false });
});

test("where the field for the code does not load, a button tries again", async ({ page, shop, db }) => {
  const customer = await makeCustomer(db, shop);
  await page.goto(`/customer/loyalty-card/${customer.id}`);
  await waitForOfflineCopy(page);
  await page.context().route("**/_next/static/chunks/**", (route) => route.abort());
  await page.getByRole("button", { name: words.gateSend }).click();
  const again = page.getByRole("button", { name: words.tryAgain, exact: true });
  await expect(again).toBeVisible();
  await page.context().unroute("**/_next/static/chunks/**");
  await again.click();
  await expect(page.getByLabel(customerVerify.codeLabel)).toBeVisible();
});

import { readFile } from "node:fs/promises";
import { freezeToken } from "@/lib/cards/freeze-card";
import type { Db } from "@/lib/db/client";
import { formatPhone, maskEmail, maskPhone } from "@/lib/domain/contact";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, type MerchantFixture, makeCustomer } from "@/lib/testing/factories";
import { holdCard } from "./support/holder";
import { lastCode } from "./support/mailbox";
import { scan } from "./support/qr";
import { expect, signIn, test, waitForOfflineCopy } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 }, deviceScaleFactor: 2 });
const words = wordsOf("en").card;

async function makeCard(db: Db, shop: MerchantFixture, points: number) {
  const customer = await makeCustomer(db, shop);
  await topUp(contextOf(db, shop.owner), { customerId: customer.id, points, branchId: shop.branch.id });
  return { ...customer, email: customer.email ?? "", path: `/customer/loyalty-card/${customer.id}` };
}

test("on another device the holder enters a code, reads the statement and downloads the card and the data", async ({
  page,
  shop,
  db,
  baseURL,
}) => {
  const card = await makeCard(db, shop, 70);
  // The browser's own calls pass a tunnel's warning page.
  const bare: string[] = [];
  page.on("request", (request) => {
    const own = request.resourceType() === "fetch" && request.url().includes("/api/");
    if (own && !request.headers()["ngrok-skip-browser-warning"]) bare.push(request.url());
  });
  await page.goto(card.path);
  const qr = page.getByRole("img", { name: words.qrAlt });
  expect(await scan(qr)).toBe(`${baseURL}/topup/${card.publicId}`);
  await expect(page.getByText(card.code ?? "", { exact: true })).toBeVisible();
  // A forwarded link tells no contact.
  await expect(page.getByText(maskEmail(card.email, 1))).toBeVisible();
  await expect(page.getByText(maskPhone(card.phone ?? ""))).toBeVisible();
  await expect(page.getByText(card.email)).toHaveCount(0);
  await page.getByRole("button", { name: words.gateSend }).click();
  await page.getByLabel(wordsOf("en").customerVerify.codeLabel).fill(await lastCode(card.email));
  await expect(
    page.getByText(`${wordsOf("en").email.receipt.kinds.TOP_UP} · ${shop.branch.name}`),
  ).toBeVisible();
  await expect.poll(() => scan(qr)).toContain("?code=");
  await expect(page.getByText(card.email)).toBeVisible();
  await expect(page.getByText(formatPhone(card.phone ?? ""))).toBeVisible();
  await expect(page.getByText(`${card.code}-1`)).toBeVisible();

  const pdf = page.waitForEvent("download");
  await page.getByRole("button", { name: words.download }).click();
  const place = await page.getByText(words.downloading).boundingBox();
  await expect(page.getByRole("button", { name: words.download })).toBeHidden();
  expect((await pdf).suggestedFilename()).toBe("loyalty-card-Layla-Haddad.pdf");
  await expect(page.getByText(words.downloaded)).toBeVisible();
  // What stands there meanwhile takes its place, and it has the focus again.
  await expect(page.getByRole("button", { name: words.download })).toBeFocused();
  expect(await page.getByRole("button", { name: words.download }).boundingBox()).toEqual(place);

  const data = page.waitForEvent("download");
  await page.getByRole("link", { name: words.downloadData }).click();
  const json = JSON.parse(await readFile(await (await data).path(), "utf8"));
  expect(json.customer).toMatchObject({ id: card.id, balance: 70 });
  expect(bare).toEqual([]);
});

test("without a connection the card shows the last balance, statement and printed QR code, the time of the reading, and offers nothing that needs one", async ({
  page,
  context,
  shop,
  db,
  baseURL,
}) => {
  const card = await makeCard(db, shop, 10);
  const paid = { customerId: card.id, branchId: shop.branch.id, points: 35, saleRef: "B-2209" };
  await topUp(contextOf(db, shop.worker), { ...paid, tender: "cash" });
  await holdCard(context, db, card.id);
  await page.goto(card.path);
  await expect(page.getByText("B-2209")).toBeVisible();
  await waitForOfflineCopy(page);
  const qr = page.getByRole("img", { name: words.qrAlt });
  await expect.poll(() => scan(qr)).toContain("?code=");
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText(/^Offline. Last updated/)).toBeInViewport();
  await expect(page.getByText(words.statementKept)).toBeVisible();
  await expect(page.getByText("B-2209")).toBeVisible();
  const download = page.getByRole("button", { name: words.download, exact: true });
  await expect(download).toBeDisabled();
  await expect(page.getByRole("button", { name: words.freeze.button })).toBeHidden();
  await expect(page.locator("[data-slot=balance]")).toHaveText("45 pts");
  await expect.poll(() => scan(qr)).toBe(`${baseURL}/topup/${card.publicId}`);
  await context.setOffline(false);
  await expect(page.getByText(/^Offline. Last updated/)).toBeHidden();
  await expect(download).toBeEnabled();
  // A gateway without a server behind it is no connection either.
  await context.route(/loyalty-card|\/balance/, (route) => route.fulfill({ status: 502 }));
  await page.reload();
  await expect(page.getByText(/^Offline. Last updated/)).toBeVisible();
  await expect(page.locator("[data-slot=balance]")).toHaveText("45 pts");
  // Where nothing is kept, what the gateway says is shown.
  await context.route("**/loyalty-card/*", (route) =>
    route.fulfill({ status: 503, body: "Back in a minute" }),
  );
  expect((await page.goto(`/customer/loyalty-card/${shop.merchant.id}`))?.status()).toBe(503);
  await expect(page.getByText("Back in a minute")).toBeVisible();
});

test("a card is deleted with a code after its balance is given up explicitly", async ({
  page,
  context,
  shop,
  db,
}) => {
  const card = await makeCard(db, shop, 30);
  await holdCard(context, db, card.id);
  await page.goto(card.path);
  await page.getByRole("button", { name: words.delete }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: words.gateSend })).toBeDisabled();
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: words.gateSend }).click();
  await dialog.getByLabel(wordsOf("en").customerVerify.codeLabel).fill(await lastCode(card.email));
  await dialog.getByRole("button", { name: words.deleteConfirm }).click();
  await expect(page.getByRole("heading", { name: words.deletedTitle })).toBeVisible();
  const after = await db.customer.findUniqueOrThrow({ where: { id: card.id } });
  expect(after).toMatchObject({ status: "erased", email: null, phone: null, balance: 0 });

  await signIn(db, page, shop.owner);
  await page.goto("/merchant/transactions");
  const { customers, movements, transactions } = wordsOf("en");
  await page.getByRole("link", { name: customers.erasedName }).first().click();
  await expect(page.getByText(movements.givenUp)).toBeVisible();
  await expect(page.getByText(movements.actors.cardHolder)).toBeVisible();
  await expect(page.getByRole("button", { name: transactions.reverse })).toBeHidden();
});

test("the link 'this was not me' freezes the card only when its button is pressed", async ({
  page,
  shop,
  db,
}) => {
  const card = await makeCard(db, shop, 30);
  await page.goto(`/card/freeze/${freezeToken(card.id, new Date())}`);
  const freeze = page.getByRole("button", { name: wordsOf("en").freeze.freeze });
  await expect(freeze).toBeVisible();
  expect((await db.customer.findUniqueOrThrow({ where: { id: card.id } })).status).toBe("active");
  await freeze.click();
  await expect(page.getByRole("heading", { name: wordsOf("en").freeze.doneTitle })).toBeVisible();
  expect((await db.customer.findUniqueOrThrow({ where: { id: card.id } })).status).toBe("frozen");
});

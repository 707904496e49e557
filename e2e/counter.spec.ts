import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import QRCode from "qrcode";
import sharp from "sharp";
import { topUp } from "@/lib/ledger/move-points";
import { liveCode } from "@/lib/ledger/proof";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { mailTo } from "./support/mailbox";
import { expect, signIn, signInByForm, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const { counter } = words;
const qr = (text: string) => QRCode.toBuffer(text, { width: 400, margin: 4 });

/** Opens a customer's dialog from the search. */
async function open(page: Page, name: string) {
  await page.getByLabel(counter.search.label, { exact: true }).fill(name);
  await page.getByRole("button", { name }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(name)).toBeVisible();
  return dialog;
}

/** The code of the redeem mail, which receipts may stand around. */
async function redeemCode(address: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const subjects = (await mailTo(address)).map(({ subject }) => subject ?? "");
      code = subjects.map((subject) => /^\d{6}(?= is your)/.exec(subject)?.[0]).find(Boolean);
      return code;
    })
    .toBeDefined();
  return code ?? "";
}

test("a card held before the camera opens the dialog; the worker undoes in one touch", async ({
  shop,
  db,
  baseURL,
}, info) => {
  const customer = await makeCustomer(db, shop, { fullName: "Camera Guest" });
  const film = join(tmpdir(), `wallet-film-${customer.id}.mjpeg`);
  const card = await qr(`https://elsewhere.example/topup/${customer.publicId}?src=apple`);
  const picture = { create: { width: 640, height: 480, channels: 3, background: "#777" } } as const;
  writeFileSync(
    film,
    await sharp(picture)
      .composite([{ input: card }])
      .jpeg()
      .toBuffer(),
  );
  const { launchOptions } = info.project.use;
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  const context = await browser.newContext({ baseURL, locale: "en-GB", permissions: ["camera"] });
  const page = await context.newPage();
  try {
    await signIn(db, page, shop.worker);
    await page.goto("/employee/topup");
    await expect(page.getByText(counter.appleDetected.topup)).toBeVisible();
    await expect(page.getByText(counter.found, { exact: true })).toBeVisible();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Camera Guest")).toBeVisible();
    await dialog.getByRole("button", { name: "200", exact: true }).click();
    await dialog.getByRole("button", { name: "Add 200 Cash" }).click();
    await expect(dialog.getByText("Successfully added 200 Cash to customer's account!")).toBeVisible();
    await dialog.getByRole("button", { name: counter.undo }).click();
    await expect(dialog.getByText("Undone: 200 Cash moved back.")).toBeVisible();
  } finally {
    await browser.close();
    rmSync(film, { force: true });
  }
  const { balance, movementCount } = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
  expect([balance, movementCount]).toEqual([0, 2]);
});

test("an answer that is lost is asked for again, over a reload, and booked once", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Lost Answer" });
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  await page.route("**/api/top-up-points", async (route) => {
    await route.fetch();
    await route.abort();
  });
  const dialog = await open(page, "Lost Answer");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("1.5");
  await expect(dialog.getByText(counter.invalidInput)).toBeVisible();
  await expect(dialog.getByText(words.validation.points.whole)).toBeVisible();
  await expect(dialog.getByRole("button", { name: counter.addCash })).toBeDisabled();
  await dialog.getByLabel(counter.amount, { exact: true }).fill("٧٥");
  await dialog.getByRole("button", { name: "Add 75 Cash" }).dblclick();
  await expect(dialog.getByText(counter.addFailed)).toBeVisible();
  await page.unroute("**/api/top-up-points");
  await page.reload();
  await expect(dialog.getByText(counter.unsure)).toBeVisible();
  // Turned away before it was read, the repeat says nothing of the first: no new key may be made now.
  await page.route("**/api/top-up-points", (route) =>
    route.fulfill({ status: 429, json: { status: 429, code: "rate_limited", message: "Later" } }),
  );
  const refused = page.waitForResponse((response) => response.status() === 429);
  await dialog.getByRole("button", { name: counter.tryAgain }).click();
  await refused;
  await page.unroute("**/api/top-up-points");
  await dialog.getByRole("button", { name: counter.tryAgain }).click();
  await expect(dialog.getByText("Successfully added 75 Cash to customer's account!")).toBeVisible();
  await dialog.getByRole("button", { name: counter.done }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Lost Answer" })).toContainText("+75 pts");
  const { balance, movementCount } = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
  expect([balance, movementCount]).toEqual([75, 1]);
});

test("an attempt that was never answered is not offered to the next person at this counter", async ({
  page,
  shop,
  db,
}) => {
  await makeCustomer(db, shop, { fullName: "Handed Over" });
  const colleague = await makeWorker(db, shop);
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  await page.route("**/api/top-up-points", (route) => route.abort());
  const dialog = await open(page, "Handed Over");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("75");
  await dialog.getByRole("button", { name: "Add 75 Cash" }).click();
  await expect(dialog.getByText(counter.unsure)).toBeVisible();
  await page.unroute("**/api/top-up-points");
  await page.context().clearCookies();
  await signIn(db, page, colleague);
  await page.goto("/employee/topup");
  await expect(page.getByText(counter.recent.none)).toBeVisible();
  await expect(dialog).toBeHidden();
  const again = await open(page, "Handed Over");
  await expect(again.getByLabel(counter.amount, { exact: true })).toHaveValue("");
  await page.keyboard.press("Escape");
  await page.context().clearCookies();
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  await expect(dialog.getByText(counter.unsure)).toBeVisible();
});

test("past the allowance a mailed code is asked for, sent and accepted", async ({ page, shop, db }) => {
  const customer = await makeCustomer(db, shop, { fullName: "Proof Guest" });
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  let dialog = await open(page, "Proof Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("300");
  await dialog.getByRole("button", { name: "Add 300 Cash" }).click();
  await dialog.getByRole("button", { name: counter.done }).click();
  await page.goto("/employee/redeem");
  dialog = await open(page, "Proof Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("301");
  await expect(dialog.getByText("Not enough balance: 300 points are available.")).toBeVisible();
  await dialog.getByLabel(counter.amount, { exact: true }).fill("120");
  await dialog.getByRole("button", { name: "Redeem 120 Cash" }).click();
  await expect(dialog.getByText(counter.proof.title)).toBeVisible();
  await dialog.getByRole("button", { name: counter.proof.send }).click();
  const code = await redeemCode(customer.email ?? "");
  const field = dialog.getByLabel(counter.proof.code);
  await field.fill(code === "000000" ? "000001" : "000000");
  await expect(dialog.getByText(counter.proof.wrongTitle)).toBeVisible();
  await dialog.getByLabel(counter.proof.code).fill(code);
  await expect(dialog.getByText("Successfully redeemed 120 Cash from customer's account!")).toBeVisible();
  await expect(dialog.getByText("180 pts")).toBeVisible();
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).balance).toBe(180);
});

test("typing never shows an older answer over a newer one; a photo is read as well", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Zainab Older" });
  await makeCustomer(db, shop, { fullName: "Zainab Newer" });
  await signIn(db, page, shop.worker);
  await page.goto("/employee/redeem");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/search=zainab%20old/i, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const asked = page.waitForRequest(/search=zainab%20old/i);
  const field = page.getByLabel(counter.search.label, { exact: true });
  await field.fill("zainab old");
  await asked;
  await field.fill("zainab new");
  const results = page.getByRole("list", { name: counter.search.results });
  await expect(results.getByText("Zainab Newer")).toBeVisible();
  release();
  await expect(results.getByText("Zainab Older")).toHaveCount(0);
  await field.fill("");
  const photo = { name: "card.png", mimeType: "image/png", buffer: await qr(customer.publicId) };
  await page.getByLabel(counter.scanner.photo).first().setInputFiles(photo);
  await expect(page.getByRole("dialog").getByText("Zainab Older")).toBeVisible();
});

test("what a top-up link does for each reader", async ({ page, shop, db }) => {
  const { topup } = words;
  const stranger = await makeCustomer(db, await makeMerchant(db));
  await page.goto(`/topup?customerId=${stranger.publicId}&src=apple`);
  await expect(page).toHaveURL(/\/login\?returnUrl=%2Ftopup%3FcustomerId/);
  await expect(page.getByText(words.auth.loginForTopup)).toBeVisible();
  await signInByForm(page, shop.worker, page.url());
  await expect(page.getByRole("heading", { name: topup.notAssociated })).toBeVisible();
  await page.getByRole("link", { name: topup.goToTopup }).click();
  await expect(page).toHaveURL(/\/employee\/topup$/);
  const own = await makeCustomer(db, shop, { fullName: "Own Guest" });
  await page.goto(`/topup/${own.publicId}`);
  await expect(page.getByText(topup.ready)).toBeAttached();
  await expect(page.getByRole("dialog").getByText("Own Guest")).toBeVisible();
  await db.session.updateMany({ where: { userId: shop.worker.id }, data: { revokedAt: new Date() } });
  await page.getByRole("dialog").getByRole("button", { name: "10", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add 10 Cash" }).click();
  await expect(page.getByRole("heading", { name: topup.authenticationRequired })).toBeVisible();
  await page.getByRole("link", { name: topup.goToLogin }).click();
  await expect(page).toHaveURL(new RegExp(`/login\\?ended=1&returnUrl=%2Ftopup%2F${own.publicId}`));
  await expect(page.getByText(words.auth.loginForTopup)).toBeVisible();
  expect(await db.movement.count({ where: { customerId: own.id } })).toBe(0);
});

test("a live code that is scanned with the card is the proof; a link keeps it for the redeem", async ({
  page,
  shop,
  db,
  baseURL,
}) => {
  const guest = async (fullName: string) => {
    const customer = await makeCustomer(db, shop, { fullName });
    const given = { customerId: customer.id, branchId: shop.branch.id, points: 500 };
    await topUp(contextOf(db, shop.worker), given);
    return customer;
  };
  // A card each: a code pays once, and one from before now could pass its 60 seconds while the page is used.
  const [scanned, linked] = [await guest("Scanned Guest"), await guest("Linked Guest")];
  const link = (id: string, publicId: string) => `/topup/${publicId}?code=${liveCode(id, new Date())}`;
  await signIn(db, page, shop.worker);
  const redeem = async (name: string, n: number) => {
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(name)).toBeVisible();
    await dialog.getByLabel(counter.amount, { exact: true }).fill(String(n));
    await dialog.getByRole("button", { name: `Redeem ${n} Cash` }).click();
    await expect(dialog.getByText(`Successfully redeemed ${n} Cash from customer's account!`)).toBeVisible();
    await dialog.getByRole("button", { name: counter.done }).click();
  };
  await page.goto("/employee/redeem");
  const card = await qr(`${baseURL}${link(scanned.id, scanned.publicId)}`);
  const photo = { name: "card.png", mimeType: "image/png", buffer: card };
  await page.getByLabel(counter.scanner.photo).first().setInputFiles(photo);
  await redeem("Scanned Guest", 200);
  await page.goto(link(linked.id, linked.publicId));
  await page.getByRole("link", { name: words.topup.redeemInstead }).click();
  await expect(page).toHaveURL(/\/employee\/redeem\?customerId=/);
  await redeem("Linked Guest", 150);
  const balance = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).balance;
  expect([await balance(scanned.id), await balance(linked.id)]).toEqual([300, 350]);
});

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { User } from "@/lib/db/generated/client";
import { type Dots, readEscPos } from "@/lib/testing/escpos";
import { type MerchantFixture, makeBranch, makeCustomer } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { decodeQr } from "./support/qr";
import {
  type ArabicText,
  coverage,
  dotsOf,
  layOut,
  PRINTER,
  plugInPrinter,
  pngOf,
  readArabic,
  readsArabic,
} from "./support/receipts";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en").receipts;
const arabic = wordsOf("ar");
/** Of digits, which no reader of Arabic takes for letters. */
const CODE = "745236";
const NAME = "عبد الرحمن بن خليفة بن حمد الكعبي";

/** A cash top-up by the worker at a branch with a long Arabic name. */
async function topUp(db: Parameters<typeof move>[0], shop: MerchantFixture & { worker: User }) {
  await db.merchant.update({
    where: { id: shop.merchant.id },
    data: { businessName: "مقهى كرك الدوحة القديمة" },
  });
  const called = { firstName: "محمد", lastName: "الأنصاري" };
  const actor = await db.user.update({ where: { id: shop.worker.id }, data: called });
  const branch = await makeBranch(db, shop, { name: "فرع مدينة خليفة الشمالية" });
  const customer = await makeCustomer(db, shop, { fullName: NAME, code: CODE });
  return await move(db, { ...shop, branch }, customer, { points: 1250, actor, tender: "cash" });
}

/** Opens a receipt from its transaction, as the worker. */
async function openReceipt(page: Page, movementId: string) {
  await page.goto(`/employee/transactions/${movementId}`);
  const dialog = page.getByRole("dialog");
  // The page may not be interactive yet.
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.getByRole("button", { name: words.print }).click();
    await expect(dialog).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(dialog.getByText("+QAR 1,250.00")).toBeVisible();
  await expect(dialog.getByText(`${CODE}-1`)).toBeVisible();
  return dialog;
}

test("a receipt on a USB printer: set-up, test print, the original with its QR and its Arabic, then a copy", async ({
  page,
  db,
  shop,
}) => {
  // It reads dozens of pictures.
  test.slow();
  const { id } = await topUp(db, shop);
  const jobs = await plugInPrinter(page);
  await signIn(db, page, shop.worker);
  const dialog = await openReceipt(page, id);
  // The page's own headers let it reach printers.
  const reachable = await page.evaluate(() => {
    const { featurePolicy } = document as unknown as { featurePolicy: { allowedFeatures: () => string[] } };
    return featurePolicy.allowedFeatures();
  });
  expect(reachable).toEqual(expect.arrayContaining(["usb", "serial"]));
  await dialog.getByRole("button", { name: words.printer.open, exact: true }).click();
  await dialog.getByRole("button", { name: words.printer.usb }).click();
  await expect(dialog.getByText(words.printer.connected.replace("{name}", PRINTER))).toBeVisible();
  await dialog.getByRole("button", { name: words.printer.test }).click();
  await expect.poll(() => jobs.length).toBe(1);
  expect(readEscPos(jobs[0] ?? new Uint8Array())).toMatchObject({ pulses: 0, cuts: 1, text: "" });
  expect(await db.receiptPrint.count({ where: { movementId: id } })).toBe(0);

  await dialog.getByRole("button", { name: words.printer.back }).click();
  const print = dialog.getByRole("button", { name: words.byPrinter.replace("{name}", PRINTER) });
  await print.click();
  await expect(dialog.getByText(words.sent)).toBeVisible();
  const original = readEscPos(jobs[1] ?? new Uint8Array());
  expect(original).toMatchObject({ pulses: 1, cuts: 1, text: "", picture: { width: 576 } });
  expect(await decodeQr(await pngOf(original.picture))).toEqual([
    `${process.env.APP_URL}/customer/loyalty-card`,
  ]);

  const texts = await expectAsShown(page, original.picture);
  expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(["مقهى كرك الدوحة القديمة", "نقدًا"]));
  if (readsArabic()) {
    const { letters, right, misread } = await readArabic(original.picture, texts);
    console.log(`tesseract read ${right} of ${letters} Arabic letters of the receipt. ${misread.join("; ")}`);
    expect(right / letters).toBeGreaterThanOrEqual(0.95);
  } else console.log('not run: reading the receipt\'s Arabic (no tesseract with the model "ara")');

  await page.reload();
  await openReceipt(page, id);
  await expect(dialog.getByText("COPY", { exact: true })).toBeVisible();
  expect(jobs).toHaveLength(2);
  await print.click();
  await expect(dialog.getByText(words.sent)).toBeVisible();
  const copy = readEscPos(jobs[2] ?? new Uint8Array());
  expect(copy).toMatchObject({ pulses: 0, cuts: 1 });
  expect(copy.picture.height).toBeGreaterThan(original.picture.height);
  expect((await expectAsShown(page, copy.picture)).map(({ text }) => text)).toContain(arabic.receipts.copy);
  expect(await db.receiptPrint.findUnique({ where: { movementId: id } })).toMatchObject({ prints: 2 });

  await dialog.getByRole("button", { name: words.printer.open, exact: true }).click();
  await dialog.getByRole("button", { name: words.printer.forget }).click();
  await expect(dialog.getByText(words.printer.none)).toBeVisible();
});

for (const width of [58, 80] as const) {
  test(`with the browser's dialog the receipt alone is on paper of ${width} mm, and the second says COPY`, async ({
    page,
    db,
    shop,
  }) => {
    await db.merchant.update({ where: { id: shop.merchant.id }, data: { paperWidth: width } });
    const { id } = await topUp(db, shop);
    await page.addInitScript(() => {
      let prints = 0;
      window.print = () => {
        document.title = `printed ${++prints}`;
      };
    });
    await signIn(db, page, shop.worker);
    const dialog = await openReceipt(page, id);
    const head = dialog.locator("[data-slot=receipt-head]");
    await expect(head).toHaveCSS("background-image", /\/card\/note\//);
    await expect(head).toContainText("مقهى كرك الدوحة القديمة");
    const print = dialog.getByRole("button", { name: words.byBrowser, exact: true });
    await print.click();
    await expect(page).toHaveTitle("printed 1");
    const first = await paperOf(page);
    expect(first.pages).toBe(1);
    expect(first.millimetres).toBe(width);
    for (const text of ["+1,250 pts", "QAR 1,250.00", "Paid in cash", `${CODE}-1`]) {
      expect(first.text).toContain(text);
    }
    // Nothing of the page around it.
    expect(first.text).not.toMatch(/COPY|Transactions|Done|Printer/);
    await print.click();
    await expect(page).toHaveTitle("printed 2");
    await expect(dialog.getByText(arabic.receipts.copy)).toBeVisible();
    expect((await paperOf(page)).text).toContain("COPY");
  });
}

/** A printed receipt is as the browser itself shows it at the printer's dots. Answers the Arabic texts and where they are. */
async function expectAsShown(page: Page, printed: Dots): Promise<ArabicText[]> {
  const texts = await layOut(page.getByRole("dialog").locator("[data-slot=paper]"), printed.width);
  const screen = page.locator("[data-slot=on-screen]");
  const shown = await dotsOf(screen);
  await screen.evaluate((element) => element.remove());
  expect(Math.abs(shown.height - printed.height)).toBeLessThanOrEqual(8);
  expect(coverage(printed, shown)).toBeGreaterThan(0.99);
  expect(coverage(shown, printed)).toBeGreaterThan(0.99);
  return texts;
}

/** What the page prints: its text, and the size of its sheets. */
async function paperOf(page: Page) {
  const file = join(tmpdir(), `wallet-paper-${crypto.randomUUID()}.pdf`);
  try {
    writeFileSync(file, await page.pdf({ preferCSSPageSize: true }));
    const info = execFileSync("pdfinfo", [file], { encoding: "utf8" });
    const points = Number(/Page size:\s+([\d.]+)/.exec(info)?.[1]);
    return {
      text: execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }),
      pages: Number(/Pages:\s+(\d+)/.exec(info)?.[1]),
      millimetres: Math.round((points * 25.4) / 72),
    };
  } finally {
    rmSync(file, { force: true });
  }
}

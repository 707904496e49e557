import type { Page } from "@playwright/test";
import { uniqueEmail } from "@/lib/testing/factories";
import { lastCode, mailTo } from "./support/mailbox";
import { expect, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 } });
const words = wordsOf("en").customerVerify;

/** A sign-up that waits for its code, as the form leaves it in the browser. */
async function pending(page: Page, email: string, iMerchantId: string): Promise<void> {
  const data = { sFullName: "Layla Haddad", sPhoneNumber: "+97433123456", dDateOfBirth: "1995-04-12" };
  await page.goto("/privacy");
  await page.evaluate(
    (text) => localStorage.setItem("customerData", text),
    JSON.stringify({ ...data, sEmail: email, iMerchantId }),
  );
}

const digits = (page: Page) =>
  page
    .getByRole("textbox")
    .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value).join(""));

test("without a waiting sign-up the page leads back to it", async ({ page, shop }) => {
  await page.goto("/customer/verify");
  await expect(page).toHaveURL(/\/customer\/signup\/?$/);
  await pending(page, "", shop.merchant.id);
  await page.goto("/customer/verify");
  await expect(page).toHaveURL(new RegExp(`/customer/signup/${shop.merchant.id}$`));
});

test("boxes move on and back, take a pasted code, and a wrong one says so until it is edited", async ({
  page,
  shop,
  db,
}) => {
  const email = uniqueEmail("layla");
  await pending(page, email, shop.merchant.id);
  await page.goto("/customer/verify");
  const verify = page.getByRole("button", { name: words.verify });
  const boxes = page.getByRole("textbox");
  const code = await lastCode(email);
  await boxes.first().click();
  await page.keyboard.type("12345");
  await expect(verify).toBeDisabled();
  await expect(boxes.nth(5)).toBeFocused();
  await page.keyboard.press("Backspace");
  await expect(boxes.nth(4)).toBeFocused();
  expect(await digits(page)).toBe("1234");
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  await boxes.first().fill(wrong);
  expect(await digits(page)).toBe(wrong);
  await verify.click();
  const problem = page.locator("form").getByRole("alert");
  await expect(problem).toHaveText(words.invalid);
  await boxes.nth(2).press("5");
  await expect(problem).toBeHidden();
  const arabic = code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)] ?? "");
  await boxes.nth(3).evaluate((box, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, arabic);
  expect(await digits(page)).toBe(code);
  await verify.click();
  await expect(page.getByRole("heading", { name: words.doneTitle })).toBeVisible();
  const kept = await page.evaluate(() => [localStorage.customerData, localStorage.customerInfo]);
  expect(kept[0]).toBeUndefined();
  expect(JSON.parse(kept[1])).toMatchObject({ isNewRegistration: true, customerData: { sEmail: email } });
  // The browser's cookie was the only way to register.
  expect(await db.verification.findFirstOrThrow({ where: { email } })).toMatchObject({ address: null });
});

test("a code is sent once on entry; after 300 seconds it has expired and may be sent again", async ({
  page,
  shop,
}) => {
  const email = uniqueEmail("layla");
  await page.clock.install();
  await pending(page, email, shop.merchant.id);
  await page.goto("/customer/verify");
  const first = await lastCode(email);
  const resend = page.getByRole("button", { name: words.resend });
  await expect(page.getByText(/5:00|4:\d\d/)).toBeVisible();
  await expect(resend).toBeDisabled();
  await page.getByRole("textbox").first().fill("12");
  await page.clock.fastForward("05:01");
  await expect(page.getByText(words.expired)).toBeVisible();
  await expect(resend).toBeEnabled();
  expect(await mailTo(email)).toHaveLength(1);
  await resend.click();
  await expect(page.getByText(/5:00|4:\d\d/)).toBeVisible();
  expect(await digits(page)).toBe("");
  expect(await lastCode(email, 2)).not.toBe(first);
});

test("from the sign-up form no second code is sent, and Back to Profile forgets it", async ({
  page,
  shop,
}) => {
  const email = uniqueEmail("layla");
  await pending(page, email, shop.merchant.id);
  await page.goto("/customer/verify?from=signup");
  await expect(page.getByText(/5:00|4:\d\d/)).toBeVisible();
  await page.getByRole("button", { name: words.back }).click();
  await expect(page).toHaveURL(new RegExp(`/customer/signup/${shop.merchant.id}$`));
  expect(await page.evaluate(() => localStorage.customerData)).toBeUndefined();
  expect(await mailTo(email)).toHaveLength(0);
});

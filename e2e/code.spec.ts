import type { Page } from "@playwright/test";
import { uniqueEmail } from "@/lib/testing/factories";
import { expect, test } from "./support/test";

test.use({ viewport: { width: 360, height: 780 } });

/** The sign-up's code step, as the form leaves it in the browser. */
async function openCodeStep(page: Page, email: string, iMerchantId: string): Promise<void> {
  const data = { sFullName: "Layla Haddad", sPhoneNumber: "+97433123456", dDateOfBirth: "1995-04-12" };
  await page.goto("/privacy");
  await page.evaluate(
    (text) => localStorage.setItem("customerData", text),
    JSON.stringify({ ...data, sEmail: email, iMerchantId }),
  );
  await page.goto("/customer/verify");
}

const entered = (page: Page) =>
  page
    .getByRole("textbox")
    .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value).join(""));

test("digits typed over others replace them one by one", async ({ page, shop }) => {
  await openCodeStep(page, uniqueEmail("layla"), shop.merchant.id);
  const first = page.getByRole("textbox").first();
  await first.click();
  await page.keyboard.type("12346");
  await first.click({ position: { x: 2, y: 20 } });
  await page.keyboard.press("Home");
  await page.keyboard.type("12345");
  expect(await entered(page)).toBe("12345");
});

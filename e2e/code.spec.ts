import type { Page } from "@playwright/test";
import { makeCustomer, uniqueEmail } from "@/lib/testing/factories";
import { lastCode, wrongCode } from "./support/mailbox";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 } });
const words = wordsOf("en").customerVerify;
const arabicDigits = (code: string) => code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)] ?? "");

/** Opens the code step of a sign-up whose data the form stored in the browser. Answers the code field. */
async function openCodeStep(page: Page, email: string, iMerchantId: string, label = words.codeLabel) {
  const person = { sFullName: "Layla Haddad", sPhoneNumber: "+97433123456", dDateOfBirth: "1995-04-12" };
  const data = { ...person, bConsent: true };
  await page.goto("/privacy");
  await page.evaluate(
    (text) => localStorage.setItem("customerData", text),
    JSON.stringify({ ...data, sEmail: email, iMerchantId }),
  );
  await page.goto("/customer/verify");
  const field = page.getByRole("textbox", { name: label });
  // The field takes no keys while the page sends the code.
  await expect(field).toBeEditable();
  return field;
}

/** Pastes a text at the cursor. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const init = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", init));
  }, text);
}

/** The visible boxes of the code field. */
const boxesOf = (page: Page) => page.locator("[data-input-otp-container] [aria-hidden]").first();

test("digits are typed over one by one and Arabic ones accepted; missing ones show a message; a wrong code is cleared, and its message stays until the next digit", async ({
  page,
  shop,
}) => {
  const email = uniqueEmail("layla");
  const field = await openCodeStep(page, email, shop.merchant.id);
  await test.step("typing over digits replaces them one by one, accepts Arabic digits and ignores other characters", async () => {
    await expect(field).toHaveAttribute("autocomplete", "one-time-code");
    // The field follows the caret by an event, so each key waits for the one before.
    const caretAt = async (place: number) => {
      await expect(field).toHaveAttribute("data-input-otp-mss", String(place));
      const chosen = () =>
        field.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd]);
      const digits = (await field.inputValue()).length;
      await expect.poll(chosen).toEqual([place, Math.min(place + 1, digits)]);
    };
    await field.focus();
    await page.keyboard.type("12346");
    await caretAt(5);
    await page.keyboard.press("Home");
    await caretAt(0);
    await page.keyboard.type("12345");
    await expect(field).toHaveValue("12345");
    await caretAt(5);
    await page.keyboard.press("Home");
    await caretAt(0);
    await page.keyboard.type("٩٨ x-٧٦");
    await expect(field).toHaveValue("98765");
    await expect(boxesOf(page)).toHaveText("98765");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await expect(field).toHaveValue("987");
    await caretAt(3);
    await page.keyboard.press("ArrowLeft");
    await caretAt(2);
    await page.keyboard.press("ArrowLeft");
    await caretAt(1);
    await page.keyboard.type("٠");
    await expect(field).toHaveValue("907");
  });

  await test.step("Verify with missing digits shows a message; a wrong code is cleared, and its message stays until the next digit", async () => {
    const code = await lastCode(email);
    const verify = page.getByRole("button", { name: words.verify });
    const problem = page.locator("form").getByRole("alert");
    await field.fill("");
    await field.focus();
    await page.keyboard.type("12345");
    await expect(verify).toBeDisabled();
    // The button is only aria-disabled: a press shows a message.
    await verify.click({ force: true });
    await expect(problem).toHaveText(words.incomplete);
    await expect(field).toBeFocused();
    await page.keyboard.press("Backspace");
    await expect(problem).toBeHidden();
    await page.keyboard.press("Enter");
    await expect(problem).toHaveText(words.incomplete);
    await field.fill(wrongCode(code));
    await expect(problem).toHaveText(words.invalid);
    await expect(field).toHaveValue("");
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await page.keyboard.type("7");
    await expect(problem).toBeHidden();
    // The whole code is pasted with the spaces around it in the e-mail, over the digit that is there.
    await paste(page, ` ${arabicDigits(code.slice(0, 3))} ${arabicDigits(code.slice(3))} `);
    await expect(page.getByRole("heading", { name: words.doneTitle })).toBeVisible();
  });
});

test("in Arabic the boxes are ordered left to right, and the last digit submits the code", async ({
  page,
  context,
  shop,
  baseURL,
}) => {
  await context.addCookies([{ name: "locale", value: "ar", url: baseURL ?? "" }]);
  const email = uniqueEmail("layla");
  const ar = wordsOf("ar").customerVerify;
  const field = await openCodeStep(page, email, shop.merchant.id, ar.codeLabel);
  await field.focus();
  await page.keyboard.type("12");
  const boxes = boxesOf(page).locator("span[class*=h-14]");
  const [first, second] = [await boxes.first().boundingBox(), await boxes.nth(1).boundingBox()];
  expect(first?.x).toBeLessThan(second?.x ?? 0);
  await page.keyboard.press("Home");
  await page.keyboard.type(arabicDigits(await lastCode(email)));
  await expect(page.getByRole("heading", { name: ar.doneTitle })).toBeVisible();
});

test("the card holder and the merchant's owner enter codes in the same way", async ({ page, shop, db }) => {
  const { card, customers } = wordsOf("en");
  const customer = await makeCustomer(db, shop, { status: "frozen" });
  const email = customer.email ?? "";
  await page.goto(`/customer/loyalty-card/${customer.id}`);
  await page.getByRole("button", { name: card.gateSend }).click();
  const gate = page.getByRole("textbox", { name: words.codeLabel });
  await expect(gate).toBeFocused();
  await expect(gate).toBeEditable();
  const first = await lastCode(email);
  await page.keyboard.type(wrongCode(first));
  await expect(page.getByText(words.invalid)).toBeVisible();
  await expect(gate).toBeFocused();
  await expect(gate).toBeEditable();
  await page.keyboard.type(first);
  await expect(page.getByRole("button", { name: card.gateConfirm })).toBeHidden();

  await signIn(db, page, shop.owner);
  await page.goto(`/merchant/customers/${customer.id}`);
  await page.getByRole("button", { name: email }).click();
  const field = page.getByRole("textbox", { name: customers.code });
  await expect(field).toBeFocused();
  await expect(field).toBeEditable();
  const second = await lastCode(email, 2);
  await page.keyboard.type(wrongCode(second));
  await expect(page.getByText(words.invalid)).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(field).toBeEditable();
  await page.keyboard.type(arabicDigits(second));
  await expect(page.getByText(customers.frozenTitle)).toBeHidden();
  expect(await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).toMatchObject({
    status: "active",
  });
});

import type { Page } from "@playwright/test";
import { uniqueEmail } from "@/lib/testing/factories";
import { lastCode } from "./support/mailbox";
import { expect, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 } });

// The keystroke-level model of Card, Moran and Newell: a key of an average typist, and a thought before each field.
const KEY_SECONDS = 0.28;
const THOUGHT_SECONDS = 1.35;
const GOAL_SECONDS = 45;

// With the digits of an Arabic keyboard.
const PERSON = { name: "ليلى حداد", phone: "٣٣١٢٣٤٥٦", birth: "٢١٠٣١٩٩٤" };

/** Types like a person, and counts. */
function typist(page: Page) {
  const done = { keys: 0, thoughts: 0 };
  return {
    done,
    type: async (text: string) => {
      done.keys += text.length;
      done.thoughts += 1;
      await page.keyboard.type(text);
    },
    press: async (key: string) => {
      done.keys += 1;
      await page.keyboard.press(key);
    },
  };
}

test(`sign-up needs the keyboard alone and less than ${GOAL_SECONDS} seconds of typing`, async ({
  page,
  context,
  shop,
  db,
  baseURL,
}) => {
  await context.addCookies([{ name: "locale", value: "ar", url: baseURL ?? "" }]);
  const { customerSignup: words, customerVerify } = wordsOf("ar");
  const email = uniqueEmail("layla");
  await page.goto(`/customer/signup/${shop.merchant.publicId}`);
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  const birth = page.getByLabel(words.dateOfBirth);
  const autofill: [string, string][] = [
    [words.fullName, "name"],
    [words.email, "email"],
    [words.phone, "tel"],
    [words.dateOfBirth, "bday"],
  ];
  for (const [label, name] of autofill)
    await expect(page.getByLabel(label)).toHaveAttribute("autocomplete", name);
  await expect(page.getByLabel(words.email)).toHaveAttribute("inputmode", "email");
  await expect(page.getByLabel(words.phone)).toHaveAttribute("inputmode", "tel");
  await expect(birth).toHaveAttribute("inputmode", "numeric");

  const { done, type, press } = typist(page);
  // Language and theme come first.
  for (let step = 0; step < 3; step++) await press("Tab");
  await expect(page.getByLabel(words.fullName)).toBeFocused();
  for (const text of [PERSON.name, email, PERSON.phone, PERSON.birth]) {
    await type(text);
    await press("Tab");
  }
  await expect(birth).toHaveValue("21/03/1994");
  await press("Space");
  await expect(page.getByRole("checkbox")).toBeChecked();
  // Past the privacy notice to the button.
  await press("Tab");
  await press("Tab");
  await press("Enter");
  await expect(page).toHaveURL(/\/customer\/verify\?from=signup/);

  await expect(page.locator("[data-slot=loyalty-card]")).toContainText(shop.merchant.businessName);
  const code = await lastCode(email);
  const field = page.getByRole("textbox", { name: customerVerify.codeLabel });
  await expect(field).toHaveAttribute("inputmode", "numeric");
  await expect(field).toBeFocused();
  await type(code);
  await expect(page.getByRole("heading", { name: customerVerify.doneTitle })).toBeVisible();
  const card = await db.customer.findFirstOrThrow({ where: { email } });
  expect(card).toMatchObject({ fullName: PERSON.name, phone: "+97433123456" });
  expect(card.dateOfBirth?.toISOString().slice(0, 10)).toBe("1994-03-21");

  const seconds = done.keys * KEY_SECONDS + done.thoughts * THOUGHT_SECONDS;
  console.log(`${done.keys} keys, about ${seconds.toFixed(0)} s of typing`);
  expect(seconds).toBeLessThan(GOAL_SECONDS);
});

test.describe("on the way back from the code", () => {
  const { customerSignup: words, customerVerify } = wordsOf("en");

  /** The form's fields with what is typed into them. */
  const typed = (email: string): [string, string][] => [
    [words.fullName, "Layla Haddad"],
    [words.email, email],
    [words.phone, "+974 3312 3456"],
    [words.dateOfBirth, "21/03/1994"],
  ];

  /** Fills and sends the form, as far as the page of the code. */
  async function signUpAt(page: Page, path: string, email: string): Promise<void> {
    await page.goto(path);
    for (const [label, text] of typed(email)) await page.getByLabel(label).fill(text);
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: words.submit }).click();
    await expect(page.getByText(email)).toBeVisible();
    await lastCode(email);
  }

  async function expectTyped(page: Page, email: string): Promise<void> {
    for (const [label, text] of typed(email)) await expect(page.getByLabel(label)).toHaveValue(text);
    await expect(page.getByRole("checkbox")).toBeChecked();
  }

  async function expectEmpty(page: Page): Promise<void> {
    for (const [label] of typed("")) await expect(page.getByLabel(label)).toHaveValue("");
    await expect(page.getByRole("checkbox")).not.toBeChecked();
  }

  test("Back to Profile shows what was typed, once, so that only the wrong letter is typed again", async ({
    page,
    shop,
    db,
  }) => {
    const path = `/customer/signup/${shop.merchant.publicId}`;
    const [mistyped, email] = [uniqueEmail("laila"), uniqueEmail("layla")];
    await signUpAt(page, path, mistyped);
    await page.getByRole("button", { name: customerVerify.back }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expectTyped(page, mistyped);
    expect(await page.evaluate(() => localStorage.customerData)).toBeUndefined();
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain("Layla");

    await page.getByLabel(words.email).fill(email);
    await page.getByRole("button", { name: words.submit }).click();
    await page.getByLabel(customerVerify.codeLabel).fill(await lastCode(email));
    await expect(page.getByRole("heading", { name: customerVerify.doneTitle })).toBeVisible();
    expect(await db.customer.findFirstOrThrow({ where: { email } })).toMatchObject({
      fullName: "Layla Haddad",
      phone: "+97433123456",
      merchantId: shop.merchant.id,
    });
  });

  test("the browser's own Back shows it too, after a reload; whoever opens the link anew finds an empty form, in this tab and in another", async ({
    page,
    shop,
    context,
  }) => {
    await test.step("so does the browser's own Back, also after the tab was loaded again", async () => {
      const path = `/customer/signup/${shop.merchant.publicId}`;
      const email = uniqueEmail("layla");
      await signUpAt(page, path, email);
      await page.reload();
      await expect(page.getByText(email)).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await expectTyped(page, email);
    });

    await test.step("whoever opens the link anew finds an empty form, in this tab and in another", async () => {
      const path = `/customer/signup/${shop.merchant.publicId}`;
      const email = uniqueEmail("layla");
      await signUpAt(page, path, email);
      const other = await context.newPage();
      await other.goto(path);
      await expectEmpty(other);
      await page.goto(path);
      await expectEmpty(page);
      await signUpAt(page, path, email);
      await page.getByRole("button", { name: customerVerify.back }).click();
      await expectTyped(page, email);
      await page.goto(path);
      await expectEmpty(page);
    });
  });
});

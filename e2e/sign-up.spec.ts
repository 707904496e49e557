import type { Page } from "@playwright/test";
import { LOCALES, type Locale } from "@/lib/domain/roles";
import { uniqueEmail } from "@/lib/testing/factories";
import { lastCode } from "./support/mailbox";
import { expect, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 } });

// The keystroke-level model of Card, Moran and Newell: a key of an average typist, and a thought before each field.
const KEY_SECONDS = 0.28;
const THOUGHT_SECONDS = 1.35;
const GOAL_SECONDS = 45;

const PEOPLE: Record<Locale, { name: string; phone: string; birth: string }> = {
  en: { name: "Layla Haddad", phone: "33123456", birth: "21031994" },
  ar: { name: "ليلى حداد", phone: "٣٣١٢٣٤٥٦", birth: "٢١٠٣١٩٩٤" },
};

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

for (const locale of LOCALES) {
  test(`sign-up needs the keyboard alone and less than ${GOAL_SECONDS} seconds of typing (${locale})`, async ({
    page,
    context,
    shop,
    db,
    baseURL,
  }) => {
    await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
    const { customerSignup: words, customerVerify } = wordsOf(locale);
    const person = PEOPLE[locale];
    const email = uniqueEmail("layla");
    await page.goto(`/customer/signup/${shop.merchant.publicId}`);
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
    for (const text of [person.name, email, person.phone, person.birth]) {
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
    expect(card).toMatchObject({ fullName: person.name, phone: "+97433123456" });
    expect(card.dateOfBirth?.toISOString().slice(0, 10)).toBe("1994-03-21");

    const seconds = done.keys * KEY_SECONDS + done.thoughts * THOUGHT_SECONDS;
    console.log(`${locale}: ${done.keys} keys, about ${seconds.toFixed(0)} s of typing`);
    expect(seconds).toBeLessThan(GOAL_SECONDS);
  });
}

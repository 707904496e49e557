import { addCardDevice } from "@/lib/cards/card-holder";
import { makeCustomer } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { openSettled } from "./support/settled";
import { expect, signIn, test } from "./support/test";

test.use({ locale: "ar-EG" });

const ARABIC_INDIC = /[\u0660-\u0669\u06f0-\u06f9]/;

test("a browser of Egypt shows Latin digits on every page, whatever it makes of `ar` alone", async ({
  page,
  shop,
  db,
  baseURL,
}) => {
  // As Safari does, a plain `ar` follows the region: it has Arabic-Indic digits.
  await page.addInitScript(() => {
    const regional = (tags: unknown) =>
      [tags].flat().map((tag) => (tag === undefined || /^ar(-[A-Z]{2})?$/.test(String(tag)) ? "ar-EG" : tag));
    for (const name of ["NumberFormat", "DateTimeFormat", "RelativeTimeFormat"] as const) {
      const real = Intl[name] as unknown as new (tags: unknown, options: unknown) => object;
      const copy = new Proxy(real, {
        construct: (target, [tags, options]) => new target(regional(tags), options),
        apply: (target, _self, [tags, options]) => new target(regional(tags), options),
      });
      Object.defineProperty(Intl, name, { value: copy, configurable: true, writable: true });
    }
  });
  const customer = await makeCustomer(db, shop);
  for (const points of [1250, 340]) await move(db, shop, customer, { points });
  await move(db, shop, customer, { type: "REDEEM", points: 75 });
  const digits = async (path: string) => {
    await openSettled(page, path);
    const shown = await page.evaluate(() => {
      const named = [...document.querySelectorAll("[aria-label], [title], [placeholder], input")].flatMap(
        (node) => [
          ...["aria-label", "title", "placeholder"].map((name) => node.getAttribute(name) ?? ""),
          node instanceof HTMLInputElement ? node.value : "",
        ],
      );
      const body = document.body.cloneNode(true) as HTMLElement;
      for (const node of body.querySelectorAll("script, style")) node.remove();
      return [document.documentElement.lang, body.textContent ?? "", ...named];
    });
    expect(shown[0]).toBe("ar");
    expect(shown.filter((text) => ARABIC_INDIC.test(text))).toEqual([]);
    return shown[1] ?? "";
  };

  await digits("/signup");
  const value = await addCardDevice(db, customer.id, new Date());
  await page
    .context()
    .addCookies([{ name: `wallet_card_${customer.id}`, value, url: baseURL ?? "", httpOnly: true }]);
  expect(await digits(`/customer/loyalty-card/${customer.id}`)).toContain("1,515");

  await signIn(db, page, shop.owner);
  for (const path of [
    ...["dashboard", "transactions", "customers", "workers", "branches", "tills", "shifts", "points-config"],
    ...["liability", "ledger", "activity", "settings", "account", `customers/${customer.id}`],
  ]) {
    expect(await digits(`/merchant/${path}`)).not.toBe("");
  }
  // What only scripts write: the ages, the days of the picker, and a counted question.
  await page.goto("/merchant/transactions");
  await page.locator("[aria-haspopup=dialog].select").first().click();
  const picker = page.locator("[data-radix-popper-content-wrapper]");
  await expect(picker).toContainText("15");
  expect(await picker.textContent()).not.toMatch(ARABIC_INDIC);

  await signIn(db, page, shop.worker);
  await digits(`/topup/${customer.publicId}`);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1,515");
  await page.keyboard.type("٥٠");
  await expect(dialog).toContainText("50.00");
  expect(await dialog.textContent()).not.toMatch(ARABIC_INDIC);
});

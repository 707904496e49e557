import { setPin } from "@/lib/accounts/pin";
import { contextOf, PASSWORD } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

for (const locale of ["en", "ar"] as const) {
  test(`an owner removes an employee's PIN from the employee's menu (${locale})`, async ({
    page,
    context,
    db,
    shop,
    baseURL,
  }) => {
    const { workers } = wordsOf(locale);
    await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
    await page.setViewportSize(locale === "ar" ? { width: 360, height: 780 } : { width: 1280, height: 860 });
    await setPin(contextOf(db, shop.worker), { password: PASSWORD, pin: "580314" });
    await signIn(db, page, shop.owner);
    await page.goto("/merchant/workers");
    const name = `${shop.worker.firstName} ${shop.worker.lastName}`;
    await page.getByRole("button", { name: workers.actionsOf.replace("{name}", name) }).click();
    await page.getByRole("menuitem", { name: workers.removePin }).click();
    const asked = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await expect(asked.getByText(workers.removePinText)).toBeVisible();
    await asked.getByRole("button", { name: workers.removePin }).click();
    await expect(page.getByText(workers.pinRemoved.replace("{email}", shop.worker.email))).toBeVisible();
    expect(await db.workerPin.count({ where: { userId: shop.worker.id } })).toBe(0);
  });
}

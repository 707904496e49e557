import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeBranch, makeCustomer, makeWorker } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";

const PLACES = [
  { branch: "Old Airport Road Branch", firstName: "Mohammed", lastName: "Abdulrahman" },
  { branch: "فرع شارع المطار القديم", firstName: "عبدالرحمن", lastName: "بن محمد المهندي" },
];

test("usual names of branches and staff are whole in the log, without a sideways scroll", async ({
  page,
  context,
  shop,
  db,
  baseURL,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Sheikha Maryam Al-Mohannadi" });
  for (const { branch: name, ...person } of PLACES) {
    const branch = await makeBranch(db, shop, { name });
    const worker = await makeWorker(db, { ...shop, branch }, person);
    await topUp(contextOf(db, worker), { customerId: customer.id, points: 250, branchId: branch.id });
  }
  await signIn(db, page, shop.owner);
  for (const locale of ["en", "ar"]) {
    await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
    await page.goto("/merchant/transactions");
    for (const width of [1024, 1280, 1600]) {
      await page.setViewportSize({ width, height: 860 });
      for (const { branch, firstName, lastName } of PLACES) {
        for (const text of [branch, `${firstName} ${lastName}`]) {
          const name = page.locator("tbody").getByText(text, { exact: true });
          await expect(name).toBeVisible();
          const cut = await name.evaluate((one) => {
            const parts = [one, one.parentElement ?? one];
            return parts.some(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth);
          });
          expect(cut, `${text} at ${width} px (${locale})`).toBe(false);
        }
      }
      const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
      expect(await page.evaluate(sideways), `${width} px (${locale})`).toBe(0);
    }
  }
});

import { createApiKey } from "@/lib/api-keys/api-keys";
import { topUp } from "@/lib/ledger/move-points";
import { liveCode } from "@/lib/ledger/proof";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { holdCard } from "./support/holder";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 } });

test("a key reserves points: the card, the counter and the owner see it, and the live code releases it", async ({
  page,
  browser,
  shop,
  db,
  baseURL,
}) => {
  test.slow();
  const { counter, holds } = wordsOf("en");
  const owner = contextOf(db, shop.owner);
  const customer = await makeCustomer(db, shop, { fullName: "Moza Reserved" });
  await topUp(owner, { customerId: customer.id, points: 100, branchId: shop.branch.id });
  const key = await createApiKey(owner, { name: "Karak POS", scopes: ["redeem"] });
  const opened = await fetch(`${baseURL}/api/holds`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key.secret}`,
      "content-type": "application/json",
      "idempotency-key": `hold-${customer.id}`,
    },
    body: JSON.stringify({
      customerId: customer.publicId,
      iBranchId: shop.branch.id,
      iPoints: 20,
      iSeconds: 600,
    }),
  });
  expect(opened.status).toBe(200);
  expect((await opened.json()).data).toMatchObject({
    eState: "open",
    sBalance: 100,
    iHeld: 20,
    iAvailable: 80,
  });

  const reserved = new RegExp(`QAR 20\\.00 reserved at ${shop.branch.name} until \\d\\d:\\d\\d`);
  const phone = await browser.newContext({ viewport: { width: 360, height: 780 }, baseURL });
  const card = await phone.newPage();
  await holdCard(phone, db, customer.id);
  await card.goto(`/customer/loyalty-card/${customer.id}`);
  const face = card.locator("[data-slot=loyalty-card]");
  await expect(face.locator("[data-slot=cash]")).toHaveText("QAR80.00");
  await expect(face.locator("[data-slot=reserved]")).toHaveText(reserved);
  await expect(card.locator("[data-slot=statement-hold]")).toHaveText(reserved);

  // The owner sees it in the list, on the customer and beside what is owed.
  const office = await browser.newContext({ baseURL });
  const desk = await office.newPage();
  await signIn(db, desk, shop.owner);
  await desk.goto("/merchant/liability");
  await desk.getByRole("link", { name: holds.see }).click();
  await expect(desk.getByRole("row", { name: /Moza Reserved/ })).toContainText("Karak POS");
  await desk.goto("/merchant/customers");
  for (const width of [360, 1280]) {
    await desk.setViewportSize({ width, height: 800 });
    await expect(
      desk.getByRole("row", { name: /Moza Reserved/ }).getByText("QAR 20.00 reserved"),
    ).toBeVisible();
  }
  await desk.goto(`/merchant/customers/${customer.id}`);
  await expect(desk.getByText(reserved).first()).toBeVisible();
  await desk.goto("/merchant/dashboard");
  await expect(desk.getByText(/QAR 20\.00 of it reserved/)).toBeVisible();

  // The counter shows what is available, and releases it with the code that the customer shows.
  await signIn(db, page, shop.worker);
  await page.goto("/employee/redeem");
  const code = () => `${baseURL}/topup/${customer.publicId}?code=${liveCode(customer.id, new Date())}`;
  await page.getByLabel(counter.search.label).fill(code());
  const sheet = page.getByRole("dialog").first();
  await expect(sheet.getByText(reserved)).toBeVisible();
  await sheet.getByLabel(counter.amount, { exact: true }).fill("81");
  await expect(sheet.getByRole("alert").filter({ hasText: "80 points are available" })).toBeVisible();
  await sheet.getByRole("button", { name: holds.release }).click();
  const release = page.getByRole("dialog").last();
  await release.getByRole("button", { name: holds.release }).click();
  await expect(page.getByText("QAR 20.00 can be spent again.")).toBeVisible();
  await expect(sheet.getByText(reserved)).toHaveCount(0);
  await expect(sheet.getByText("100 pts").first()).toBeVisible();

  // The open card follows by itself.
  await expect(face.locator("[data-slot=cash]")).toHaveText("QAR100.00");
  await expect(face.locator("[data-slot=reserved]")).toHaveCount(0);
  await desk.goto("/merchant/liability/holds?state=voided");
  await expect(desk.getByRole("row", { name: /Moza Reserved/ })).toContainText(
    holds.reasons.taken_at_counter,
  );
  await phone.close();
  await office.close();
});

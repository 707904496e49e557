import { randomUUID } from "node:crypto";
import { makeAdmin, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { makeTill } from "@/lib/testing/tills";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const { customers, list, merchants, offline, validation } = wordsOf("en");
const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");

test("a customer's phone and date of birth are mended, not removed; on a phone the best customers are named as the order of their list", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  await test.step("a date may be typed without zeros", async () => {
    const customer = await makeCustomer(db, shop, { phone: "+97455123456" });
    await page.goto(`/merchant/customers/${customer.id}`);
    await page.getByRole("button", { name: customers.edit }).click();
    const dialog = page.getByRole("dialog");
    const [phone, birth] = [dialog.getByLabel(customers.phone), dialog.getByLabel(customers.birth)];
    await phone.clear();
    await birth.clear();
    await dialog.getByRole("button", { name: customers.save }).click();
    await expect(dialog.getByText(validation.phone.required)).toBeVisible();
    await expect(dialog.getByText(validation.birth.required)).toBeVisible();
    await phone.fill("55123457");
    await birth.pressSequentially("5/3/1990");
    await expect(birth).toHaveValue("5/3/1990");
    await birth.clear();
    await birth.pressSequentially("15031990");
    await expect(birth).toHaveValue("15/03/1990");
    await birth.clear();
    await birth.pressSequentially("15/3/1990");
    await birth.blur();
    await expect(birth).toHaveValue("15/03/1990");
    await dialog.getByRole("button", { name: customers.save }).click();
    await expect(dialog).toBeHidden();
    expect(await db.customer.findUnique({ where: { id: customer.id } })).toMatchObject({
      phone: "+97455123457",
      dateOfBirth: new Date("1990-03-15"),
    });

    // A field that was empty may stay so.
    await db.customer.update({ where: { id: customer.id }, data: { phone: null } });
    await page.reload();
    await page.getByRole("button", { name: customers.edit }).click();
    await dialog.getByRole("button", { name: customers.save }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("on a phone the best customers are named as the order of their list", async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto("/merchant/customers?show=top");
    await page.getByRole("button", { name: new RegExp(`^${list.filters}`) }).click();
    const order = page.getByRole("dialog").getByLabel(list.sortBy);
    await expect(order).toHaveText(customers.bestFirst);
    await order.click();
    await page.getByRole("option", { name: list.order.oldest }).click();
    await expect(page).toHaveURL(/sort=joined/);
    await order.click();
    await page.getByRole("option", { name: customers.bestFirst }).click();
    await expect(page).not.toHaveURL(/sort=/);
  });
});

test("what was typed for another card does not hold up a decision that needs none", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop);
  const { till } = await makeTill(db, shop);
  const people = { workerId: shop.worker.id, syncedById: shop.worker.id, customerId: customer.id };
  const { id } = await db.offlineEntry.create({
    data: {
      ...people,
      merchantId: shop.merchant.id,
      tillId: till.id,
      branchId: shop.branch.id,
      n: 1,
      key: randomUUID(),
      signature: "",
      points: 10,
      tender: "cash",
      occurredAt: new Date(),
      receivedAt: new Date(),
      code: "customer_blocked",
    },
  });
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/offline");
  await page.getByRole("button", { name: offline.resolve }).click();
  const dialog = page.getByRole("dialog");
  const choose = async (name: string) => {
    await dialog.getByRole("combobox").click();
    await page.getByRole("option", { name, exact: true }).click();
  };
  await choose(offline.resolutions.move);
  await dialog.getByLabel(offline.moveTo).fill(`Layla's card, ${"which I looked up. ".repeat(6)}`);
  await choose(offline.resolutions.write_off);
  await dialog.getByLabel(offline.because).fill("It was paid back.");
  await dialog.getByRole("button", { name: offline.save }).click();
  await expect(dialog).toBeHidden();
  expect(await db.offlineEntry.findUnique({ where: { id } })).toMatchObject({ resolution: "write_off" });
});

test("a document that is removed while another one is sent stays removed", async ({ page }) => {
  await page.goto("/signup");
  const field = page.getByLabel(merchants.files.addDocument);
  const pdf = (name: string) => ({ name, mimeType: "application/pdf", buffer: PDF });
  await field.setInputFiles(pdf("first.pdf"));
  await expect(page.getByText("first.pdf")).toBeVisible();
  let release = () => {};
  const held = new Promise<void>((go) => {
    release = go;
  });
  await page.route("**/upload-url", async (route) => {
    await held;
    await route.continue();
  });
  await field.setInputFiles(pdf("second.pdf"));
  await page
    .getByRole("button", { name: merchants.files.removeDocument.replace("{name}", "first.pdf") })
    .click();
  await expect(page.getByText("first.pdf")).toBeHidden();
  release();
  await expect(page.getByText("second.pdf")).toBeVisible();
  await expect(page.getByText("first.pdf")).toBeHidden();
});

test("a merchant's lists name it before it is approved", async ({ page, db }) => {
  const { merchant } = await makeMerchant(db, { status: "pending" });
  await signIn(db, page, await makeAdmin(db));
  for (const key of ["customers", "transactions", "liability", "workers", "outlets"] as const) {
    await page.goto(`/admin/${key}?merchantId=${merchant.id}`);
    await expect(page.getByRole("list", { name: list.filtered }), key).toContainText(
      `${customers.merchant}: ${merchant.businessName}`,
    );
  }
});

import { makeCustomer } from "@/lib/testing/factories";
import { webhookReceiver } from "@/lib/testing/webhook-receiver";
import { expect, signIn, test } from "./support/test";
import { addWebhook } from "./support/webhook";
import { wordsOf } from "./support/words";

const PAGE = "/merchant/settings/integrations/webhooks";

test("an owner adds a webhook, tests it, reads its log, rotates its secret and deletes it", async ({
  page,
  shop,
  db,
}) => {
  test.slow();
  const words = wordsOf("en");
  const { webhooks } = words;
  const receiver = await webhookReceiver();
  try {
    await signIn(db, page, shop.owner);
    await page.goto(PAGE);
    await expect(page.getByText(webhooks.none, { exact: true })).toBeVisible();
    await page.getByRole("button", { name: webhooks.add }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(webhooks.url, { exact: true }).fill("https://10.0.0.1/private");
    for (const type of ["topup.posted", "customer.created"]) {
      await dialog.getByLabel(type, { exact: true }).check();
    }
    await dialog.getByRole("button", { name: webhooks.add }).click();
    // A private address is refused; the dialog stays.
    await expect(page.getByText("10.0.0.1").or(dialog.getByRole("alert")).first()).toBeVisible();
    await page.keyboard.press("Escape");
    const secret = await addWebhook(page, words, receiver.url, ["topup.posted", "customer.created"]);
    expect(secret).toMatch(/^whsec_/);
    const host = new URL(receiver.url).host;
    const shown = page.getByRole("dialog", { name: host });

    await page.getByRole("link", { name: receiver.url }).first().click();
    await page.getByRole("button", { name: webhooks.test }).click();
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1);
    await makeCustomer(db, shop, { fullName: "Layla Haddad" });
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(2);
    receiver.verify(secret);
    await expect(async () => {
      await page.reload();
      await expect(page.getByText(webhooks.delivery.succeeded).first()).toBeVisible({ timeout: 1_000 });
      await expect(page.getByText("customer.created").first()).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 30_000 });
    await page.getByRole("button", { name: webhooks.show }).first().click();
    await expect(dialog.getByText("thank you")).toBeVisible();
    await dialog.getByRole("button", { name: webhooks.again }).click();
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(3);
    expect(receiver.received[2]?.id).toBe(receiver.received[1]?.id);

    await page.goto(PAGE);
    const menu = () => page.getByRole("button", { name: webhooks.actionsOf.replace("{name}", host) });
    await menu().click();
    await page.getByRole("menuitem", { name: webhooks.rotate }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: webhooks.rotate }).click();
    const second = ((await shown.locator("output").textContent()) ?? "").trim();
    await shown.getByRole("button", { name: webhooks.done }).click();
    await makeCustomer(db, shop, { fullName: "Omar Haddad" });
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(4);
    receiver.verify(secret);
    receiver.received.splice(0, 3);
    receiver.verify(second);

    await menu().click();
    await page.getByRole("menuitem", { name: webhooks.remove }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: webhooks.remove }).click();
    await expect(page.getByText(webhooks.none, { exact: true })).toBeVisible();
  } finally {
    await receiver.close();
  }
});

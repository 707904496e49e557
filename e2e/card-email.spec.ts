import type { Page } from "@playwright/test";
import { makeCustomer, uniqueEmail } from "@/lib/testing/factories";
import { holdCard } from "./support/holder";
import { lastCode, mailTo } from "./support/mailbox";
import { expect, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 } });
const { card: words, cardLinks, customerVerify } = wordsOf("en");

/** Asks for another address, up to the code of the present one. */
async function askFor(page: Page, email: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.getByRole("button", { name: words.changeEmail }).click();
    await expect(dialog.getByLabel(words.newEmail)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await dialog.getByLabel(words.newEmail).fill(email);
  await dialog.getByRole("button", { name: words.gateSend }).click();
  await dialog.getByLabel(customerVerify.codeLabel).fill(await lastCode(email));
  await expect(dialog.getByText(words.changeEmailLostText)).toBeVisible();
}

/** The link in the mail that a change waits, as a path. */
async function stopLink(address: string, count: number): Promise<string> {
  let links: string[] = [];
  await expect
    .poll(async () => {
      const texts = (await mailTo(address)).map(({ text = "" }) => text);
      links = texts.flatMap((text) => /\/card\/email-change\/\S+/.exec(text)?.[0] ?? []);
      return links.length;
    })
    .toBe(count);
  return links.at(-1) ?? "";
}

test("a card's email changes with a code at both addresses, or after 72 hours unless the old one stops it", async ({
  page,
  context,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop);
  const [next, other, last] = [uniqueEmail("next"), uniqueEmail("other"), uniqueEmail("last")];
  const old = customer.email ?? "";
  const emailOf = async () => (await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).email;
  await holdCard(context, db, customer.id);
  const path = `/customer/loyalty-card/${customer.id}`;
  await page.goto(path);

  // Both codes: at once, and the old address learns of it.
  await askFor(page, next);
  await page
    .getByRole("dialog")
    .getByLabel(customerVerify.codeLabel)
    .fill(await lastCode(old));
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText(next)).toBeVisible();
  expect(await emailOf()).toBe(next);
  const warned = async () => (await mailTo(old)).some(({ text = "" }) => text.includes("/card/freeze/"));
  await expect.poll(warned).toBe(true);

  // Without the second code: it waits, and the mailbox of the present address stops it.
  await askFor(page, other);
  await page.getByRole("dialog").getByRole("button", { name: words.changeEmailLost }).click();
  const waiting = page.locator("[data-slot=pending-email]");
  await expect(waiting).toContainText(other);
  expect(await emailOf()).toBe(next);
  const stop = await stopLink(next, 1);
  await page.goto(stop);
  await page.getByRole("button", { name: cardLinks.stop.button }).click();
  await expect(page.getByText(cardLinks.stop.doneTitle)).toBeVisible();
  await page.goto(stop);
  await expect(page.getByText(cardLinks.stop.usedTitle)).toBeVisible();
  await page.goto(path);
  await expect(page.getByRole("button", { name: words.changeEmail })).toBeVisible();
  await expect(waiting).toHaveCount(0);

  // Once more, and nobody stops it: after its time the job of each minute applies it.
  await askFor(page, last);
  await page.getByRole("dialog").getByRole("button", { name: words.changeEmailLost }).click();
  await expect(waiting).toContainText(last);
  await stopLink(next, 2);
  const change = await db.emailChange.findFirstOrThrow({ where: { customerId: customer.id } });
  expect(change.dueAt.getTime() - Date.now()).toBeGreaterThan(71 * 3_600_000);
  await db.emailChange.update({ where: { id: change.id }, data: { dueAt: new Date(Date.now() - 1_000) } });
  const cron = await page.request.get("/api/cron", {
    headers: { authorization: `Bearer ${process.env.CRON_SECRET}` },
  });
  expect(cron.status()).toBe(200);
  expect(await emailOf()).toBe(last);
  await page.goto(path);
  await expect(waiting).toHaveCount(0);
});

import { randomUUID } from "node:crypto";
import sharp from "sharp";
import type { Db } from "@/lib/db/client";
import { makeAdmin, makeBranch, PASSWORD, uniqueEmail } from "@/lib/testing/factories";
import { lastLink, lastMail } from "./support/mailbox";
import { startOwnServer } from "./support/own-server";
import { decodeQr } from "./support/qr";
import { expect, signIn, signInByForm, test, withoutAnswers } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const { merchants, workers, branches } = words;
const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");

test("a merchant signs up with documents, is approved, and adds a worker who sets a password", async ({
  page,
  db,
  browser,
}) => {
  // The test uses three browsers and a dozen pages.
  test.slow();
  const email = uniqueEmail("owner");
  const business = `Majlis ${email.slice(6, 12)}`;
  await page.goto("/signup");
  const send = page.getByRole("button", { name: merchants.signup.send });
  await send.click();
  await expect(page.getByText(words.validation.phone.required)).toBeVisible();
  await page.getByLabel(merchants.signup.businessName, { exact: true }).fill(business);
  await page.getByLabel(merchants.signup.firstName).fill("Amna");
  await page.getByLabel(merchants.signup.lastName).fill("Al-Thani");
  await page.getByLabel(merchants.signup.email).fill(email);
  await page.getByLabel(merchants.signup.phone, { exact: true }).fill("٥٥١٢ ٣٤٥٦");
  await page.getByLabel(merchants.signup.password, { exact: true }).fill(PASSWORD);
  await page.getByLabel(merchants.signup.branchName).fill("Souq Waqif");
  await page.getByLabel(merchants.signup.city).fill("Doha");
  const document = page.getByLabel(merchants.files.addDocument);
  await document.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no") });
  await expect(document).toHaveAccessibleDescription(
    `${merchants.files.documentsHint.replace("{max}", "3")} ${words.validation.upload.document}`,
  );
  await document.setInputFiles({ name: "licence.pdf", mimeType: "application/pdf", buffer: PDF });
  await expect(page.getByText("licence.pdf")).toBeVisible();
  await send.click();
  await expect(page.getByRole("heading", { name: merchants.signup.received })).toBeVisible();
  expect((await lastMail(email)).text).not.toContain(business);
  await page.goto(await lastLink(email));
  await page.getByRole("button", { name: words.confirmEmail.button }).click();
  await expect(page.getByRole("heading", { name: words.confirmEmail.doneTitle })).toBeVisible();
  expect((await lastMail(email, 2)).subject).toContain(business);

  const admin = await makeAdmin(db, { role: "admin" });
  const adminPage = await (await browser.newContext()).newPage();
  await signIn(db, adminPage, admin);
  await adminPage.goto(`/admin/merchants?status=pending&search=${encodeURIComponent(business)}`);
  await adminPage.getByRole("link", { name: business }).click();
  const [download] = await Promise.all([
    adminPage.waitForEvent("download"),
    adminPage.getByRole("link", { name: "licence.pdf" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("licence.pdf");
  await adminPage.getByRole("button", { name: merchants.approve }).click();
  await adminPage.getByRole("alertdialog").getByRole("button", { name: merchants.approve }).click();
  await expect(adminPage.getByText(words.status.approved, { exact: true })).toBeVisible();
  expect((await lastMail(email, 3)).text).toContain("/customer/signup/");

  await signInByForm(page, { email });
  await expect(page).toHaveURL(/\/merchant\/dashboard$/);
  await page.goto("/merchant/branches");
  await page.getByRole("button", { name: branches.add }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(branches.name, { exact: true }).fill("souq waqif");
  await dialog.getByLabel(branches.city).fill("Doha");
  await dialog.getByRole("button", { name: branches.save }).click();
  await expect(dialog.getByText(words.errors.branch_name_taken)).toBeVisible();
  await dialog.getByLabel(branches.name, { exact: true }).fill("Airport");
  await dialog.getByRole("button", { name: branches.save }).click();
  await expect(page.getByRole("row", { name: "Airport" })).toBeVisible();

  const workerEmail = uniqueEmail("ravi");
  await page.goto("/merchant/workers");
  await page.getByRole("button", { name: workers.add }).first().click();
  await dialog.getByLabel(workers.firstName).fill("Ravi");
  await dialog.getByLabel(workers.lastName).fill("Kumar");
  await dialog.getByLabel(workers.email).fill(workerEmail);
  await dialog.getByLabel(workers.phone).fill("66123456");
  await dialog.getByLabel(workers.branch).click();
  await page.getByRole("option", { name: "Airport" }).click();
  await dialog.getByRole("button", { name: workers.save }).click();
  await expect(page.getByText(workers.statuses.invited)).toBeVisible();
  // A phone's rows have no heads: the totals say themselves that they are today's.
  await page.setViewportSize({ width: 360, height: 780 });
  await expect(page.getByText(`${workers.todayTitle}: ${workers.today.nothing}`)).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });

  const workerPage = await (await browser.newContext()).newPage();
  await workerPage.goto(await lastLink(workerEmail));
  await workerPage.getByLabel(words.auth.password, { exact: true }).fill(PASSWORD);
  await workerPage.getByLabel(words.account.pin.title).fill("580314");
  await workerPage.getByRole("button", { name: words.auth.inviteStart }).click();
  await expect(workerPage).toHaveURL(/\/employee\/topup$/);

  await page.reload();
  const menu = page.getByRole("button", { name: "Actions for Ravi Kumar" });
  await menu.click();
  await page.getByRole("menuitem", { name: words.staffMenu.disable }).click();
  const disable = page.getByRole("alertdialog").getByRole("button", { name: words.staffMenu.disable });
  await withoutAnswers(page, async () => {
    await disable.click();
    await expect(page.getByText(words.errors.unavailable)).toBeVisible();
  });
  await disable.click();
  await expect(page.getByRole("cell", { name: workers.statuses.disabled })).toBeVisible();
  // The focus goes back to where it came from.
  await expect(menu).toBeFocused();
  await workerPage.goto("/employee/topup");
  await expect(workerPage).toHaveURL(/\/login/);
});

test("an owner edits the business and its image, gets the sign-up link and ends another session", async ({
  page,
  shop,
  browser,
  db,
  baseURL,
}) => {
  const otherPage = await (await browser.newContext()).newPage();
  await signIn(db, otherPage, shop.owner);
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/account");
  const { profile } = merchants;
  const picture = { create: { width: 900, height: 500, channels: 3, background: "#7c2d12" } } as const;
  await page.getByLabel(merchants.files.chooseImage).setInputFiles({
    name: "shop.png",
    mimeType: "image/png",
    buffer: await sharp(picture).png().toBuffer(),
  });
  await expect(page.getByRole("img", { name: merchants.files.imageAlt })).toBeVisible();
  await page.getByLabel(profile.name, { exact: true }).fill("Karak Corner");
  // The card below is the one that is edited.
  await expect(page.locator("[data-slot=colour-sample]")).toContainText("Karak Corner");
  await page.locator("form", { hasText: profile.name }).getByRole("button", { name: profile.save }).click();
  await expect(page.getByText(profile.pendingTitle)).toBeVisible();
  const admin = await makeAdmin(db, { role: "admin" });
  const adminPage = await (await browser.newContext()).newPage();
  await signIn(db, adminPage, admin);
  await adminPage.goto(`/admin/merchants/${shop.merchant.id}`);
  await adminPage.getByRole("button", { name: merchants.change.approve }).click();
  const approval = adminPage.getByRole("alertdialog").getByRole("button", { name: merchants.change.approve });
  await approval.click();
  await expect(adminPage.getByText(merchants.change.title)).toBeHidden();
  await adminPage.close();
  const saved = await db.merchant.findUniqueOrThrow({ where: { id: shop.merchant.id } });
  expect(saved).toMatchObject({ businessName: "Karak Corner" });
  expect((await page.request.get(`/api/media/${saved.imageKey}`)).status()).toBe(200);

  const code = await page.getByRole("img", { name: merchants.link.qr }).screenshot({ scale: "device" });
  expect(await decodeQr(code)).toEqual([`${baseURL}/customer/signup/${shop.merchant.publicId}`]);
  await page.getByRole("button", { name: merchants.link.poster }).click();
  const [poster] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: merchants.print.download }).click(),
  ]);
  expect(poster.suggestedFilename()).toBe("Karak-Corner-poster.pdf");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: words.account.sessions.endOthers }).click();
  await expect(page.getByRole("button", { name: words.account.sessions.endOthers })).toBeHidden();
  await otherPage.goto("/merchant/branches");
  await expect(otherPage).toHaveURL(/\/login/);
});

/** A server whose sessions in the database have a name, so that a test can make its reads fail, and no other journey's. */
async function startNamedServer(name: string) {
  const database = new URL(process.env.DATABASE_URL ?? "");
  database.searchParams.set("application_name", name);
  return await startOwnServer(undefined, () => ({ DATABASE_URL: database.href }));
}

/**
 * Makes the named server's read of the branches fail that `ask` causes. Other journeys wait meanwhile, so that the lock is held
 * no longer than that.
 */
async function failRead(db: Db, name: string, ask: () => Promise<void>): Promise<void> {
  const cancel = () => db.$queryRaw<unknown[]>`
    select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and application_name = ${name}
      and query like '%from branches b join merchants m%'`;
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`lock table branches in access exclusive mode`;
      await ask();
      await expect.poll(cancel).not.toEqual([]);
    },
    { timeout: 60_000 },
  );
}

test("a list sorts by its column headers, and on a phone by its sheet", async ({ page, shop, db }) => {
  for (const name of ["west bay", "Airport", "Msheireb"]) await makeBranch(db, shop, { name });
  const byName = ["Airport", shop.branch.name, "Msheireb", "west bay"];
  const names = page.locator("tbody tr td:first-child");
  const header = page.getByRole("columnheader", { name: branches.name, exact: true });
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/branches");
  await expect(names).toHaveText(["Msheireb", "Airport", "west bay", shop.branch.name]);
  await header.getByRole("link").click();
  await expect(page).toHaveURL(/\/merchant\/branches\?sort=name$/);
  await expect(names).toHaveText(byName);
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  await header.getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?sort=-name$/);
  await expect(names).toHaveText([...byName].reverse());
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("navigation").getByRole("link", { name: words.panels.menu.workersManagement }).click();
  await expect(page).toHaveURL(/\/merchant\/workers$/);
  await page.goBack();
  await expect(page).toHaveURL(/\?sort=-name$/);
  await expect(names).toHaveText([...byName].reverse());
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole("button", { name: words.list.filters }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel(words.list.sortBy).click();
  await page.getByRole("option", { name: words.list.order.oldest }).click();
  await expect(page).toHaveURL(/\?sort=added$/);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(names.first()).toHaveText(shop.branch.name);
});

test("while a list loads or fails, however often, the rest of the page stays", async ({ page, shop, db }) => {
  for (const name of ["west bay", "Airport", "Msheireb"]) await makeBranch(db, shop, { name });
  const byName = ["Airport", shop.branch.name, "Msheireb", "west bay"];
  const name = `list ${randomUUID()}`;
  const box = page.getByRole("searchbox");
  const failed = page.locator("main").getByRole("alert").filter({ hasText: words.list.failed });
  const again = page.getByRole("button", { name: words.list.tryAgain });
  const own = await startNamedServer(name);
  try {
    await signIn(db, page, shop.owner);
    await failRead(db, name, async () => {
      await page.goto(`${own.url}/merchant/branches?sort=name`, { waitUntil: "commit" });
      await expect(page.getByRole("status").filter({ hasText: words.common.loading })).toBeVisible();
      await expect(box).toBeVisible();
    });
    await expect(failed).toBeVisible();
    await failRead(db, name, () => again.click());
    await expect(failed).toBeVisible();
    await failRead(db, name, () => box.fill("a"));
    await expect(page).toHaveURL(/search=a/);
    await expect(failed).toBeVisible();
    await failRead(db, name, () => box.fill(""));
    await expect(page).not.toHaveURL(/search/);
    await expect(failed).toBeVisible();
    await again.click();
    await expect(page.locator("tbody tr td:first-child")).toHaveText(byName);
  } finally {
    await own.stop();
  }
});

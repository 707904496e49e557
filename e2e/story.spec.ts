import { devices } from "@playwright/test";
import { formatPoints } from "@/lib/domain/money";
import { uniqueEmail } from "@/lib/testing/factories";
import { lastCode } from "./support/mailbox";
import { scan } from "./support/qr";
import { expect, signInByForm, test, waitForOfflineCopy } from "./support/test";
import { wordsOf } from "./support/words";

const phone = { viewport: { width: 360, height: 780 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true };

test("sign up, verify, card, sign in, top up", async ({ browser, shop, db, baseURL }) => {
  const words = wordsOf("en");
  const open = async () => {
    const context = await browser.newContext({
      ...phone,
      reducedMotion: "no-preference",
      userAgent: devices["Pixel 7"].userAgent,
      locale: "en-GB",
      baseURL,
      extraHTTPHeaders: { "x-forwarded-for": "10.7.2.9" },
    });
    return context.newPage();
  };
  const email = uniqueEmail("layla");
  const customer = await open();

  await test.step("the customer signs up at the merchant's link", async () => {
    await customer.goto(`/customer/signup/${shop.merchant.publicId}`);
    await expect(customer.locator("html")).toHaveAttribute("dir", "ltr");
    await expect(customer.getByText(shop.merchant.businessName).first()).toBeVisible();
    await customer.getByLabel(words.customerSignup.fullName).fill("Layla Haddad");
    await customer.getByLabel(words.customerSignup.email).fill(email.toUpperCase());
    await customer.getByLabel(words.customerSignup.phone).fill("٣٣١٢٣٤٥٦");
    await customer.getByLabel(words.customerSignup.dateOfBirth).fill("1995-04-12");
    await customer.getByRole("checkbox").check();
    await customer.getByRole("button", { name: words.customerSignup.submit }).click();
    await expect(customer).toHaveURL(/\/customer\/verify\?from=signup/);
  });

  await test.step("the customer enters the code and gets the card after three seconds", async () => {
    const field = customer.getByLabel(words.customerVerify.codeLabel);
    const verify = customer.getByRole("button", { name: words.customerVerify.verify });
    await expect(verify).toBeDisabled();
    await field.fill(await lastCode(email));
    await expect(customer.getByRole("heading", { name: words.customerVerify.doneTitle })).toBeVisible();
    await expect(customer).toHaveURL(/\/customer\/loyalty-card\/[0-9a-f-]{36}$/);
  });

  const id = customer.url().split("/").at(-1) ?? "";
  const card = await db.customer.findUniqueOrThrow({ where: { id } });
  await expect(customer.getByText(words.card.scan)).toBeVisible();
  expect(card).toMatchObject({ email, merchantId: shop.merchant.id, phone: "+97433123456", balance: 0 });

  const qr = customer.getByRole("img", { name: words.card.qrAlt });
  const link = await test.step("a camera can read the QR code from the screen", async () => {
    const text = await scan(qr);
    expect(text).toContain(`${baseURL}/topup/${card.publicId}`);
    return text;
  });

  const worker = await open();
  await test.step("the worker's phone opens the link: first login, then the top-up", async () => {
    await worker.goto(link.replace(baseURL ?? "", ""));
    await expect(worker).toHaveURL(/\/login\?returnUrl=/);
    await expect(worker.getByText(words.auth.loginForTopup)).toBeVisible();
    await signInByForm(worker, shop.worker, worker.url());
    await expect(worker).toHaveURL(new RegExp(`/topup/${card.publicId}`));
    const dialog = worker.getByRole("dialog");
    await expect(dialog.getByText(card.fullName)).toBeVisible();
    await dialog.getByRole("button", { name: /50/ }).click();
    await dialog.locator("button[type=submit]").dblclick();
    await expect(worker.getByRole("button", { name: new RegExp(words.counter.undo) })).toBeVisible();
  });

  await test.step("the card updates automatically, and the database has the same balance", async () => {
    await expect(customer.locator("[data-slot=balance]")).toHaveText(formatPoints(50, "en"));
    const after = await db.customer.findUniqueOrThrow({
      where: { id },
      select: { balance: true, movements: { select: { points: true, actorId: true } } },
    });
    expect(after).toEqual({ balance: 50, movements: [{ points: 50, actorId: shop.worker.id }] });
  });

  await test.step("the card opens without a connection although it was never reloaded", async () => {
    await waitForOfflineCopy(customer);
    await customer.context().setOffline(true);
    await customer.reload();
    await expect(customer.locator("[data-slot=balance]")).toHaveText(formatPoints(50, "en"));
    expect(await scan(qr)).toContain(`${baseURL}/topup/${card.publicId}`);
  });
});

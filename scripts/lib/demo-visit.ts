import { type Browser, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import type { Locale } from "@/lib/domain/roles";
import { seed } from "./demo-data";
import { startForTests } from "./serve";
import { findChromium } from "./tools";
import { withDb } from "./with-db";

/** A browser for pictures of the running product. */
export const launchBrowser = () =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });

/** Starts the built program with the demo's data, and a browser. */
export async function openDemo() {
  const env = await startForTests({ APP_ENV: "demo" });
  Object.assign(process.env, env);
  const { APP_URL = "", DATABASE_URL = "" } = env;
  await seed(DATABASE_URL);
  return { url: APP_URL, ids: await idsOf(DATABASE_URL), browser: await launchBrowser() };
}

/** Signs in as one of the demo's users, by the form. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/login");
  await page.locator('input[type="email"]').fill(email);
  await page.locator('input[type="password"]').fill("demo-wallet-2026");
  await page.locator('form button[type="submit"]').first().click();
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
}

/** Opens a new browser on the product in this language, without motion, signed in as one of the demo's users. */
export async function openPage(
  browser: Browser,
  { url, locale, email }: { url: string; locale: Locale; email?: string | null },
  more: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: "reduce", ...more });
  await context.addCookies([{ name: "locale", value: locale, url }]);
  const page = await context.newPage();
  if (email) await signIn(page, email);
  return page;
}

/** The ids of a customer of the demo with a movement, and of the merchant's last closed shift, by the database's URL. */
export function idsOf(url: string) {
  return withDb(url, async (db) => {
    const movement = await db.movement.findFirstOrThrow({
      where: { customer: { email: "layla@customer.test", merchant: { businessName: "Karak House" } } },
      orderBy: { createdAt: "desc" },
      select: {
        id: true,
        customer: {
          select: { id: true, publicId: true, merchantId: true, merchant: { select: { publicId: true } } },
        },
      },
    });
    const { customer } = movement;
    const shift = await db.shift.findFirst({
      where: { merchantId: customer.merchantId, closedAt: { not: null } },
      orderBy: { closedAt: "desc" },
      select: { id: true },
    });
    return {
      merchant: customer.merchantId,
      merchantLink: customer.merchant.publicId,
      customer: customer.id,
      publicId: customer.publicId,
      movement: movement.id,
      shift: shift?.id,
    };
  });
}

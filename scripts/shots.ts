import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { pagesFor, type Visitor } from "@/e2e/support/pages";
import { createDb } from "@/lib/db/client";
import { LOCALES } from "@/lib/domain/roles";
import { seed } from "./lib/demo-data";
import { startForTests } from "./lib/e2e";
import { runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";
import { findChromium } from "./lib/tools";

// npm run shots: every page of the demo at 360 and 1280 px, in English and Arabic, light and dark, into shots/.
const WIDTHS = [360, 1280];
const THEMES = ["light", "dark"] as const;
const WHO: Record<Visitor, string | null> = {
  anonymous: null,
  pending: "owner@pending.test",
  super_admin: "super@wallet.test",
  admin: "admin@wallet.test",
  merchant_owner: "owner@karak.test",
  branch_worker: "worker@karak.test",
};

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/login");
  await page.locator('input[type="email"]').fill(email);
  await page.locator('input[type="password"]').fill("demo-wallet-2026");
  await page.locator('form button[type="submit"]').first().click();
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
}

async function idsOf(url: string) {
  const db = createDb(url, 1);
  try {
    const movement = await db.movement.findFirstOrThrow({
      where: { customer: { email: "layla@customer.test", merchant: { businessName: "Karak House" } } },
      orderBy: { createdAt: "desc" },
      select: { id: true, customer: { select: { id: true, publicId: true, merchantId: true } } },
    });
    const { customer } = movement;
    return {
      merchant: customer.merchantId,
      customer: customer.id,
      publicId: customer.publicId,
      movement: movement.id,
    };
  } finally {
    await db.$disconnect();
  }
}

await runCommand(async () => {
  const env = await startForTests({ APP_ENV: "demo" });
  Object.assign(process.env, env);
  await seed(env.DATABASE_URL ?? "");
  const ids = await idsOf(env.DATABASE_URL ?? "");
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
  const only = process.argv.slice(2);
  for (const [visitor, email] of Object.entries(WHO) as [Visitor, string | null][]) {
    for (const locale of LOCALES) {
      const context = await browser.newContext({ baseURL: env.APP_URL, reducedMotion: "reduce" });
      await context.addCookies([{ name: "locale", value: locale, url: env.APP_URL ?? "" }]);
      const page = await context.newPage();
      if (email) await signIn(page, email);
      for (const path of pagesFor(visitor, ids)) {
        if (only.length > 0 && !only.some((part) => `${visitor}${path}`.includes(part))) continue;
        await page.goto(path, { waitUntil: "networkidle" });
        for (const theme of THEMES) {
          for (const width of WIDTHS) {
            await page.emulateMedia({ colorScheme: theme });
            await page.setViewportSize({ width, height: width < 500 ? 780 : 860 });
            const folder = join(projectRoot, "shots", visitor);
            mkdirSync(folder, { recursive: true });
            const name = path
              .replaceAll(/[^\w]+/g, "-")
              .replaceAll("00000000-0000-4000-8000-000000000000", "none")
              .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27,}/g, "id");
            await page.screenshot({
              path: join(folder, `${name}-${width}-${locale}-${theme}.png`),
              fullPage: true,
            });
          }
        }
      }
      await context.close();
    }
    console.log(`shots/${visitor}`);
  }
  await browser.close();
  return 0;
});

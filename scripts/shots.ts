import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "@playwright/test";
import { pagesFor, type Visitor } from "@/e2e/support/pages";
import { LOCALES } from "@/lib/domain/roles";
import { projectRoot, runCommand } from "./lib/command";
import { openDemo, openPage } from "./lib/demo-visit";

// npm run shots [-- --size 360x780 PART …]: the demo's pages, or those whose visitor and path contain a PART.
const SIZES = [
  ...["360x640", "360x780", "768x1024", "1024x768", "1280x860", "1600x900", "1920x1080"],
  // A phone on its side.
  "740x360",
];
const THEMES = ["light", "dark"] as const;
const WHO: Record<Visitor, string | null> = {
  anonymous: null,
  pending: "owner@pending.test",
  super_admin: "super@wallet.test",
  admin: "admin@wallet.test",
  merchant_owner: "owner@karak.test",
  branch_worker: "worker@karak.test",
};

/** Loads the pictures below the fold too: a browser does so when somebody scrolls to them. */
const loadPictures = (page: Page) =>
  page.evaluate(async () => {
    for (const picture of document.images) picture.loading = "eager";
    await Promise.allSettled([...document.images].map((picture) => picture.decode()));
  });

/** Waits until the page was laid out in its new size. */
const drawn = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );

await runCommand(async () => {
  const { url, ids, browser } = await openDemo();
  const { values, positionals: only } = parseArgs({
    options: { size: { type: "string", multiple: true, default: SIZES } },
    allowPositionals: true,
  });
  const sizes = values.size.map((size) => {
    const [width = 0, height = 0] = size.split("x").map(Number);
    if (!(width > 0 && height > 0)) throw new Error(`--size ${size} is none: write it as 360x780.`);
    return { name: size, viewport: { width, height } };
  });
  for (const [visitor, email] of Object.entries(WHO) as [Visitor, string | null][]) {
    for (const locale of LOCALES) {
      const page = await openPage(browser, { url, locale, email });
      for (const path of pagesFor(visitor, ids)) {
        if (only.length > 0 && !only.some((part) => `${visitor}${path}`.includes(part))) continue;
        await page.goto(path, { waitUntil: "networkidle" });
        await loadPictures(page);
        for (const theme of THEMES) {
          for (const { name: size, viewport } of sizes) {
            await page.emulateMedia({ colorScheme: theme });
            await page.setViewportSize(viewport);
            await drawn(page);
            const folder = join(projectRoot, "shots", visitor);
            mkdirSync(folder, { recursive: true });
            const name = path
              .replaceAll(/[^\w]+/g, "-")
              .replaceAll("00000000-0000-4000-8000-000000000000", "none")
              .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27,}/g, "id");
            await page.screenshot({
              path: join(folder, `${name}-${size}-${locale}-${theme}.png`),
              fullPage: true,
            });
          }
        }
      }
      await page.context().close();
    }
    console.log(`shots/${visitor}`);
  }
  await browser.close();
  return 0;
});

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pagesFor, type Visitor } from "@/e2e/support/pages";
import { LOCALES } from "@/lib/domain/roles";
import { seed } from "./lib/demo-data";
import { idsOf, launchBrowser, signIn } from "./lib/demo-visit";
import { startForTests } from "./lib/e2e";
import { runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";

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

await runCommand(async () => {
  const env = await startForTests({ APP_ENV: "demo" });
  Object.assign(process.env, env);
  await seed(env.DATABASE_URL ?? "");
  const ids = await idsOf(env.DATABASE_URL ?? "");
  const browser = await launchBrowser();
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

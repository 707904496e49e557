import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { LOCALES } from "@/lib/domain/roles";
import ar from "@/messages/ar.json";
import en from "@/messages/en.json";
import { openDemo, signIn } from "./lib/demo-visit";
import { runCommand } from "./lib/ending";
import { projectRoot } from "./lib/project";
import { playTillEvening } from "./lib/till-evening";

// npm run guides: the pictures of the guides at /help, taken from the running product on a phone, into public/help.
const SIZE = { width: 390, height: 640 };
type Ids = Awaited<ReturnType<typeof openDemo>>["ids"];
type Words = typeof en;
type Picture = { name: string; as?: string; open: (page: Page, ids: Ids, words: Words) => Promise<void> };

async function openCounter(page: Page, ids: Ids, points: string): Promise<void> {
  await page.goto(`/topup/${ids.publicId}`);
  await page.getByRole("dialog").getByRole("textbox").first().fill(points);
}

/** Shows an address that a reader's own could be, where the page shows that of this machine. */
async function hideOrigin(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { origin } = window.location;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (text.nodeValue?.includes(origin)) {
        text.nodeValue = text.nodeValue.replaceAll(origin, "https://wallet.example");
      }
    }
  });
}

const PICTURES: Picture[] = [
  { name: "sign-up", open: async (page, ids) => void (await page.goto(`/customer/signup/${ids.merchant}`)) },
  {
    name: "card",
    async open(page, ids) {
      await page.goto(`/customer/loyalty-card/${ids.customer}`, { waitUntil: "networkidle" });
      // The whole card, with its QR code.
      const card = page.locator("[data-slot=loyalty-card]").first();
      await card.evaluate((face) => window.scrollBy(0, face.getBoundingClientRect().top - 12));
    },
  },
  {
    name: "counter",
    as: "worker@karak.test",
    open: async (page) => void (await page.goto("/employee/topup")),
  },
  { name: "top-up", as: "worker@karak.test", open: (page, ids) => openCounter(page, ids, "50") },
  {
    name: "confirm",
    as: "worker@karak.test",
    async open(page, _ids, words) {
      await page.goto("/employee/redeem");
      await page.getByLabel(words.counter.search.label, { exact: true }).fill("Layla");
      await page.getByRole("button", { name: "Layla" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(words.counter.amount, { exact: true }).fill("120");
      await dialog.locator("button[type=submit]").last().click();
      await dialog.getByText(words.counter.proof.title).waitFor();
    },
  },
  {
    name: "workers",
    as: "owner@karak.test",
    open: async (page) => void (await page.goto("/merchant/workers")),
  },
  {
    name: "poster",
    as: "owner@karak.test",
    async open(page, _ids, words) {
      await page.goto("/merchant/account");
      await page.getByRole("button", { name: words.merchants.link.poster }).click();
      await page.getByRole("dialog").getByText(words.merchants.print.kinds.counter).waitFor();
    },
  },
  {
    name: "settings",
    as: "owner@karak.test",
    open: async (page) => void (await page.goto("/merchant/settings")),
  },
  {
    name: "liability",
    as: "owner@karak.test",
    open: async (page) => void (await page.goto("/merchant/liability")),
  },
];

await runCommand(async () => {
  const { url, ids, browser } = await openDemo();
  const folder = join(projectRoot, "public", "help");
  mkdirSync(folder, { recursive: true });
  const only = process.argv.slice(2);
  for (const locale of LOCALES) {
    const words = { en, ar: ar as Words }[locale];
    const openContext = async () => {
      const context = await browser.newContext({
        baseURL: url,
        viewport: SIZE,
        deviceScaleFactor: 1.5,
        reducedMotion: "reduce",
      });
      await context.addCookies([{ name: "locale", value: locale, url }]);
      return context;
    };
    const take = async (name: string, page: Page) => {
      await page.waitForLoadState("networkidle");
      await hideOrigin(page);
      await page.screenshot({ path: join(folder, `${name}.${locale}.jpg`), type: "jpeg", quality: 70 });
      console.log(`public/help/${name}.${locale}.jpg`);
    };
    for (const { name, as, open } of PICTURES) {
      if (only.length > 0 && !only.includes(name)) continue;
      const context = await openContext();
      const page = await context.newPage();
      if (as) await signIn(page, as);
      await open(page, ids, words);
      await take(name, page);
      await context.close();
    }
    if (only.length === 0 || only.includes("till")) {
      await playTillEvening({ open: openContext, locale, words, take });
    }
  }
  await browser.close();
  return 0;
});

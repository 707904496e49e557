import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { LOCALES, type Locale } from "@/lib/domain/roles";
import ar from "@/messages/ar.json";
import en from "@/messages/en.json";
import { DEMO_MERCHANTS } from "@/prisma/seed/people";
import { projectRoot, runCommand } from "./lib/command";
import { openDemo, openPage } from "./lib/demo-visit";

// npm run guides: the pictures of the guides at /help, taken from the running product on a phone, into public/help.
const SIZE = { width: 390, height: 640 };
type Ids = Awaited<ReturnType<typeof openDemo>>["ids"];
type Words = typeof en;
/** `open` is the address, or opens what is on the picture. */
type Picture = {
  name: string;
  as?: string;
  open: string | ((page: Page, ids: Ids, words: Words) => Promise<void>);
};

const OWNER = "owner@karak.test";
const WORKER = "worker@karak.test";

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
  { name: "counter", as: WORKER, open: "/employee/topup" },
  { name: "top-up", as: WORKER, open: (page, ids) => openCounter(page, ids, "50") },
  {
    name: "confirm",
    as: WORKER,
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
  { name: "workers", as: OWNER, open: "/merchant/workers" },
  {
    name: "poster",
    as: OWNER,
    async open(page, _ids, words) {
      await page.goto("/merchant/account");
      await page.getByRole("button", { name: words.merchants.link.poster }).click();
      await page.getByRole("dialog").getByText(words.merchants.print.kinds.counter).waitFor();
    },
  },
  { name: "settings", as: OWNER, open: "/merchant/settings" },
  { name: "liability", as: OWNER, open: "/merchant/liability" },
];

const PIN = "580314";

type Evening = {
  openAs: (email?: string) => Promise<Page>;
  locale: Locale;
  words: Words;
  take: (name: string, page: Page) => Promise<void>;
};

function branchOf(locale: Locale): string {
  const branch = DEMO_MERCHANTS.find(({ owner }) => owner.email === OWNER)?.branches[0];
  return (locale === "ar" && branch?.nameAr) || branch?.name || "";
}

/** Adds a till as the owner. Answers its pairing code. */
async function addTill(page: Page, { locale, words, take }: Evening): Promise<string> {
  await page.goto("/merchant/tills");
  await page.getByRole("button", { name: words.tills.add }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(words.tills.name).fill(locale === "ar" ? "الصندوق الثاني" : "Second till");
  await dialog.getByLabel(words.tills.branch).click();
  await page.getByRole("option", { name: branchOf(locale) }).click();
  await dialog.getByRole("button", { name: words.tills.save }).click();
  const code = ((await page.locator("output").textContent()) ?? "").replace(/\D/g, "");
  await take("tills", page);
  return code;
}

async function setPin(page: Page, { account }: Words): Promise<void> {
  await page.goto("/employee/account");
  const card = page.locator("#pin");
  await card.getByLabel(account.pin.pin, { exact: true }).fill(PIN);
  await card.getByLabel(account.pin.repeat).fill(PIN);
  await card.getByLabel(account.pin.password).fill("demo-wallet-2026");
  await card.getByRole("button", { name: account.pin.save }).click();
  await page.getByText(account.pin.saved).waitFor();
}

async function serve(page: Page, { words, take }: Evening): Promise<void> {
  const { counter } = words;
  await page.goto("/employee/topup");
  await page.getByLabel(counter.search.label, { exact: true }).fill("Layla");
  const results = page.getByRole("list", { name: counter.search.results });
  await results.getByRole("button", { name: "Layla" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("50");
  await dialog.locator("button[type=submit]").last().click();
  const next = dialog.getByRole("button", { name: counter.next });
  await next.waitFor();
  await take("receipt", page);
  await next.click();
  await page.context().setOffline(true);
  await page.locator("[data-slot=offline]").waitFor();
  await take("offline", page);
  await page.context().setOffline(false);
}

async function playTillEvening(evening: Evening): Promise<void> {
  const { openAs, words, take } = evening;
  const { atTill, shiftDesk, shifts } = words;
  const owner = await openAs(OWNER);
  const code = await addTill(owner, evening);
  const worker = await openAs(WORKER);
  await setPin(worker, words);
  await worker.context().close();

  const till = await openAs();
  await till.goto(`/login/till#${code}`);
  await till.getByRole("button", { name: atTill.pair, exact: true }).click();
  const face = till.locator("li button").filter({ hasNotText: atTill.noPin }).first();
  await face.waitFor();
  await take("faces", till);
  await face.click();
  await till.keyboard.type(PIN);
  await till.waitForURL("**/employee/topup");
  await till.goto("/employee/shift");
  await till.getByLabel(shiftDesk.float).fill("200");
  await till.getByRole("button", { name: shiftDesk.open }).click();
  await till.getByRole("button", { name: shiftDesk.moves.pay_out.title }).waitFor();
  await take("shift", till);
  await serve(till, evening);
  await till.goto("/employee/shift");
  await till.getByRole("button", { name: shiftDesk.count }).click();
  await till.getByLabel(shiftDesk.cash).fill("245");
  await take("count", till);
  await till.getByRole("button", { name: shiftDesk.close }).click();
  await till.getByRole("button", { name: shifts.print }).waitFor();
  await till.context().close();
  await owner.goto("/merchant/shifts");
  await owner.locator("tbody").getByRole("link").first().click();
  await owner.waitForURL("**/merchant/shifts/*");
  await owner.getByText(shifts.expected).first().waitFor();
  await take("shift-report", owner);
  await owner.context().close();
}

await runCommand(async () => {
  const { url, ids, browser } = await openDemo();
  const folder = join(projectRoot, "public", "help");
  mkdirSync(folder, { recursive: true });
  const only = process.argv.slice(2);
  for (const locale of LOCALES) {
    const words = { en, ar: ar as Words }[locale];
    const openAs = (email?: string) =>
      openPage(browser, { url, locale, email }, { viewport: SIZE, deviceScaleFactor: 1.5 });
    const take = async (name: string, page: Page) => {
      await page.waitForLoadState("networkidle");
      await hideOrigin(page);
      await page.screenshot({ path: join(folder, `${name}.${locale}.jpg`), type: "jpeg", quality: 70 });
      console.log(`public/help/${name}.${locale}.jpg`);
    };
    for (const { name, as, open } of PICTURES) {
      if (only.length > 0 && !only.includes(name)) continue;
      const page = await openAs(as);
      if (typeof open === "string") await page.goto(open);
      else await open(page, ids, words);
      await take(name, page);
      await page.context().close();
    }
    if (only.length === 0 || only.includes("till")) {
      await playTillEvening({ openAs, locale, words, take });
    }
  }
  await browser.close();
  return 0;
});

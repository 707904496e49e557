import type { BrowserContext, Page } from "@playwright/test";
import type { Locale } from "@/lib/domain/roles";
import type en from "@/messages/en.json";
import { DEMO_MERCHANTS } from "@/prisma/seed/people";
import { signIn } from "./demo-visit";

const OWNER = "owner@karak.test";
const WORKER = "worker@karak.test";
const PIN = "580314";

type TillPicture = "tills" | "faces" | "shift" | "receipt" | "offline" | "count" | "shift-report";

type Evening = {
  /** Opens a new browser on the product. */
  open: () => Promise<BrowserContext>;
  locale: Locale;
  words: typeof en;
  take: (name: TillPicture, page: Page) => Promise<void>;
};

/** The name of the owner's first branch, as it is shown in this language. */
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

async function setPin(page: Page, { account }: typeof en): Promise<void> {
  await page.goto("/employee/account");
  const card = page.locator("#pin");
  await card.getByLabel(account.pin.pin, { exact: true }).fill(PIN);
  await card.getByLabel(account.pin.repeat).fill(PIN);
  await card.getByLabel(account.pin.password).fill("demo-wallet-2026");
  await card.getByRole("button", { name: account.pin.save }).click();
  await page.getByText(account.pin.saved).waitFor();
}

/** Serves one customer at the till, then loses the line and finds it again. */
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

/** An evening at a till of the demo, from its pairing to the count of its drawer, with a picture of each step. */
export async function playTillEvening(evening: Evening): Promise<void> {
  const { open, words, take } = evening;
  const { atTill, shiftDesk, shifts } = words;
  const office = await open();
  const owner = await office.newPage();
  await signIn(owner, OWNER);
  const code = await addTill(owner, evening);
  const home = await open();
  const worker = await home.newPage();
  await signIn(worker, WORKER);
  await setPin(worker, words);
  await home.close();

  const device = await open();
  const till = await device.newPage();
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
  await device.close();
  await owner.goto("/merchant/shifts");
  await owner.locator("tbody").getByRole("link").first().click();
  await owner.waitForURL("**/merchant/shifts/*");
  await owner.getByText(shifts.expected).first().waitFor();
  await take("shift-report", owner);
  await office.close();
}

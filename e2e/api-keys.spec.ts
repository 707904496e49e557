import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { EXAMPLES } from "@/app/help/developer-examples";
import type { Db } from "@/lib/db/client";
import { SCOPE_TEXTS } from "@/lib/domain/key-scopes";
import { formatPoints } from "@/lib/domain/money";
import { LOCALE_COOKIE, type Locale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";
import { makeCustomer } from "@/lib/testing/factories";
import { webhookReceiver } from "@/lib/testing/webhook-receiver";
import { holdCard } from "./support/holder";
import { figuresOf, untilSealed } from "./support/ledger";
import { expect, signIn, test } from "./support/test";
import { addWebhook } from "./support/webhook";
import { wordsOf } from "./support/words";

const run = promisify(execFile);
const PAGE = "/merchant/settings/integrations";
/** The events of the guide's examples, in their order. */
const EVENTS = ["topup.posted", "hold.opened", "hold.captured", "redeem.posted", "reversal.posted"] as const;

/** Runs the examples of the guide for developers as one program, and answers the lines that it prints. */
async function runExamples(env: { WALLET_URL: string; WALLET_KEY: string; WALLET_CARD: string }) {
  const program = Object.values(EXAMPLES).join("\n\n");
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, ...env, FORCE_COLOR: "0", NO_COLOR: "1" },
    timeout: 60_000,
  });
  return stdout.trim().split("\n");
}

/** The status of a key's own profile. */
async function statusOf(page: Page, key: string): Promise<number> {
  const answer = await page.request.get("/api/profile", { headers: { authorization: `Bearer ${key}` } });
  return answer.status();
}

/** Runs `ask`, which makes a page read the keys, and keeps the answer back until the page has begun to stream. */
async function whileListWaits(db: Db, ask: () => void): Promise<void> {
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`lock table api_key_uses in access exclusive mode`;
      ask();
      await expect
        .poll(
          () => db.$queryRaw`select 1 from pg_stat_activity
            where wait_event_type = 'Lock' and query like '%api_key_uses%' and state_change < now() - interval '300 ms'`,
        )
        .not.toEqual([]);
    },
    { timeout: 60_000 },
  );
}

test("an owner creates a key, other software uses it, and a revoked one is refused", async ({
  page,
  shop,
  db,
  baseURL,
}) => {
  test.slow();
  const site = baseURL ?? "";
  const locale: Locale = "ar";
  const words = wordsOf(locale);
  const { apiKeys, settings, shell, ledger } = words;
  const t = translator(locale);
  const receiver = await webhookReceiver();
  const customer = await makeCustomer(db, shop, { fullName: "Layla Haddad" });
  await page.context().addCookies([{ name: LOCALE_COOKIE, value: locale, url: site }]);
  await db.user.update({ where: { id: shop.owner.id }, data: { locale } });
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/settings");
  await page.getByRole("link", { name: settings.integrations.link }).click();
  await expect(page).toHaveURL(PAGE);
  await expect(page.getByText(apiKeys.none, { exact: true })).toBeVisible();

  await page.getByRole("button", { name: apiKeys.add }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: apiKeys.add }).click();
  // Without a name and a permission nothing is made.
  await expect(dialog.getByRole("alert").first()).toBeVisible();
  await dialog.getByLabel(apiKeys.name, { exact: true }).fill("Web shop");
  for (const scope of ["customers.find", "topup", "redeem", "movements.read"] as const) {
    await dialog.getByLabel(apiKeys.scope[SCOPE_TEXTS[scope]], { exact: true }).check();
  }
  await dialog.getByRole("button", { name: apiKeys.add }).click();
  const shown = page.getByRole("dialog", { name: /Web shop/ });
  const key = ((await shown.locator("output").textContent()) ?? "").trim();
  expect(key).toMatch(/^wk_(live|test)_[0-9A-Za-z]{30}$/);
  // Escape would lose the only copy.
  await page.keyboard.press("Escape");
  await expect(shown).toBeVisible();
  await shown.getByRole("button", { name: apiKeys.done }).click();
  await expect(page.getByText(key)).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Web shop/ })).toContainText(apiKeys.states.active);

  await page.goto(`${PAGE}/webhooks`);
  const secret = await addWebhook(page, words, receiver.url, EVENTS);
  const lines = await runExamples({
    WALLET_URL: site,
    WALLET_KEY: key,
    WALLET_CARD: `${site}/topup/${customer.publicId}`,
  });
  expect(lines.slice(0, 7)).toEqual([
    "Web shop [ 'customers.find', 'topup', 'redeem', 'movements.read' ]",
    "Layla Haddad 0",
    "100 100.00",
    "true",
    "open 100 60",
    "-25 captured 75",
    "reversed",
  ]);
  expect(lines[7]).toMatch(/^400 validation /);
  expect(lines.slice(8).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "REVERSAL 25",
    "REDEEM -25",
    "TOP_UP 100",
  ]);

  await test.step("a receiver gets each event once, in order and signed", async () => {
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(EVENTS.length);
    receiver.verify(secret);
    const events = receiver.received.map(({ event }) => event);
    expect(events.map(({ type }) => type).sort()).toEqual([...EVENTS].sort());
    const [first, ...later] = events.map(({ data }) => Number(data.iSeq));
    expect(later).toEqual(later.map((_, at) => Number(first) + at + 1));
    expect(events.at(-1)).toMatchObject({
      type: "reversal.posted",
      data: { customer: { sUUID: customer.publicId }, movement: { sPoints: 25, sBalance: 100 } },
    });
  });

  await test.step("the log, the liability, the seal and the card agree", async () => {
    await page.goto("/merchant/transactions");
    await expect(page.getByRole("row", { name: /Web shop/ })).toHaveCount(3);
    await page.goto("/merchant/liability");
    for (const [line, figures] of [
      ["toppedUp", ["+100", "–", "+100"]],
      ["redeemed", ["−25", "–", "−25"]],
      ["reversed", ["+25", "–", "+25"]],
      ["closing", ["100", "0", "100"]],
    ] as const) {
      await expect(figuresOf(page, "points", line), line).toHaveText([...figures]);
    }
    await untilSealed(db, shop.merchant.id, 3);
    await page.goto("/merchant/ledger");
    await page.getByRole("button", { name: ledger.start }).click();
    await expect(page.getByText(t("ledger.okText", { total: 3 }))).toBeVisible();
    await holdCard(page.context(), db, customer.id);
    await page.goto(`/customer/loyalty-card/${customer.id}`);
    await expect(page.locator("[data-slot=balance]")).toHaveText(formatPoints(100, locale));
    await expect(
      page.locator("li[data-type=REDEEM], li[data-type=REVERSAL], li[data-type=TOP_UP]"),
    ).toHaveCount(3);
  });
  await receiver.close();

  await page.goto(PAGE);
  const isRefresh = (url: URL) => url.pathname === PAGE && url.searchParams.has("_rsc");
  let refreshes = 0;
  page.on("request", (request) => {
    if (isRefresh(new URL(request.url()))) refreshes += 1;
  });
  const menu = page.getByRole("button", { name: apiKeys.actionsOf.replace("{name}", "Web shop") });
  await menu.click();
  await page.getByRole("menuitem", { name: apiKeys.rotate }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: apiKeys.rotate }).click();
  const second = ((await shown.locator("output").textContent()) ?? "").trim();
  expect(second).not.toBe(key);
  expect(await Promise.all([statusOf(page, key), statusOf(page, second)])).toEqual([200, 200]);
  // The list waits until the secret was copied: one that fails to load would take it along.
  expect(refreshes).toBe(0);

  // The list that is read anew comes late and streams. What was opened meanwhile stays open.
  const later = Promise.withResolvers<void>();
  await page.route(isRefresh, (route) => later.promise.then(() => route.continue()), { times: 1 });
  await shown.getByRole("button", { name: apiKeys.done }).click();
  await menu.click();
  await whileListWaits(db, later.resolve);
  await expect(page.getByText(apiKeys.states.rotating)).toBeVisible();
  await page.getByRole("menuitem", { name: apiKeys.revoke }).click();
  const ask = page.getByRole("alertdialog");
  await expect(ask.getByRole("button", { name: shell.cancel, exact: true })).toBeVisible();
  await ask.getByRole("button", { name: apiKeys.revoke }).click();
  await expect(page.getByText(apiKeys.none, { exact: true })).toBeVisible();
  expect(await Promise.all([statusOf(page, key), statusOf(page, second)])).toEqual([401, 401]);
});

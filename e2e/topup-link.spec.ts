import type { Locator } from "@playwright/test";
import QRCode from "qrcode";
import { LOCALES } from "@/lib/domain/roles";
import { topUp } from "@/lib/ledger/move-points";
import { liveCode } from "@/lib/ledger/proof";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { drawn } from "./support/settled";
import { expect, signIn, signInByForm, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const { counter } = words;

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error("It is not on the page.");
  return box;
};

test("a top-up link leads a stranger to login, a worker to the customer, and a signed-out worker back to login", async ({
  page,
  shop,
  db,
}) => {
  const { topup } = words;
  const stranger = await makeCustomer(db, await makeMerchant(db));
  await page.goto(`/topup?customerId=${stranger.publicId}&src=apple`);
  await expect(page).toHaveURL(/\/login\?returnUrl=%2Ftopup%3FcustomerId/);
  await expect(page.getByText(words.auth.loginForTopup)).toBeVisible();
  await signInByForm(page, shop.worker, page.url());
  await expect(page.getByRole("heading", { name: topup.notAssociated })).toBeVisible();
  await page.getByRole("link", { name: topup.goToTopup }).click();
  await expect(page).toHaveURL(/\/employee\/topup$/);
  const own = await makeCustomer(db, shop, { fullName: "Own Guest" });
  await page.goto(`/topup/${own.publicId}`);
  await expect(page.getByText(topup.ready)).toBeAttached();
  await expect(page.getByRole("dialog").getByText("Own Guest")).toBeVisible();
  await db.session.updateMany({ where: { userId: shop.worker.id }, data: { revokedAt: new Date() } });
  await page.getByRole("dialog").getByRole("button", { name: "Add 10 points" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add 10 pts · QAR 10.00" }).click();
  await expect(page.getByRole("heading", { name: topup.authenticationRequired })).toBeVisible();
  await page.getByRole("link", { name: topup.goToLogin }).click();
  await expect(page).toHaveURL(new RegExp(`/login\\?ended=1&returnUrl=%2Ftopup%2F${own.publicId}`));
  await expect(page.getByText(words.auth.loginForTopup)).toBeVisible();
  expect(await db.movement.count({ where: { customerId: own.id } })).toBe(0);
});

test("a scanned live code is the proof of a redemption; a link's live code too", async ({
  page,
  shop,
  db,
  baseURL,
}) => {
  const customerWithPoints = async (fullName: string) => {
    const customer = await makeCustomer(db, shop, { fullName });
    const given = { customerId: customer.id, branchId: shop.branch.id, points: 500 };
    await topUp(contextOf(db, shop.worker), given);
    return customer;
  };
  // One card per redemption: a code is accepted once, and an older one could expire while the page is used.
  const [scanned, linked] = [
    await customerWithPoints("Scanned Guest"),
    await customerWithPoints("Linked Guest"),
  ];
  const link = (id: string, publicId: string) => `/topup/${publicId}?code=${liveCode(id, new Date())}`;
  await signIn(db, page, shop.worker);
  const redeem = async (name: string, n: number) => {
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(name)).toBeVisible();
    await dialog.getByLabel(counter.amount, { exact: true }).fill(String(n));
    await dialog.getByRole("button", { name: `Redeem ${n} pts · QAR ${n}.00` }).click();
    await expect(dialog.getByText(`Successfully redeemed ${n} Cash from customer's account!`)).toBeVisible();
    await dialog.getByRole("button", { name: counter.next }).click();
  };
  await page.goto("/employee/redeem");
  const card = await QRCode.toBuffer(`${baseURL}${link(scanned.id, scanned.publicId)}`, {
    width: 400,
    margin: 4,
  });
  const photo = { name: "card.png", mimeType: "image/png", buffer: card };
  await page.getByLabel(counter.scanner.photo).first().setInputFiles(photo);
  await redeem("Scanned Guest", 200);
  await page.goto(link(linked.id, linked.publicId));
  await page.getByRole("radio", { name: counter.redeemCash }).check({ force: true });
  await redeem("Linked Guest", 150);
  const balance = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).balance;
  expect([await balance(scanned.id), await balance(linked.id)]).toEqual([300, 350]);
});

test("the top-up page stands and works beside its dialog, and way of paying and balances stand whole above its pad", async ({
  page,
  shop,
  db,
  baseURL,
}) => {
  await signIn(db, page, shop.worker);
  await test.step("the top-up page stands and works beside its dialog, on a phone too", async () => {
    const { topup } = words;
    const name = "Abdulrahman-Mohammed-Al-Thani-Al-Kuwari-Longest";
    const customer = await makeCustomer(db, shop, { fullName: name });
    for (const size of [
      { width: 360, height: 640 },
      { width: 768, height: 1024 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size);
      await page.goto(`/topup/${customer.publicId}`);
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      const sheet = await boxOf(dialog);
      for (const about of [topup.ready, `${shop.worker.firstName} ${shop.worker.lastName}`]) {
        await expect(page.getByText(about)).toBeInViewport();
        const { x, y, width, height } = await boxOf(page.getByText(about));
        // Above the dialog or before it, never below it.
        expect(y + height <= sheet.y || x + width <= sheet.x, `${about} at ${size.width}`).toBe(true);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
      await dialog.getByLabel(counter.amount, { exact: true }).fill("999999");
      await expect(dialog.getByText("The maximum is 5,000 points.")).toBeVisible();
      await page.getByRole("link", { name: topup.backToDashboard }).click();
      await expect(page).toHaveURL(/\/employee\/dashboard$/);
      await page.goto(`/topup/${customer.publicId}`);
      await dialog.getByRole("button", { name: "Close" }).click();
      await expect(page).toHaveURL(/\/employee\/topup$/);
    }
  });

  await test.step("the way of paying and the balances stand whole above the pad of the top-up page", async () => {
    const { publicId } = await makeCustomer(db, shop, { fullName: "Low Guest" });
    for (const locale of LOCALES) {
      await page.context().addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
      const { counter, movements } = wordsOf(locale);
      await page.goto(`/topup/${publicId}`);
      for (const [width, height] of [
        [360, 640],
        [360, 780],
        [1024, 768],
        [1280, 800],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.evaluate(drawn);
        const dialog = page.getByRole("dialog");
        const about = `${locale} at ${width} by ${height}`;
        const pad = await boxOf(dialog.getByRole("button", { name: "1", exact: true }));
        expect(pad.height, about).toBeGreaterThanOrEqual(44);
        const balance = await boxOf(dialog.getByText(counter.newBalance).locator("..").locator(".."));
        expect(balance.y + balance.height, about).toBeLessThan(pad.y - 10);
        const tender = await boxOf(dialog.getByRole("button", { name: movements.tenders.cash, exact: true }));
        expect(tender.y + tender.height, about).toBeLessThan(balance.y);
        // What does not fit starts above the pad, so that people see that it scrolls.
        const bill = await boxOf(dialog.getByLabel(counter.saleRef));
        expect(bill.y, about).toBeLessThan(pad.y - 10);
      }
    }
  });
});

test("after Next customer the search is empty and has the keyboard, and long names widen nothing", async ({
  page,
  shop,
  db,
}) => {
  await makeCustomer(db, shop, { fullName: "AbdulrahmanMohammedAlThaniAlKuwariTheLongest" });
  await signIn(db, page, shop.worker);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/employee/topup");
  const search = page.getByLabel(counter.search.label, { exact: true });
  await search.fill("abdulrahmanmoh");
  await page.getByRole("button", { name: /^Abdulrahman/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add 50 points" }).click();
  await expect(dialog.getByRole("status").filter({ hasText: "New Balance: 50 pts" })).toBeAttached();
  await dialog.getByRole("button", { name: "Add 50 pts · QAR 50.00" }).click();
  await dialog.getByRole("button", { name: counter.next }).click();
  await expect(search).toHaveValue("");
  await expect(search).toBeFocused();
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  const row = page.getByRole("listitem").filter({ hasText: "+50 pts" });
  await expect(row.getByRole("button", { name: /^Undo: / })).toBeVisible();
  // The amounts end where their list ends; Undo stands before them.
  const [list, amount] = [await boxOf(row), await boxOf(row.getByText("+50 pts"))];
  expect(list.x + list.width - (amount.x + amount.width)).toBeLessThan(24);
  expect(await width()).toBe(360);
  // Today and the own transactions are one tap away, from My Account too.
  const bar = page.getByRole("navigation", { name: "Shortcuts" });
  await bar.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText("+QAR 50.00")).toBeVisible();
  expect(await width()).toBe(360);
  await page.getByRole("button", { name: words.shell.openMenu }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Transactions" }).click();
  await page.getByRole("link", { name: /^Abdulrahman/ }).click();
  await expect(page).toHaveURL(/\/employee\/transactions\/[0-9a-f-]{36}$/);
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Topup" }).click();
  await expect(page).toHaveURL(/\/employee\/topup$/);
});

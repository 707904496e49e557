import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import QRCode from "qrcode";
import sharp from "sharp";
import { makeCustomer, makeWorker } from "@/lib/testing/factories";
import { mailTo } from "./support/mailbox";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const { counter } = words;
/** The names of the button that posts, where a point is worth a riyal. */
const added = (n: number) => `Add ${n} pts · QAR ${n}.00`;
const redeemed = (n: number) => `Redeem ${n} pts · QAR ${n}.00`;
const qr = (text: string) => QRCode.toBuffer(text, { width: 400, margin: 4 });

/** Opens a customer's dialog from the search. */
async function openDialog(page: Page, name: string) {
  await page.getByLabel(counter.search.label, { exact: true }).fill(name);
  // The button that undoes a top-up names the customer too, later in its sentence.
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(name)).toBeVisible();
  return dialog;
}

/** The code of the redemption e-mail; receipts may arrive before and after it. */
async function redeemCode(address: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const mails = (await mailTo(address)).filter(({ subject = "" }) => subject.includes("redemption code"));
      code = mails.map(({ text = "" }) => /(?<![\w-])\d{6}(?![\w-])/.exec(text)?.[0]).find(Boolean);
      return code;
    })
    .toBeDefined();
  return code ?? "";
}

test("a card in front of the camera opens the dialog; the worker undoes the top-up with one touch", async ({
  shop,
  db,
  baseURL,
}, info) => {
  const customer = await makeCustomer(db, shop, { fullName: "Camera Guest" });
  const film = join(tmpdir(), `wallet-film-${customer.id}.mjpeg`);
  const card = await qr(`https://elsewhere.example/topup/${customer.publicId}?src=apple`);
  const picture = { create: { width: 640, height: 480, channels: 3, background: "#777" } } as const;
  writeFileSync(
    film,
    await sharp(picture)
      .composite([{ input: card }])
      .jpeg()
      .toBuffer(),
  );
  const { launchOptions } = info.project.use;
  const browser = await chromium.launch({
    ...launchOptions,
    // Chromium's headless shell cannot play a film as a camera.
    executablePath: process.env.CHROMIUM_PATH,
    args: [
      ...(launchOptions?.args ?? []),
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  const context = await browser.newContext({ baseURL, locale: "en-GB", permissions: ["camera"] });
  const page = await context.newPage();
  try {
    await signIn(db, page, shop.worker);
    await page.goto("/employee/topup");
    await expect(page.getByText(counter.appleDetected.topup)).toBeVisible();
    await expect(page.getByText(counter.found, { exact: true })).toBeVisible();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Camera Guest")).toBeVisible();
    await dialog.getByRole("button", { name: /200/ }).click();
    await dialog.getByRole("button", { name: added(200) }).click();
    await expect(dialog.getByText("Successfully added 200 Cash to customer's account!")).toBeVisible();
    await dialog.getByRole("button", { name: counter.undo }).click();
    await expect(dialog.getByText("Undone: 200 Cash")).toBeVisible();
    await expect(dialog.getByText("Give back QAR 200.00 in cash")).toBeVisible();
  } finally {
    await browser.close();
    rmSync(film, { force: true });
  }
  const { balance, movementCount } = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
  expect([balance, movementCount]).toEqual([0, 2]);
});

test("a request without an answer is repeated after a reload and posted once, or given up", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.worker);
  await test.step("repeated after a reload, posted once", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Lost Answer" });
    await page.goto("/employee/topup");
    await page.route("**/api/top-up-points", async (route) => {
      await route.fetch();
      await route.abort();
    });
    const dialog = await openDialog(page, "Lost Answer");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("1.5");
    await expect(dialog.getByText(counter.invalidInput)).toBeVisible();
    await expect(dialog.getByText(words.validation.points.whole)).toBeVisible();
    await expect(dialog.getByRole("button", { name: counter.addCash })).toBeDisabled();
    await dialog.getByLabel(counter.amount, { exact: true }).fill("٧٥");
    await dialog.getByRole("button", { name: added(75) }).dblclick();
    await expect(dialog.getByText(counter.noAnswer)).toBeVisible();
    await expect(dialog.getByText(counter.unsure)).toBeVisible();
    // It is not known to have failed, so nothing may invite a second collection.
    await expect(dialog.getByText(counter.addFailed)).toHaveCount(0);
    await page.unroute("**/api/top-up-points");
    await page.reload();
    await expect(dialog.getByText(counter.unsure)).toBeVisible();
    // A rate-limited repeat says nothing about the first request, so the key must stay.
    await page.route("**/api/top-up-points", (route) =>
      route.fulfill({ status: 429, json: { status: 429, code: "rate_limited", message: "Later" } }),
    );
    const refused = page.waitForResponse((response) => response.status() === 429);
    await dialog.getByRole("button", { name: counter.tryAgain }).click();
    await refused;
    await page.unroute("**/api/top-up-points");
    await dialog.getByRole("button", { name: counter.tryAgain }).click();
    await expect(dialog.getByText("Successfully added 75 Cash to customer's account!")).toBeVisible();
    await dialog.getByRole("button", { name: counter.next }).click();
    await expect(page.getByRole("listitem").filter({ hasText: "Lost Answer" })).toContainText("+75 pts");
    const { balance, movementCount } = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
    expect([balance, movementCount]).toEqual([75, 1]);
  });

  await test.step("one that was left is offered again once another is posted", async () => {
    for (const fullName of ["Left Guest", "Next Guest"]) await makeCustomer(db, shop, { fullName });
    await page.goto("/employee/topup");
    await page.route("**/api/top-up-points", (route) => route.abort());
    const dialog = await openDialog(page, "Left Guest");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("20");
    await dialog.getByRole("button", { name: added(20) }).click();
    await expect(dialog.getByText(counter.unsure)).toBeVisible();
    await page.unroute("**/api/top-up-points");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await openDialog(page, "Next Guest");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("30");
    await dialog.getByRole("button", { name: added(30) }).click();
    await dialog.getByRole("button", { name: counter.next }).click();
    await expect(dialog.getByText(counter.unsure)).toBeVisible();
    await expect(dialog.getByText("Left Guest")).toBeVisible();
    await dialog.getByRole("button", { name: counter.tryAgain }).click();
    await dialog.getByRole("button", { name: counter.next }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("an attempt that an earlier version stored by the private id is repeated with its key, and posted once", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Earlier Version" });
    const { id, publicId } = customer;
    await page.goto("/employee/topup");
    await page.route("**/api/top-up-points", async (route) => {
      const body = { ...route.request().postDataJSON(), customerId: id };
      await route.fetch({ postData: JSON.stringify(body) });
      await route.abort();
    });
    const dialog = await openDialog(page, "Earlier Version");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("75");
    await dialog.getByRole("button", { name: added(75) }).click();
    await expect(dialog.getByText(counter.unsure)).toBeVisible();
    await page.unroute("**/api/top-up-points");
    await page.evaluate(
      ({ id, publicId }) => {
        const name = Object.keys(sessionStorage).find((one) => one.endsWith(publicId)) ?? "";
        const attempt = JSON.parse(sessionStorage.getItem(name) ?? "");
        attempt.customer.id = id;
        attempt.sent.customerId = id;
        sessionStorage.removeItem(name);
        sessionStorage.setItem(name.replace(publicId, id), JSON.stringify(attempt));
      },
      { id, publicId },
    );
    await page.reload();
    await expect(dialog.getByText(counter.unsure)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await openDialog(page, "Earlier Version");
    await expect(dialog.getByText(counter.unsure)).toBeVisible();
    await dialog.getByRole("button", { name: counter.tryAgain }).click();
    await expect(dialog.getByText("Successfully added 75 Cash to customer's account!")).toBeVisible();
    const { balance, movementCount } = await db.customer.findUniqueOrThrow({ where: { id } });
    expect([balance, movementCount]).toEqual([75, 1]);
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain(id);
  });

  await test.step("given up: undone if it was recorded, never recorded otherwise", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Given Up" });
    for (const [arrives, told, movements] of [
      [true, counter.givenUp.undone, 2],
      [false, counter.givenUp.never, 2],
    ] as const) {
      await page.goto("/employee/topup");
      await page.route("**/api/top-up-points", async (route) => {
        if (arrives) await route.fetch();
        await route.abort();
      });
      const dialog = await openDialog(page, "Given Up");
      await dialog.getByLabel(counter.amount, { exact: true }).fill("75");
      await dialog.getByRole("button", { name: added(75) }).click();
      await expect(dialog.getByText(counter.unsure)).toBeVisible();
      await dialog.getByRole("button", { name: counter.givenUp.action }).click();
      await expect(dialog.getByText(told)).toBeVisible();
      await expect(dialog.getByText(counter.givenUp.topup)).toBeVisible();
      await dialog.getByRole("button", { name: counter.givenUp.startAgain }).click();
      await expect(dialog.getByLabel(counter.amount, { exact: true })).toBeEditable();
      await page.unroute("**/api/top-up-points");
      const { balance, movementCount } = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
      expect([balance, movementCount]).toEqual([0, movements]);
    }
  });
});

test("an unanswered attempt is not offered to the next user of this counter", async ({ page, shop, db }) => {
  await makeCustomer(db, shop, { fullName: "Handed Over" });
  const otherWorker = await makeWorker(db, shop);
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  await page.route("**/api/top-up-points", (route) => route.abort());
  const dialog = await openDialog(page, "Handed Over");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("75");
  await dialog.getByRole("button", { name: added(75) }).click();
  await expect(dialog.getByText(counter.unsure)).toBeVisible();
  await page.unroute("**/api/top-up-points");
  await page.context().clearCookies();
  await signIn(db, page, otherWorker);
  await page.goto("/employee/topup");
  await expect(page.getByText(counter.recent.none)).toBeVisible();
  await expect(dialog).toBeHidden();
  const again = await openDialog(page, "Handed Over");
  await expect(again.getByLabel(counter.amount, { exact: true })).toHaveValue("");
  await page.keyboard.press("Escape");
  await page.context().clearCookies();
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  await expect(dialog.getByText(counter.unsure)).toBeVisible();
});

test("a redemption over the allowance asks for a mailed code, sends it and accepts it; an older search answer never replaces a newer one; a QR code is also read from a photo", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.worker);
  await test.step("above the allowance with a mailed code", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Proof Guest" });
    await page.goto("/employee/topup");
    let dialog = await openDialog(page, "Proof Guest");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("300");
    await dialog.getByRole("button", { name: added(300) }).click();
    await dialog.getByRole("button", { name: counter.next }).click();
    await page.goto("/employee/redeem");
    dialog = await openDialog(page, "Proof Guest");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("301");
    await expect(dialog.getByText("Not enough balance: 300 points are available.")).toBeVisible();
    await dialog.getByLabel(counter.amount, { exact: true }).fill("120");
    await dialog.getByRole("button", { name: redeemed(120) }).click();
    await expect(dialog.getByText(counter.proof.title)).toBeVisible();
    await dialog.getByRole("button", { name: counter.proof.send }).click();
    const code = await redeemCode(customer.email ?? "");
    const field = dialog.getByLabel(counter.proof.code);
    await field.fill(code === "000000" ? "000001" : "000000");
    await expect(dialog.getByText(counter.proof.wrongTitle)).toBeVisible();
    await dialog.getByLabel(counter.proof.code).fill(code);
    await expect(dialog.getByText("Successfully redeemed 120 Cash from customer's account!")).toBeVisible();
    await expect(dialog.getByText("180 pts")).toBeVisible();
    expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).balance).toBe(180);
  });

  await test.step("search and photo", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Zainab Older" });
    await makeCustomer(db, shop, { fullName: "Zainab Newer" });
    await page.goto("/employee/redeem");
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/search=zainab\+old/i, async (route) => {
      await released;
      await route.continue().catch(() => {});
    });
    const requested = page.waitForRequest(/search=zainab\+old/i);
    const field = page.getByLabel(counter.search.label, { exact: true });
    await field.fill("zainab old");
    await requested;
    await field.fill("zainab new");
    const results = page.getByRole("list", { name: counter.search.results });
    await expect(results.getByText("Zainab Newer")).toBeVisible();
    release();
    await expect(results.getByText("Zainab Older")).toHaveCount(0);
    await field.fill("");
    const photo = { name: "card.png", mimeType: "image/png", buffer: await qr(customer.publicId) };
    await page.getByLabel(counter.scanner.photo).first().setInputFiles(photo);
    await expect(page.getByRole("dialog").getByText("Zainab Older")).toBeVisible();
  });
});

test("the latest top-ups come with the page and are asked for only after a posting; a counter whose late scripts did not arrive says so, and works once they do", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.worker);
  await test.step("a counter whose late scripts did not arrive says so, and works once they do", async () => {
    await makeCustomer(db, shop, { fullName: "Hessa Late" });
    const first = await (await page.request.get("/employee/topup")).text();
    let isCut = true;
    // The scripts that the first HTML does not name.
    const late = (url: URL) => url.pathname.endsWith(".js") && !first.includes(url.pathname);
    await page.route(late, (route) => (isCut ? route.abort() : route.continue()));
    await page.goto("/employee/topup");
    await expect(page.getByText(counter.recent.none)).toBeVisible();
    await page.getByRole("button", { name: counter.recent.tabs.redeem }).click();
    await expect(page.getByText(counter.recent.failed)).toBeVisible();
    isCut = false;
    await page.getByRole("button", { name: counter.recent.again }).click();
    await expect(page.getByText(counter.recent.none)).toBeVisible();
    await (await openDialog(page, "Hessa Late")).press("Escape");
    await page.unrouteAll();
  });

  await test.step("the latest top-ups come with the page, and are asked for only after a posting", async () => {
    await makeCustomer(db, shop, { fullName: "Maha Before" });
    await makeCustomer(db, shop, { fullName: "Reem After" });
    await page.goto("/employee/topup");
    const add = async (name: string) => {
      const dialog = await openDialog(page, name);
      await dialog.getByLabel(counter.amount, { exact: true }).fill("30");
      await dialog.getByRole("button", { name: added(30) }).click();
      await dialog.getByRole("button", { name: counter.next }).click();
    };
    await add("Maha Before");
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/recent-") && asked.push(request.url()));
    expect(await (await page.request.get("/employee/topup")).text()).toContain("Maha Before");
    await page.reload();
    const list = page.locator("section", { has: page.getByRole("heading", { name: counter.recent.topup }) });
    const undo = (name: string) =>
      list.getByRole("button", { name: words.counter.undoNamed.replace("{name}", name) });
    await expect(undo("Maha Before")).toBeVisible();
    await openDialog(page, "Reem After");
    await page.keyboard.press("Escape");
    expect(asked).toEqual([]);
    await add("Reem After");
    await expect(undo("Reem After")).toBeVisible();
    expect(asked).toHaveLength(1);
    // The browser may show the page of before again; the list is then of now, or none.
    await page.getByRole("link", { name: "Redeem", exact: true }).first().click();
    await expect(page).toHaveURL(/\/employee\/redeem/);
    await page.goBack();
    await expect(undo("Reem After")).toBeVisible();
    await page.getByRole("link", { name: "Redeem", exact: true }).first().click();
    await expect(page).toHaveURL(/\/employee\/redeem/);
    await page.route("**/api/recent-*", (route) => route.abort());
    await page.clock.setSystemTime(Date.now() + 20 * 60_000);
    await page.goBack();
    await expect(list.getByText(counter.recent.failed).or(undo("Reem After"))).toBeVisible();
    await expect(undo("Reem After")).toHaveCount(0);
  });
});

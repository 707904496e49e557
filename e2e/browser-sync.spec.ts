import { makeCustomer } from "@/lib/testing/factories";
import { expect, test } from "./support/test";
import { meet, openTillCounter, pairBrowser, saveTopUp } from "./support/till";

// Chromium's headless shell has no background sync.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({ ...launchOptions, executablePath: process.env.CHROMIUM_PATH });
  },
});

test("with no page open, the browser's own sync sends what waits", async ({
  page,
  context,
  shop,
  db,
  baseURL,
}) => {
  await makeCustomer(db, shop, { fullName: "Known Guest" });
  const till = await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await meet(page, "Known Guest");
  await context.setOffline(true);
  await saveTopUp(page, "Known Guest", 12);
  const asked = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const { sync } = registration as unknown as { sync: { getTags: () => Promise<string[]> } };
    return sync.getTags();
  });
  expect(asked).toContain("till-sync");
  await page.goto("about:blank");
  await context.setOffline(false);
  // Chromium waits minutes before it tries again; its own tools fire the event.
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((done) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === `${baseURL}/employee`);
      if (found) done(found.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const event = {
    origin: baseURL ?? "",
    registrationId: await registered,
    tag: "till-sync",
    lastChance: false,
  };
  await expect(async () => {
    await cdp.send("ServiceWorker.dispatchSyncEvent", event);
    await expect.poll(() => db.movement.count({ where: { tillId: till.id } }), { timeout: 5_000 }).toBe(1);
  }).toPass();
  const [entry] = await db.offlineEntry.findMany({ where: { tillId: till.id } });
  expect(entry).toMatchObject({ n: 1, points: 12, code: null });
});

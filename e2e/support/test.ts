import { randomInt } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";
import type { Db } from "@/lib/db/client";
import { createDb } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import { type House, makeMerchant, makeWorker, PASSWORD } from "@/lib/testing/factories";

type Shop = House & { worker: User };
type TestFixtures = {
  /** An approved merchant of this test alone, with owner, branch and worker. */
  shop: Shop;
};
type WorkerFixtures = { db: Db };

const anyAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  db: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const db = createDb(process.env.DATABASE_URL ?? "", 4);
      await use(db);
      await db.$disconnect();
    },
    { scope: "worker" },
  ],
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => {
    await use({ ...extraHTTPHeaders, "x-forwarded-for": anyAddress() });
  },
  shop: async ({ db }, use) => {
    const house = await makeMerchant(db);
    await use({ ...house, worker: await makeWorker(db, house) });
  },
});

export { expect };

/** Signs a user in through the form, and waits until the page has left it. */
export async function signIn(page: Page, user: { email: string }, path = "/login"): Promise<void> {
  await page.goto(path);
  await page.locator('input[name="sEmail"], input[type="email"]').first().fill(user.email);
  await page.locator('input[type="password"]').first().fill(PASSWORD);
  await page.locator('form button[type="submit"]').first().click();
  await expect(page).not.toHaveURL(/\/login/);
}

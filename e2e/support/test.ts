import { randomInt } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { STEP_UP_SECONDS } from "@/lib/accounts/model/second-factor";
import { openSession } from "@/lib/accounts/session";
import { createDb, type Db } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { cookieSecrets } from "@/lib/secrets/secrets";
import { type MerchantFixture, makeMerchant, makeWorker, PASSWORD } from "@/lib/testing/factories";

type Shop = MerchantFixture & { worker: User };
type TestFixtures = {
  /** The violations of a content security policy on the pages of this test; any fails it. */
  violations: string[];
  /** The texts that pages of this test asked for and their area does not have (app/_texts/area-texts.tsx); any fails it. */
  missingTexts: string[];
  /** The calls of our own API that the pages of this test made without the tunnel's header; any fails it. */
  callsWithoutHeader: string[];
  /** Closes the browsers that this test opened itself, and says after a failure what every page shows. */
  pages: undefined;
  /** An approved merchant that only this test uses, with owner, branch and worker. */
  shop: Shop;
};
type WorkerFixtures = { db: Db };

const [TUNNEL = ""] = Object.keys(TUNNEL_HEADER);

const randomAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Waits until React has hydrated every field of the page, 5 seconds at most: an earlier press may do nothing. */
async function waitForHydration(page: Page): Promise<void> {
  const fields = () =>
    [...document.querySelectorAll("input:not([type=hidden]), textarea")].every((field) =>
      Object.keys(field).some((key) => key.startsWith("__reactProps$")),
    );
  // On a timeout (a redirect, or a page without React) the test's own checks decide.
  await page.waitForFunction(fields, undefined, { timeout: 5_000 }).catch(() => undefined);
}

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
    await use({ ...extraHTTPHeaders, "x-forwarded-for": randomAddress() });
  },
  violations: [
    async ({ context }, use) => {
      const found: string[] = [];
      await context.exposeBinding("reportViolation", (_source, text: string) => found.push(text));
      await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) => {
          const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
          const where = `${window.location.pathname} ${sourceFile}:${lineNumber}`;
          const report = (window as unknown as { reportViolation?: (text: string) => void }).reportViolation;
          report?.(`${effectiveDirective} ${blockedURI} at ${where} ${sample}`);
        });
      });
      await use(found);
      expect(found).toEqual([]);
    },
    { auto: true },
  ],
  missingTexts: [
    async ({ context }, use) => {
      const found: string[] = [];
      context.on("console", (message) => {
        if (message.text().includes("MISSING_MESSAGE"))
          found.push(`${message.page()?.url()} ${message.text()}`);
      });
      await use(found);
      expect(found).toEqual([]);
    },
    { auto: true },
  ],
  callsWithoutHeader: [
    async ({ context }, use) => {
      const found: string[] = [];
      context.on("request", (request) => {
        if (!["fetch", "xhr"].includes(request.resourceType())) return;
        const { origin, pathname } = new URL(request.url());
        if (origin !== new URL(process.env.APP_URL ?? "").origin || !pathname.startsWith("/api/")) return;
        // A picture of the page, which the service worker fetches for it.
        if (pathname.startsWith("/api/media/")) return;
        if (!(TUNNEL in request.headers())) found.push(`${request.method()} ${pathname}`);
      });
      await use(found);
      expect(found).toEqual([]);
    },
    { auto: true },
  ],
  pages: [
    async ({ browser, context }, use, info) => {
      await use(undefined);
      for (const opened of browser.contexts()) {
        // The output is all that is left of a run on another machine.
        for (const page of info.status === info.expectedStatus ? [] : opened.pages()) {
          const shown = await page.locator("body").ariaSnapshot({ timeout: 5_000 }).catch(String);
          console.log(`${page.url()}\n${shown}`);
        }
        if (opened !== context) await opened.close();
      }
    },
    { auto: true },
  ],
  page: async ({ page }, use) => {
    const goto = page.goto.bind(page);
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      await waitForHydration(page);
      return response;
    };
    await use(page);
  },
  shop: async ({ db }, use) => {
    const merchant = await makeMerchant(db);
    await use({ ...merchant, worker: await makeWorker(db, merchant) });
  },
});

export { expect };

/** Waits until the service worker has cached this page for use without a connection. */
export async function waitForOfflineCopy(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(async () => (await caches.match(window.location.pathname)) !== undefined))
    .toBe(true);
}

/**
 * Gives this page's browser a new session of a user, as its cookie, without the form. Its user has just confirmed who they
 * are, unless the journey is about that.
 */
export async function signIn(
  db: Db,
  page: Page,
  user: User,
  { steppedUp = true }: { steppedUp?: boolean } = {},
): Promise<void> {
  const client = { userId: user.id, userAgent: await page.evaluate(() => navigator.userAgent) };
  const session = await openSession(db, { ...client, address: randomAddress(), now: new Date() });
  // As the form does: the cookie replaces the token.
  const steppedUpUntil = steppedUp ? new Date(Date.now() + STEP_UP_SECONDS * 1000) : null;
  await db.session.update({ where: { id: session.id }, data: { tokenHash: null, steppedUpUntil } });
  const value = await encode({
    token: { sid: session.id, handle: session.handle, role: user.role },
    secret: cookieSecrets() ?? [],
    salt: SESSION_COOKIE,
  });
  const url = process.env.APP_URL ?? "";
  await page.context().addCookies([{ name: SESSION_COOKIE, value, url, httpOnly: true, sameSite: "Lax" }]);
}

/** Signs a user in through the form, and waits until the page has left it. */
export async function signInByForm(page: Page, user: { email: string }, path = "/login"): Promise<void> {
  await page.goto(path);
  await page.locator('input[name="sEmail"], input[type="email"]').first().fill(user.email);
  await page.locator('input[type="password"]').first().fill(PASSWORD);
  await page.locator('form button[type="submit"]').first().click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** Does `work` while the server answers no action and no reading of the page's own address. */
export async function withoutAnswers(page: Page, work: () => Promise<void>): Promise<void> {
  const { pathname } = new URL(page.url());
  const isPage = (url: URL) => url.pathname === pathname;
  await page.route(isPage, (route) => route.abort());
  await work();
  await page.unroute(isPage);
}

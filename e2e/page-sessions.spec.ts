import { randomUUID } from "node:crypto";
import type { APIResponse, Page } from "@playwright/test";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import type { Db } from "@/lib/db/client";
import { startOwnServer } from "./support/own-server";
import { test as slowTest } from "./support/slow-line";
import { expect, signIn, signInByForm, test } from "./support/test";

/** A page of the owner that shows the merchant's public id, which is read with the session, and the owner's name. */
const PAGE = "/merchant/account";

async function open(page: Page, base: string) {
  const answer = await page.request.get(base + PAGE, { maxRedirects: 0 });
  return { status: answer.status(), target: answer.headers().location, html: await answer.text() };
}

test("the session of a page is remembered by each process, which hears what changes or ends it", async ({
  page,
  db,
  shop,
  baseURL,
}) => {
  test.slow();
  const other = await startOwnServer();
  try {
    const servers = [baseURL ?? "", other.url];
    await signIn(db, page, shop.owner);
    const { id } = shop.merchant;
    for (const base of servers) {
      // Of what is read with a session only this id changes unannounced: a page that still shows it read no session.
      await expect(async () => {
        const { html, status } = await open(page, base);
        expect(status).toBe(200);
        const { publicId } = await db.merchant.findUniqueOrThrow({
          where: { id },
          select: { publicId: true },
        });
        expect(html).toContain(publicId);
        await db.merchant.update({ where: { id }, data: { publicId: randomUUID() } });
        expect((await open(page, base)).html).toContain(publicId);
      }).toPass({ timeout: 30_000 });
    }
    // Both servers hear of it; session-memory.test.ts shows that they do before they would read it again anyway.
    const patience = { timeout: 60_000 };
    const firstName = `Name${randomUUID().slice(0, 8)}`;
    await db.user.update({ where: { id: shop.owner.id }, data: { firstName } });
    for (const base of servers) {
      await expect(async () => expect((await open(page, base)).html).toContain(firstName)).toPass(patience);
    }
    await db.session.updateMany({ where: { userId: shop.owner.id }, data: { revokedAt: new Date() } });
    for (const base of servers) {
      await expect(async () =>
        expect(await open(page, base)).toMatchObject({
          status: 307,
          target: expect.stringContaining("/session/ended"),
        }),
      ).toPass(patience);
    }
  } finally {
    await other.stop();
  }
});

const sessionIn = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === SESSION_COOKIE)?.value;

/** Ends every session of a user, as another device does. */
const endAll = (db: Db, userId: string) =>
  db.session.updateMany({ where: { userId }, data: { revokedAt: new Date() } });

slowTest(
  "what one tab asked for in the ended session, and is answered late, signs nobody out who signed in again in another",
  async ({ page, context, line, db, shop }) => {
    await signInByForm(page, shop.owner);
    const other = await context.newPage();
    await other.goto("/privacy");
    const late = line.hold(
      "answer",
      (path, headers) => path.startsWith("/session/ended") && headers["sec-fetch-mode"] === "cors",
    );
    await endAll(db, shop.owner.id);
    const asked = other.evaluate(() => fetch("/session/ended?from=/merchant/customers").then(() => true));
    await expect.poll(late.count).toBe(1);
    await page.goto("/merchant/customers");
    await expect(page).toHaveURL(/\/login\?ended=1/);
    await signInByForm(page, shop.owner, page.url());
    await expect(page).toHaveURL(/\/merchant\/customers$/);
    const kept = await sessionIn(page);
    await late.release();
    await asked;
    expect(await sessionIn(page)).toBe(kept);
    await page.goto("/merchant/account");
    await expect(page).toHaveURL(/\/merchant\/account$/);
  },
);

test("a click on a page of an ended session leads to login, without the cookie", async ({
  page,
  db,
  shop,
}) => {
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/account");
  await endAll(db, shop.owner.id);
  await page.getByRole("link", { name: "Customers" }).first().click();
  await expect(page).toHaveURL(/\/login\?ended=1&from=%2Fmerchant%2F/);
  expect(await sessionIn(page)).toBeUndefined();
  await page.goto("/signup");
  await expect(page).toHaveURL(/\/signup$/);
});

test("only the answer that ends a session deletes its cookie, and reading the session writes none", async ({
  page,
  db,
  shop,
}) => {
  const written = async (answer: Promise<APIResponse>) =>
    (await answer)
      .headersArray()
      .filter(({ name, value }) => name.toLowerCase() === "set-cookie" && value.startsWith(SESSION_COOKIE));
  const read = () => page.request.get("/api/auth/session");
  const leave = (form: Record<string, string> = {}) =>
    page.request.post("/session/sign-out", { form, maxRedirects: 0 });
  const of = { userId: shop.owner.id };
  const live = () => db.session.count({ where: { ...of, revokedAt: null } });

  expect(await written(leave())).toEqual([]);
  await signIn(db, page, shop.owner);
  const { handle } = await db.session.findFirstOrThrow({ where: of });
  expect(await (await read()).json()).toMatchObject({ handle });
  expect(await written(read())).toEqual([]);
  // A tab of the session before asks once somebody else has signed in.
  expect(await written(leave({ handle: randomUUID() }))).toEqual([]);
  expect(await live()).toBe(1);
  await endAll(db, shop.owner.id);
  expect(await written(read())).toEqual([]);
  const dead = await leave({ to: "/login?password=1" });
  expect(await written(Promise.resolve(dead))).toEqual([]);
  expect(dead.headers().location).toBe("/session/ended?to=%2Flogin%3Fpassword%3D1");
  await signIn(db, page, shop.owner);
  const { handle: last } = await db.session.findFirstOrThrow({ where: { ...of, revokedAt: null } });
  expect(await written(leave({ handle: last }))).not.toEqual([]);
  expect(await live()).toBe(0);
});

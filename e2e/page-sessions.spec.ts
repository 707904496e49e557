import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { startOwnServer } from "./support/own-server";
import { expect, signIn, test } from "./support/test";

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
    // Less than the five seconds after which a session would be read again anyway.
    const soon = { timeout: 3_000 };
    const firstName = `Name${randomUUID().slice(0, 8)}`;
    await db.user.update({ where: { id: shop.owner.id }, data: { firstName } });
    for (const base of servers) {
      await expect(async () => expect((await open(page, base)).html).toContain(firstName)).toPass(soon);
    }
    await db.session.updateMany({ where: { userId: shop.owner.id }, data: { revokedAt: new Date() } });
    for (const base of servers) {
      await expect(async () =>
        expect(await open(page, base)).toMatchObject({
          status: 307,
          target: expect.stringContaining("/session/ended"),
        }),
      ).toPass(soon);
    }
  } finally {
    await other.stop();
  }
});

import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addCardDevice } from "@/lib/cards/card-holder";
import type { Db } from "@/lib/db/client";
import { makeAdmin, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { panelOf } from "@/lib/testing/panels";
import { postRow } from "@/lib/testing/post-rows";
import { projectRoot } from "@/scripts/lib/command";
import { expect, test } from "./support/test";

// It ends an attribute, a text and a script, and is found again by its own tag.
const MARK = `x"'></script><mark-of-a-stranger onx=1>`;
/** Whether a page has the tag as a browser would read it, and whether it shows the text. */
const isOpen = (text: string) => /<mark-of-a-stranger/i.test(text);
const isShown = (text: string) => /(&lt;|\\u003c)mark-of-a-stranger/i.test(text);

/** A shop whose every name holds the markup, also where no call would take it. */
async function markedShop(db: Db) {
  const shop = await makeMerchant(db);
  const merchantId = shop.merchant.id;
  const [worker, card] = [await makeWorker(db, shop), await makeCustomer(db, shop, { fullName: MARK })];
  const customer = card.id;
  const first = await postRow(db, shop, {
    type: "TOP_UP",
    customer,
    points: 50,
    sale_ref: MARK.slice(0, 40),
  });
  await postRow(db, shop, { type: "BONUS", customer, points: 5, reason: MARK });
  const undone = await postRow(db, shop, { type: "TOP_UP", customer, points: 7 });
  await postRow(db, shop, { type: "REVERSAL", reverses: undone, reason: MARK });
  const name = { firstName: MARK, lastName: MARK };
  const business = { businessName: MARK, businessNameAr: MARK, statusReason: MARK };
  await db.merchant.update({ where: { id: merchantId }, data: { ...name, ...business } });
  await db.branch.updateMany({ where: { merchantId }, data: { name: MARK, city: MARK } });
  await db.user.updateMany({ where: { merchantId }, data: name });
  return { ...shop, worker, card, movementId: first };
}

/** The addresses of every page of the build, such as /merchant/customers/[id]. */
function routesOfBuild(): string[] {
  const file = join(projectRoot, ".next/app-path-routes-manifest.json");
  const routes = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
  return routes
    .filter(([source, route]) => source.endsWith("/page") && !route.startsWith("/_"))
    .map(([, route]) => route);
}

test("no page shows markup in a name, a reason or a search as markup, and each has a policy with a nonce", async ({
  db,
  baseURL,
}) => {
  test.slow();
  const { merchant, owner, worker, card, movementId } = await markedShop(db);
  const holder = `wallet_card_${card.id}=${await addCardDevice(db, card.id, new Date())}`;
  const cookies: Record<string, string> = {
    admin: (await panelOf(db, await makeAdmin(db))).cookie,
    merchant: (await panelOf(db, owner)).cookie,
    employee: (await panelOf(db, worker)).cookie,
    topup: (await panelOf(db, owner)).cookie,
  };
  const idOf = (route: string) => {
    if (route.startsWith("/customer/signup")) return merchant.publicId;
    if (route.includes("/transactions/")) return movementId;
    return route.includes("/merchants/") ? merchant.id : card.id;
  };
  const search = `?search=${encodeURIComponent(MARK)}&from=${encodeURIComponent(MARK)}`;
  const shown = new Set<string>();
  for (const route of routesOfBuild()) {
    const path = route.replaceAll(/\[\[?(\.\.\.)?[^\]]*\]?\]/g, idOf(route));
    const cookie = cookies[path.split("/")[1] ?? ""] ?? holder;
    for (const address of [path, path + search]) {
      // A new address for each, so that no limit answers in the place of a page.
      const from = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
      const headers = { cookie, "x-forwarded-for": from };
      const answer = await fetch(`${baseURL}${address}`, { redirect: "manual", headers });
      const text = await answer.text();
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(answer.status, address).toBeLessThan(500);
      expect(isOpen(text), `${address} (${answer.status}) has the markup as it came`).toBe(false);
      expect(policy, address).toMatch(/script-src [^;]*'nonce-|default-src 'none'/);
      if (isShown(text)) shown.add(address);
    }
  }
  // The pages show the texts, so that the check above says something.
  expect(shown.size).toBeGreaterThan(10);
});

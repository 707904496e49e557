import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mailTo } from "@/e2e/support/mailbox";
import { tokenOf } from "@/lib/testing/calls";
import { type Call, OPERATIONS } from "@/lib/testing/contract/exchange";
import { PUBLIC_EXAMPLES } from "@/lib/testing/contract/public-examples";
import { STAFF_EXAMPLES } from "@/lib/testing/contract/staff-examples";
import { makeAdmin, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { projectRoot } from "../lib/project";
import type { Attack, Tally } from "./tally";
import type { Target } from "./target";

const EXAMPLES = { ...PUBLIC_EXAMPLES, ...STAFF_EXAMPLES };
/** It ends an attribute, a text and a script, and is found again by its own tag. */
const MARK = `x"'></script><xss-mark onx=1>`;
/** Tells whether a page contains the tag itself, as a browser would read it. It never may. */
const isOpen = (text: string) => /<xss-mark/i.test(text);
const isShown = (text: string) => /(&lt;|\\u003c|\\\\u003c)xss-mark/i.test(text);

/**
 * Sends the payload in every text field of every call, which stores what it accepts. Answers how many fields
 * took it.
 */
async function throughCalls(target: Target, tally: Tally): Promise<number> {
  let taken = 0;
  for (const operation of OPERATIONS.filter(({ spec }) => spec.body)) {
    const make = EXAMPLES[operation.name];
    if (!make) throw new Error(operation.name);
    const fields = Object.entries(((await make(target.world)).body ?? {}) as Record<string, unknown>);
    const texts = [
      ...fields.filter(([, value]) => typeof value === "string").map(([name]) => name),
      "sReason",
      "sSaleRef",
    ];
    for (const name of new Set(texts.filter((one) => operation.spec.body && one in operation.spec.body))) {
      const { as, status: _status, data: _data, ...sent } = await make(target.world);
      const call: Call = {
        ...sent,
        body: { ...(sent.body as object), [name]: MARK },
        ...(as ? { token: target.world.tokens[as] } : {}),
      };
      const answer = await target.api(operation.name, call);
      tally.try(answer.status < 500, `${operation.name} with ${name}: ${answer.status}`);
      const isJson = /^application\/json/.test(answer.headers.get("content-type") ?? "application/json");
      tally.try(isJson, `${operation.name} answers ${answer.headers.get("content-type")}`);
      if (answer.status < 300) taken += 1;
    }
  }
  return taken;
}

/** A shop whose every name holds the payload, also where no call would take it. */
async function markedShop(target: Target) {
  const { db } = target;
  const shop = await makeMerchant(db);
  const merchantId = shop.merchant.id;
  const [worker, customer] = [await makeWorker(db, shop), await makeCustomer(db, shop, { fullName: MARK })];
  const owner = await tokenOf(db, shop.owner);
  const top = await move(db, shop, customer, { points: 50 });
  const bonus = { customerId: customer.id, sPoints: 5, iBranchId: shop.branch.id, sReason: MARK };
  await target.api("post /bonus-points", { token: owner, body: bonus });
  await target.api("post /transactions/{id}/reverse", {
    token: owner,
    params: { id: top.id },
    body: { sReason: MARK },
  });
  const sale = { customerId: customer.id, sPoints: 60, iBranchId: shop.branch.id, sSaleRef: MARK };
  const sold = await target.api("post /top-up-points", { token: owner, body: sale });
  await db.merchant.update({
    where: { id: merchantId },
    data: { businessName: MARK, businessNameAr: MARK, firstName: MARK, lastName: MARK },
  });
  await db.branch.updateMany({ where: { merchantId }, data: { name: MARK, city: MARK } });
  await db.user.updateMany({ where: { merchantId }, data: { firstName: MARK, lastName: MARK } });
  const refused = { suspendedAt: null, statusReason: MARK };
  await db.merchant.update({ where: { id: merchantId }, data: refused });
  return {
    shop,
    worker,
    customer,
    movementId: (sold.body?.data as { _id: string } | undefined)?._id ?? top.id,
  };
}

/** Every page of the build, filled with the marked shop's ids, by somebody who may open it. */
async function pages(target: Target, tally: Tally): Promise<void> {
  const stored = await throughCalls(target, tally);
  tally.works(stored > 3, "storing the payload by calls");
  const { shop, worker, customer, movementId } = await markedShop(target);
  const cookies = {
    admin: (await target.panelOf(await makeAdmin(target.db))).cookie,
    merchant: (await target.panelOf(shop.owner)).cookie,
    employee: (await target.panelOf(worker)).cookie,
    holder: await target.holderCookie(customer.id),
  };
  const file = join(projectRoot, ".next/app-path-routes-manifest.json");
  const routes = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>)
    .filter(([source, route]) => source.endsWith("/page") && !route.startsWith("/_"))
    .map(([, route]) => route);
  const idOf = (route: string) =>
    route.includes("/transactions/")
      ? movementId
      : route.includes("/merchants/")
        ? shop.merchant.id
        : customer.id;
  let shown = 0;
  for (const route of routes) {
    const id = route.startsWith("/customer/signup") ? shop.merchant.publicId : idOf(route);
    const path = route.replaceAll(/\[\[?(\.\.\.)?[^\]]*\]?\]/g, id);
    const [, area = ""] = path.split("/");
    const cookie =
      cookies[area as keyof typeof cookies] ?? (area === "topup" ? cookies.merchant : cookies.holder);
    for (const address of [
      path,
      `${path}?search=${encodeURIComponent(MARK)}&from=${encodeURIComponent(MARK)}`,
    ]) {
      const { status, text, headers } = await target.page(address, { cookie });
      const what = `${address.slice(0, 80)} (${status})`;
      tally.try(status < 500, what);
      tally.try(!isOpen(text), `${what} holds the payload as it came`);
      const policy = headers.get("content-security-policy") ?? "";
      tally.try(
        /script-src [^;]*'nonce-|default-src 'none'/.test(policy),
        `${what} has no policy with a nonce`,
      );
      if (isShown(text)) shown += 1;
    }
  }
  tally.works(shown > 10, `the payload on more than ten pages (${shown})`);
  const owner = await tokenOf(target.db, shop.owner);
  const csv = await target.page("/api/transactions/export", { headers: { authorization: owner } });
  tally.try(
    csv.headers.get("content-disposition")?.startsWith("attachment") ?? false,
    "an export opens in the browser",
  );
}

/** Mails and PDFs that name the shop and the customer. */
async function mails(target: Target, tally: Tally): Promise<void> {
  const { shop, customer } = await markedShop(target);
  const email = customer.email ?? "";
  const owner = await tokenOf(target.db, shop.owner);
  const channel = { sType: "EMAIL", sAuth: "REGISTER", sLogin: email, iMerchantId: shop.merchant.id };
  await target.api("post /auth/send-otp", { body: channel });
  await target.api("post /redeem-points/code", {
    token: owner,
    body: { customerId: customer.id, sPoints: 5 },
  });
  await target.api("post /auth/forgot-password", { body: { sEmail: shop.owner.email } });
  const sale = { customerId: customer.id, sPoints: 5, iBranchId: shop.branch.id };
  await target.api("post /top-up-points", { token: owner, body: sale });
  for (const until = Date.now() + 10_000; Date.now() < until && (await mailTo(email)).length < 3; )
    await target.runJobs();
  const all = [...(await mailTo(email)), ...(await mailTo(shop.owner.email))];
  tally.works(
    all.some(({ html = "" }) => isShown(html)),
    "a mail that shows the payload",
  );
  for (const { subject = "", html = "", headers } of all) {
    tally.try(!isOpen(html), `the mail "${subject}" holds the payload as it came`);
    tally.try(
      !headers.some(({ value }) => /\n[^\s]/.test(value)),
      `the mail "${subject}" has a header too many`,
    );
  }
  const pdf = await target.page(`/api/customer/${customer.id}/loyalty-card.pdf`);
  tally.works(pdf.text.startsWith("%PDF"), "the card's PDF");
  tally.try(!/\/JavaScript|\/JS\b|\/OpenAction|\/Launch/.test(pdf.text), "the card's PDF holds a script");
  tally.try(pdf.headers.get("content-type") === "application/pdf", "the card's PDF has another type");
  const poster = await target.page("/merchant/account/poster", {
    cookie: (await target.panelOf(shop.owner)).cookie,
  });
  tally.try(poster.status === 200 && !/\/JavaScript|\/OpenAction/.test(poster.text), "the poster");
}

export const scriptingAttacks = (target: Target): Attack[] => [
  {
    name: "stored scripts: every text field, every page",
    needs: "server",
    run: (tally) => pages(target, tally),
  },
  { name: "stored scripts: mails and PDFs", needs: "server", run: (tally) => mails(target, tally) },
];

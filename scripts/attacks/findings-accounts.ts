import { randomUUID } from "node:crypto";
import { mailTo } from "@/e2e/support/mailbox";
import { MAX_UPLOAD_BYTES, MERCHANT_QUOTA_BYTES } from "@/lib/files/model/uploads";
import { newKey } from "@/lib/files/objects";
import { storage } from "@/lib/files/storage";
import { tokenOf } from "@/lib/testing/calls";
import { newAddress } from "@/lib/testing/contract/exchange";
import { makeAdmin, makeMerchant, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { signUpShop } from "./findings-money";
import type { Tally } from "./tally";
import type { Target } from "./target";

const DAY = 86_400_000;

/** 10: a session that never ends, and what next-auth opens besides the product. */
export async function keepSession(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db);
  const age = (id: string, ms: number) =>
    db.session.update({
      where: { id },
      data: { createdAt: new Date(Date.now() - ms), expiresAt: new Date(Date.now() + 3_600_000) },
    });
  const opens = async (panel: { handle: string; cookie: string }) =>
    (await target.api("get /profile", { headers: { authorization: panel.handle, cookie: panel.cookie } }))
      .status;
  for (const [user, lived] of [
    [shop.owner, 7 * DAY + 60_000],
    [await makeAdmin(db), DAY / 2 + 60_000],
    [await makeAdmin(db, { role: "admin" }), DAY / 2 + 60_000],
  ] as const) {
    tally.works((await opens(await target.panelOf(user))) === 200, "a new session");
    // Aged before its first request: a session that the server read a moment ago is remembered as it was.
    const panel = await target.panelOf(user);
    await age(panel.id, lived);
    tally.status(await opens(panel), [401, 417], `a session of ${user.role} after ${lived / DAY} days`);
  }
  const late = await target.panelOf(shop.owner);
  await age(late.id, 7 * DAY - 600_000);
  const aged = { expiresAt: new Date(Date.now() + 300_000), lastSeenAt: new Date(Date.now() - 3_600_000) };
  await db.session.update({ where: { id: late.id }, data: aged });
  await opens(late);
  const slid = await db.session.findUniqueOrThrow({ where: { id: late.id } });
  tally.try(
    slid.expiresAt.getTime() <= slid.createdAt.getTime() + 7 * DAY + 1_000,
    "a session slides past 7 days",
  );

  const { cookie, id } = await target.panelOf(shop.owner);
  for (const [method, name] of [
    ...["providers", "signin", "signout", "error", "verify-request", "callback/credentials"].map((one) => [
      "GET",
      one,
    ]),
    ...["signin", "signin/credentials", "callback/credentials", "session", "webauthn-options"].map((one) => [
      "POST",
      one,
    ]),
  ] as [string, string][]) {
    const body = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
    const { status } = await target.page(`/api/auth/${name}`, { method, cookie, ...body });
    tally.status(status, [404, 405], `${method} /api/auth/${name}`);
  }
  const shown = await target.page("/api/auth/session", { cookie });
  tally.try(!shown.text.includes(id), "/api/auth/session shows the id of the session");
  const csrf = await target.page("/api/auth/csrf");
  const pairs = csrf.headers.getSetCookie().map((line) => line.split(";")[0]);
  const { csrfToken } = JSON.parse(csrf.text) as { csrfToken: string };
  await target.page("/api/auth/signout", {
    method: "POST",
    cookie: [cookie, ...pairs].join("; "),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken }).toString(),
  });
  const ended = await db.session.findUniqueOrThrow({ where: { id } });
  tally.try(ended.revokedAt !== null, "next-auth's sign-out leaves the session alive");

  const token = await tokenOf(db, shop.owner);
  const change = (sNewPassword: string) =>
    target.api("put /auth/change-password", { token, body: { sOldPassword: PASSWORD, sNewPassword } });
  for (const weak of [
    shop.owner.email,
    "password123",
    `${shop.owner.firstName}${shop.owner.lastName}`.padEnd(10, "1"),
  ])
    tally.try((await change(weak)).status >= 400, `${weak} as the password of ${shop.owner.email}`);
  tally.works((await change("a long new password 7")).status === 200, "another password");
  tally.try(
    (await db.email.count({ where: { recipient: shop.owner.email } })) > 0,
    "a new password is not mailed",
  );
}

/** 11: a business takes another's name, and a sign-up mails what a stranger typed. */
export async function takeName(target: Target, tally: Tally): Promise<void> {
  const { db, rival } = target;
  const name = "FREE MONEY visit-us";
  const names = { sBusinessName: name, sFirstName: "Zzyzx", sLastName: "Qwerty" };
  const { id, email } = await signUpShop(target, names);
  const mailed = async () => {
    const due = { recipient: email, nextTryAt: { lte: new Date() } };
    const rows = await db.email.findMany({ where: due, select: { subject: true, text: true, html: true } });
    return JSON.stringify([
      rows,
      (await mailTo(email)).map(({ subject, text, html }) => [subject, text, html]),
    ]);
  };
  await target.mail(email, /confirm-email/);
  tally.try(!/FREE MONEY|Zzyzx|Qwerty/.test(await mailed()), "the first mail repeats what was typed");
  await target.api("post /auth/forgot-password", { body: { sEmail: email } });
  await target.runJobs();
  tally.try(!/FREE MONEY|Zzyzx|Qwerty/.test(await mailed()), "a reset's mail repeats what was typed");
  const sent = await db.email.count({ where: { recipient: email, status: "sent" } });
  tally.try(sent <= 2, `${sent} mails to a mailbox that nobody proved`);

  const owner = await db.user.findUniqueOrThrow({ where: { email } });
  const { cookie } = await target.panelOf(owner);
  const page = "/merchant/account";
  const input = {
    businessName: rival.shop.merchant.businessName,
    businessNameAr: rival.shop.merchant.businessName,
    colour: "#8a1538",
  };
  const renamed = await target.action(page, "updateBusinessAction", [input], { cookie });
  tally.works(renamed.ok === true, "asking for another name");
  const now = await db.merchant.findUniqueOrThrow({ where: { id } });
  const same = (row: typeof now) =>
    row.businessName === name && row.businessNameAr === null && row.colour === null;
  tally.try(same(now), "an approved merchant takes another's name at once");
  const change = await db.profileChange.findFirst({ where: { merchantId: id } });
  const decide = { id, changeId: change?.id ?? randomUUID(), status: "approved" };
  // The cookie names an administrator, as one that is older than a change of the role.
  const raised = { cookie: await (await target.panelOf(owner)).as("super_admin") };
  const own = await target.action(`/admin/merchants/${id}`, "decideProfileAction", [decide], raised);
  tally.try(own.ok === false, "an owner approves their own name");
  await target.runJobs();
  const later = await db.merchant.findUniqueOrThrow({ where: { id } });
  tally.try(same(later), "the name changes without an approval");
}

/** 15: uploads without end, and a document that runs where an administrator opens it. */
export async function fillStore(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db);
  const waiting = await makeMerchant(db, { status: "pending" });
  const file = { fileName: "a.png", contentType: "image/png", fileCategory: "image", fileSize: 1000 };
  for (const { owner } of [shop, waiting]) {
    const tokens = await Promise.all([1, 2, 3].map(() => tokenOf(db, owner)));
    const ask = (token: string | undefined) =>
      target.api("post /auth/merchant/upload-url", { token, body: file, address: newAddress() });
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => ask(tokens[n % 3])));
    const allowed = answers.filter(({ status }) => status === 200).length;
    tally.try(allowed === 20, `${allowed} uploads in an hour by one person, from 24 addresses`);
  }

  const full = await makeMerchant(db);
  const data = Array.from({ length: MERCHANT_QUOTA_BYTES / MAX_UPLOAD_BYTES }, () => ({
    ...{
      key: `images/${randomUUID()}.webp`,
      fileName: "a",
      contentType: "image/webp",
      category: "image" as const,
    },
    size: MAX_UPLOAD_BYTES,
    merchantId: full.merchant.id,
    attachedAt: new Date(),
  }));
  await db.upload.createMany({ data });
  const more = await target.api("post /auth/merchant/upload-url", {
    token: await tokenOf(db, await makeWorker(db, full)),
    body: file,
  });
  tally.status(more.status, [422], "an upload past the merchant's 100 MB");

  const pdf = Buffer.from(
    "%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF\n",
  );
  const key = newKey("document");
  await storage().write(key, pdf, "application/pdf");
  const document = await db.upload.create({
    data: {
      ...{
        key,
        fileName: 'x"\r\nSet-Cookie: a=b.html',
        contentType: "application/pdf",
        category: "document",
      },
      size: pdf.length,
      merchantId: shop.merchant.id,
      attachedAt: new Date(),
    },
  });
  const { cookie } = await target.panelOf(await makeAdmin(db));
  const path = `/admin/merchants/${shop.merchant.id}/documents/${document.id}`;
  const shown = await target.page(path, { cookie });
  tally.works(shown.status === 200, "opening a document");
  tally.try(
    /^attachment/.test(shown.headers.get("content-disposition") ?? ""),
    "a document opens in the browser",
  );
  tally.try(/sandbox/.test(shown.headers.get("content-security-policy") ?? ""), "a document has no sandbox");
  tally.try(shown.headers.get("set-cookie") === null, "a file's name writes a header");
  for (const [who, user] of [
    ["its owner", shop.owner],
    ["a worker", await makeWorker(db, shop)],
  ] as const) {
    const raised = await (await target.panelOf(user)).as("super_admin");
    const { status } = await target.page(path, { cookie: raised });
    tally.try(status !== 200, `a document by ${who}: ${status}`);
  }
  const key2 = await target.api("get /media/{key}", { params: { key: key.split("/") } });
  tally.status(key2.status, [404], "a document as a public image");
}

/** 16: after signing out, the last page's data. */
export async function readAfterSignOut(target: Target, tally: Tally): Promise<void> {
  const { owner } = await makeMerchant(target.db);
  const { cookie, handle, id } = await target.panelOf(owner);
  const open = () => target.page("/merchant/dashboard", { cookie });
  const before = await open();
  tally.works(before.status === 200 && before.text.includes(owner.lastName), "the panel");
  tally.try(
    /no-store|private/.test(before.headers.get("cache-control") ?? ""),
    "a panel's page may be cached by others",
  );
  const link = await target.page("/session/sign-out", { cookie });
  tally.try(link.status >= 400, "a link signs somebody out");
  for (const from of ["cross-site", "same-site"]) {
    const site = await target.page("/session/sign-out", {
      method: "POST",
      cookie,
      headers: { "sec-fetch-site": from },
    });
    const alive = await target.db.session.findUniqueOrThrow({ where: { id } });
    tally.try(
      alive.revokedAt === null && !site.headers.has("clear-site-data"),
      `another site (${from}) signs somebody out`,
    );
  }
  const out = await target.page("/session/sign-out", { method: "POST", cookie });
  tally.try(out.headers.get("clear-site-data") === '"cache"', "signing out clears no cache");
  const after = await open();
  tally.try(
    after.status !== 200 && !after.text.includes(owner.lastName),
    `the panel after signing out: ${after.status}`,
  );
  const api = await target.api("get /profile", { headers: { authorization: handle, cookie } });
  tally.status(api.status, [401, 417], "the API after signing out");
}

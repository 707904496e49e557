import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { openCardDevice } from "@/lib/cards/card-holder";
import { freezeToken } from "@/lib/cards/freeze-card";
import { liveCode } from "@/lib/ledger/proof";
import { macOf } from "@/lib/secrets/keys";
import { knownDeviceValue } from "@/lib/secrets/known-device";
import { type LinkSubject, linkToken } from "@/lib/secrets/secrets";
import { tokenOf } from "@/lib/testing/calls";
import { newAddress } from "@/lib/testing/contract/exchange";
import { staffDevice } from "@/lib/testing/devices";
import { makeCustomer, makeMerchant, makeWorker, uniqueEmail } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import type { Attack, Tally } from "./tally";
import type { Target } from "./target";

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Tokens and cookies of sessions that nobody was given. */
async function sessions(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db);
  const profile = async (headers: Record<string, string>) =>
    (await target.api("get /profile", { headers })).status;
  const token = await tokenOf(db, shop.owner);
  tally.works((await profile({ authorization: token })) === 200, "the token");
  for (const authorization of tampered(token))
    tally.status(await profile({ authorization }), [401], `the token as ${authorization.slice(0, 50)}`);
  const { cookie, handle, id } = await target.panelOf(shop.owner);
  const other = await target.panelOf(await makeWorker(db, shop));
  tally.works((await profile({ authorization: handle, cookie })) === 200, "the handle with its cookie");
  const [name = "", jwe = ""] = cookie.split(/=(.*)/s);
  const forged: [string, Record<string, string>][] = [
    ["the handle without its cookie", { authorization: handle }],
    ["the handle with another's cookie", { authorization: handle, cookie: other.cookie }],
    ["another's handle with the cookie", { authorization: other.handle, cookie }],
    ["the cookie alone", { cookie }],
    ["the session's id", { authorization: id }],
    ["a bearer of the cookie's value", { authorization: `Bearer ${jwe}` }],
  ];
  for (const [what, headers] of forged) tally.status(await profile(headers), [401], what);
  const claims = { sid: id, handle, role: "super_admin" };
  const secrets = [macOf("links", "cookies"), macOf("devices", "cookies")].map((key) => key.toString("hex"));
  const values = [
    ...tampered(jwe),
    `${base64url({ alg: "none" })}.${base64url(claims)}.`,
    `${base64url({ alg: "HS256" })}.${base64url(claims)}.${macOf("links", base64url(claims)).toString("base64url")}`,
    `${base64url({ alg: "dir", enc: "none" })}...${base64url(claims)}.`,
    `${base64url({ alg: "dir", enc: "A256GCM" })}.${jwe.split(".").slice(1).join(".")}`,
    ...(await Promise.all(
      [...secrets, "", "a".repeat(64)].map((secret) =>
        encode({ token: claims, secret: secret || "x", salt: SESSION_COOKIE }),
      ),
    )),
  ];
  for (const value of values) {
    const sent = { authorization: handle, cookie: `${name}=${value}` };
    tally.status(await profile(sent), [401], `the cookie as ${value.slice(0, 40)}`);
  }
  await db.session.update({ where: { id }, data: { revokedAt: new Date() } });
  // A process that remembers the session hears of its end within a second.
  const ended = () => profile({ authorization: handle, cookie });
  let answer = await ended();
  for (const until = Date.now() + 1_000; answer !== 417 && Date.now() < until; ) answer = await ended();
  tally.status(answer, [417], "an ended session");
}

/** Codes, links and permits: changed, of another purpose, of another record, and too old. */
async function permits(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db, { redeemAllowance: 0 });
  const worker = await tokenOf(db, await makeWorker(db, shop));
  const [card, other] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
  await move(db, shop, card, { points: 100 });
  const redeem = async (sProof: string) => {
    const body = { customerId: card.id, iBranchId: shop.branch.id, sPoints: 1, sProof };
    return (await target.api("post /redeem-points", { token: worker, body, address: newAddress() })).status;
  };
  const live = liveCode(card.id, new Date());
  const proofs = [
    ...tampered(live),
    liveCode(other.id, new Date()),
    liveCode(card.id, new Date(Date.now() - 3_600_000)),
    liveCode(card.id, new Date(Date.now() + 3_600_000)),
    liveCode(card.publicId, new Date()),
    freezeToken(card.id, new Date()),
  ];
  for (const proof of proofs)
    tally.status(await redeem(proof), [400, 403, 409, 422], `the live code as ${proof}`);
  tally.works((await redeem(liveCode(card.id, new Date()))) === 200, "the live code");

  const ticket = await target.api("post /auth/merchant/upload-url", {
    body: { fileName: "a.jpg", contentType: "image/jpeg", fileCategory: "image", fileSize: 4 },
  });
  const url = (ticket.body?.data as { presignedUrl: string } | undefined)?.presignedUrl ?? "http://none";
  const token = decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? "");
  const put = async (one: string, type = "image/jpeg", raw = "abcd") =>
    (
      await target.api("put /media/upload/{token}", {
        params: { token: one },
        raw,
        headers: { "content-type": type },
      })
    ).status;
  for (const one of tampered(token))
    tally.status(await put(one), [400, 403, 404], `the upload's permit as ${one.slice(-30)}`);
  tally.status(await put(token, "text/html"), [403, 415], "another type than the permit's");
  tally.status(await put(token, "image/jpeg", "abcde"), [403, 413], "another size than the permit's");

  const device = await staffDevice(db, shop.owner.id);
  const login = async (cookie: string, address: string) =>
    (
      await target.api("post /auth/login", {
        address,
        headers: { cookie },
        body: { sEmail: shop.owner.email, sPassword: "a wrong guess" },
      })
    ).status;
  const used = newAddress();
  for (let n = 0; n < 6; n += 1) await login("", used);
  for (const one of tampered(device, 4).filter((text) => !text.startsWith(device)))
    tally.status(await login(`wallet_device=${one}`, used), [429], `a device as ${one}`);
  const of = knownDeviceValue(null, { email: uniqueEmail() });
  tally.status(await login(`wallet_device=${of}`, used), [429, 401], "a device of another account");

  const holder = await target.holderCookie(card.id);
  const data = async (cookie: string, id = card.id) =>
    (await target.api("get /customer/{id}/my-data", { params: { id }, headers: { cookie } })).status;
  tally.works((await data(holder)) === 200, "the holder's cookie");
  for (const one of tampered(holder))
    tally.status(await data(one), [403], `the holder's cookie as ${one.slice(-20)}`);
  tally.status(
    await data(holder.replace(card.id, other.id), other.id),
    [403],
    "the holder's secret for another card",
  );
}

export const tamperingAttacks = (target: Target): Attack[] => [
  {
    name: "tampering: session tokens and cookies",
    needs: "handlers",
    run: (tally) => sessions(target, tally),
  },
  {
    name: "tampering: live codes, permits, devices, holders",
    needs: "handlers",
    run: (tally) => permits(target, tally),
  },
  { name: "tampering: mailed links", needs: "server", run: (tally) => mailedLinks(target, tally) },
];

const DAY = 86_400_000;
/** Presses the button of a link's page. Answers whether it was done. */
async function press(target: Target, action: string, token: string): Promise<boolean | null> {
  const page = action === "confirmMailboxAction" ? "/confirm-email/x" : "/customer/loyalty-card";
  return (await target.action(page, action, [{ token }])).ok;
}

/** A freeze link, changed, of another card and too old. */
async function freezeLinks(target: Target, tally: Tally): Promise<void> {
  const card = await makeCustomer(target.db, await makeMerchant(target.db));
  const freeze = freezeToken(card.id, new Date());
  const old = freezeToken(card.id, new Date(Date.now() - 61 * DAY));
  const stop = linkToken("email change", card.id);
  for (const token of [...tampered(freeze), freeze.replace(card.id, randomUUID()), old, stop]) {
    tally.try(
      (await press(target, "freezeCardAction", token)) === false,
      `the freeze link as ${token.slice(-20)}`,
    );
  }
  const { status } = await target.db.customer.findUniqueOrThrow({ where: { id: card.id } });
  tally.try(status === "active", "the card was frozen");
  tally.works((await press(target, "freezeCardAction", freeze)) === true, "the freeze link");
}

type Linked = { subject: LinkSubject; action: string; id: string; stands: () => Promise<boolean> };

/**
 * Makes the records that links are about: a pending change of an e-mail, a holder's device, an unproved
 * mailbox.
 */
async function linkedRecords({ db }: Target): Promise<Linked[]> {
  const shop = await makeMerchant(db);
  const card = await makeCustomer(db, shop);
  const { deviceId } = await openCardDevice(db, card.id, new Date());
  const change = await db.emailChange.create({
    data: {
      customerId: card.id,
      oldEmail: card.email ?? "",
      newEmail: uniqueEmail("thief"),
      kind: "holder",
      dueAt: new Date(Date.now() + 3 * DAY),
    },
  });
  const { owner } = await makeMerchant(db);
  await db.user.update({ where: { id: owner.id }, data: { emailProvedAt: null } });
  return [
    {
      subject: "email change",
      action: "stopEmailChangeAction",
      id: change.id,
      stands: async () => (await db.emailChange.count({ where: { id: change.id } })) === 1,
    },
    {
      subject: "card device",
      action: "endDeviceAction",
      id: deviceId,
      stands: async () => (await db.cardDevice.count({ where: { id: deviceId } })) === 1,
    },
    {
      subject: "mailbox",
      action: "confirmMailboxAction",
      id: owner.id,
      stands: async () => (await db.user.count({ where: { id: owner.id, emailProvedAt: null } })) === 1,
    },
  ];
}

/** Links that stop, end and prove: changed, of another record, and of another purpose with the very id. */
async function signedLinks(target: Target, tally: Tally): Promise<void> {
  const records = await linkedRecords(target);
  for (const { subject, action, id, stands } of records) {
    const link = linkToken(subject, id);
    const others = records.filter((one) => one.subject !== subject).map((one) => linkToken(one.subject, id));
    const forged = [...tampered(link, 6), ...others, linkToken(subject, randomUUID()), `${id}.`, id];
    for (const token of [...forged, freezeToken(id, new Date())]) {
      tally.try((await press(target, action, token)) === false, `${action} with ${token.slice(-20)}`);
    }
    tally.try(await stands(), `a forged link changed the ${subject}`);
  }
  for (const { subject, action, id, stands } of records) {
    const done = await press(target, action, linkToken(subject, id));
    tally.works(done === true && !(await stands()), `the link about the ${subject}`);
  }
}

async function mailedLinks(target: Target, tally: Tally): Promise<void> {
  await freezeLinks(target, tally);
  await signedLinks(target, tally);
}

const isLong = process.env.LONG === "1";

/** A text with one bit of one character changed, at several places; and cut off, doubled and padded. */
function tampered(text: string, count = isLong ? 60 : 12): string[] {
  const flips = Array.from({ length: count }, (_, n) => {
    const at = Math.floor((n * text.length) / count);
    const other = String.fromCharCode(text.charCodeAt(at) ^ 1);
    return text.slice(0, at) + (/[\w.~-]/.test(other) ? other : "A") + text.slice(at + 1);
  });
  const cut = [text.slice(0, -1), text.slice(1), text.slice(0, text.length / 2), `${text}A`, text + text];
  return [...flips, ...cut].filter((one) => one !== text);
}

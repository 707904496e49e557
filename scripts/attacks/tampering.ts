import { encode } from "next-auth/jwt";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { freezeToken } from "@/lib/cards/freeze-card";
import { liveCode } from "@/lib/ledger/proof";
import { macOf } from "@/lib/secrets/keys";
import { knownDeviceValue } from "@/lib/secrets/known-device";
import { tokenOf } from "@/lib/testing/calls";
import { newAddress } from "@/lib/testing/contract/exchange";
import { staffDevice } from "@/lib/testing/devices";
import { makeCustomer, makeMerchant, makeWorker, uniqueEmail } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { mailedLinks, tampered } from "./links";
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

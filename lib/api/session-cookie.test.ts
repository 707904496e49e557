import { expect, test } from "vitest";
import { SESSION_COOKIE, sessionCookie } from "@/lib/accounts/auth.config";
import { openSession } from "@/lib/accounts/session";
import type { User } from "@/lib/db/generated/client";
import { call, type JsonAnswer, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { makeTill, proofOf, type TillFixture } from "@/lib/testing/tills";
import ar from "@/messages/ar.json";
import en from "@/messages/en.json";
import { leaveEndedSession } from "./ended-session";

const topUp = handlerOf("POST", "top-up-points");

const db = await testDb();

/** A browser's session of a user: its cookie and its public handle. With `till`, one that a PIN opened there. */
async function browserOf(user: User, till?: TillFixture) {
  const from = { userId: user.id, userAgent: null, address: "a", now: new Date(), tillId: till?.till.id };
  const { id, handle } = await openSession(db, from);
  await db.session.update({ where: { id }, data: { tokenHash: null } });
  const { value } = await sessionCookie({ userId: user.id, sessionId: id, handle, role: user.role });
  const end = () => db.session.update({ where: { id }, data: { revokedAt: new Date() } });
  return { cookie: `${SESSION_COOKIE}=${value}`, handle, end };
}

async function ownersBrowser() {
  return browserOf((await makeMerchant(db)).owner);
}

async function leave(query: string, headers: Record<string, string>) {
  const answer = await leaveEndedSession(
    new Request(`http://localhost:3000/session/ended${query}`, { headers }),
  );
  const { status } = answer;
  return { status, location: answer.headers.get("location"), cookies: answer.headers.getSetCookie() };
}

test("a tab that opens a page of an ended session loses the cookie and goes to login, or where it wanted", async () => {
  const { cookie, end } = await ownersBrowser();
  await end();
  for (const headers of [{ cookie }, { cookie, "sec-fetch-mode": "navigate" }] as Record<string, string>[]) {
    const { cookies, ...answer } = await leave("?from=%2Fmerchant%2Faccount", headers);
    expect(answer).toEqual({ status: 307, location: "/login?ended=1&from=%2Fmerchant%2Faccount" });
    expect(cookies).toContainEqual(expect.stringMatching(`^${SESSION_COOKIE}=; Path=/; Max-Age=0;`));
    expect(await leave("?to=%2Flogin%3Fpassword%3D1", headers)).toMatchObject({
      location: "/login?password=1",
      cookies,
    });
  }
  expect((await leave("?to=%2F%2Fevil.test", { cookie })).location).toBe("/login?ended=1");
});

test("nothing else than a tab's navigation is answered with a deleted cookie: the answer may be late", async () => {
  const { cookie, end } = await ownersBrowser();
  await end();
  for (const mode of ["cors", "same-origin", "no-cors", "websocket"])
    expect(await leave("?from=%2Femployee%2Ftopup", { cookie, "sec-fetch-mode": mode })).toEqual({
      status: 417,
      location: null,
      cookies: [],
    });
});

test("a live session and a browser without one keep what they have", async () => {
  const { cookie } = await ownersBrowser();
  for (const mode of ["navigate", "cors"]) {
    const headers = { cookie, "sec-fetch-mode": mode };
    expect(await leave("?from=%2Fhelp", headers)).toEqual({ status: 307, location: "/help", cookies: [] });
    expect((await leave("?to=%2Flogin", headers)).location).toBe("/login");
  }
  expect(await leave("", { "sec-fetch-mode": "navigate" })).toMatchObject({ status: 307, cookies: [] });
});

test("a browser's calls answer in the language of its pages, an API client's in that of the account", async () => {
  const { owner } = await makeMerchant(db);
  await db.user.update({ where: { id: owner.id }, data: { locale: "ar" } });
  const { cookie, handle } = await browserOf(owner);
  const inBrowser = (headers: Record<string, string>) =>
    call(topUp, { method: "POST", body: {}, headers: { authorization: handle, ...headers } });
  const ofAmount = ({ errors }: JsonAnswer) => errors?.find(({ path }) => path === "sPoints")?.message;
  expect(ofAmount(await inBrowser({ cookie: `${cookie}; locale=en` }))).toBe(en.validation.points.required);
  expect(ofAmount(await inBrowser({ cookie, "accept-language": "en" }))).toBe(en.validation.points.required);
  expect(ofAmount(await inBrowser({ cookie: `${cookie}; locale=ar` }))).toBe(ar.validation.points.required);
  const token = await tokenOf(db, owner);
  const byClient = await call(topUp, {
    method: "POST",
    token,
    body: {},
    headers: { "accept-language": "en" },
  });
  expect(ofAmount(byClient)).toBe(ar.validation.points.required);
});

test("no movement is posted where cookie and handle are of different cashiers, whichever of them is ended", async () => {
  const shop = await makeMerchant(db);
  const [at, customer] = [await makeTill(db, shop), await makeCustomer(db, shop)];
  const [sara, omar] = [await makeWorker(db, shop), await makeWorker(db, shop)];
  const body = { sPoints: 40, customerId: customer.id, iBranchId: shop.branch.id };
  const post = async (cookie: string, handle: string) => {
    const proof = await proofOf(at.key, { method: "POST", body, token: handle });
    const headers = { ...proof, cookie, authorization: handle, "idempotency-key": crypto.randomUUID() };
    return call(topUp, { method: "POST", body, headers });
  };
  const [saras, omars] = [await browserOf(sara, at), await browserOf(omar, at)];
  const mixed = async () => [
    (await post(saras.cookie, omars.handle)).status,
    (await post(omars.cookie, saras.handle)).status,
  ];
  expect(await mixed()).toEqual([401, 401]);
  await saras.end();
  expect(await mixed()).toEqual([417, 401]);
  expect((await post(saras.cookie, saras.handle)).status).toBe(417);
  expect(await db.movement.count({ where: { customerId: customer.id } })).toBe(0);
  expect((await post(omars.cookie, omars.handle)).status).toBe(200);
  const rows = await db.movement.findMany({ where: { customerId: customer.id } });
  expect(rows.map(({ actorId }) => actorId)).toEqual([omar.id]);
});

import { afterEach, expect, test, vi } from "vitest";
import { openSession } from "@/lib/accounts/session";
import type { Handler } from "@/lib/api/match";
import { tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { createTill, retireTill } from "@/lib/tills/tills";
import { newKeys, publicJwk } from "./device";
import { sendSigned, signedFetch } from "./signed-fetch";

const openShiftCall = handlerOf("POST", "shifts");
const branchesCall = handlerOf("GET", "branches");
const ownTillCall = handlerOf("GET", "tills/me");
const pairCall = handlerOf("POST", "tills/pair");

const db = await testDb();
const ORIGIN = "http://localhost:3000";

afterEach(() => vi.unstubAllGlobals());

/** Sends to a handler of the API as the browser's `fetch` does. */
const sendTo =
  (handler: Handler, change: (init: RequestInit) => RequestInit = (init) => init) =>
  (url: string, init: RequestInit) =>
    handler(new Request(url, change(init)), { params: {} });

/** A till that is paired by the browser's own key, with a worker's PIN session. */
async function pairedTill() {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  const { id, pairingCode } = await createTill(owner, { branchId: shop.branch.id, name: "Front" });
  const keys = await newKeys();
  const body = JSON.stringify({ sPairingCode: pairingCode, jPublicKey: await publicJwk(keys) });
  const headers = { "content-type": "application/json" };
  const paired = await pairCall(new Request(`${ORIGIN}/api/tills/pair`, { method: "POST", headers, body }), {
    params: {},
  });
  expect(paired.status).toBe(200);
  const worker = await makeWorker(db, shop);
  const from = { userAgent: null, address: "127.0.0.1", now: new Date() };
  const session = await openSession(db, { userId: worker.id, tillId: id, ...from });
  return { owner, id, keys, worker, token: session.token };
}

test("the browser's key is a till's, and its proof covers token and body", async () => {
  const { id, keys, worker, token } = await pairedTill();
  const me = await sendSigned(keys, new URL(`${ORIGIN}/api/tills/me`), {}, sendTo(ownTillCall));
  expect(await me.json()).toMatchObject({ data: { _id: id, workers: [{ _id: worker.id }] } });
  const url = new URL(`${ORIGIN}/api/shifts`);
  const headers = { authorization: token, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ iTillId: id, iFloat: 20_000 }) };
  const changed = sendTo(openShiftCall, (sent) => ({
    ...sent,
    body: JSON.stringify({ iTillId: id, iFloat: 0 }),
  }));
  expect((await sendSigned(keys, url, init, changed)).status).toBe(401);
  expect((await sendSigned(keys, url, init, sendTo(openShiftCall))).status).toBe(200);
  const shift = await db.shift.findFirstOrThrow({ where: { tillId: id } });
  expect(shift.float).toBe(20_000);
});

test("the private key cannot leave the browser", async () => {
  const { privateKey } = await newKeys();
  await expect(crypto.subtle.exportKey("jwk", privateKey)).rejects.toThrow();
});

test("a retired till is answered invalid_dpop_proof", async () => {
  const { owner, id, keys } = await pairedTill();
  await retireTill(owner, { id });
  const url = new URL(`${ORIGIN}/api/tills/me`);
  const answer = await sendSigned(keys, url, {}, sendTo(ownTillCall));
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: "invalid_dpop_proof" });
});

test("a proof that the browser sent twice by itself is made again", async () => {
  const { keys } = await pairedTill();
  const url = new URL(`${ORIGIN}/api/tills/me`);
  const send = sendTo(ownTillCall);
  let broken = true;
  // The connection breaks before the answer, so the browser sends the same bytes over another one.
  const resending = async (to: string, init: RequestInit) => {
    if (broken) await send(to, init);
    broken = false;
    return send(to, init);
  };
  expect((await sendSigned(keys, url, {}, resending)).status).toBe(200);
});

test("a browser that cannot read its key calls without it where no till is needed", async () => {
  const { owner, token } = await pairedTill();
  const own = await tokenOf(db, await db.user.findUniqueOrThrow({ where: { id: owner.actor.userId } }));
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("the disk is full", "UnknownError");
    },
  });
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => sendTo(branchesCall)(ORIGIN + path, init));
  expect((await signedFetch("/api/branches", { headers: { authorization: own } })).status).toBe(200);
  // Nothing is known of the session of a PIN, which needs the key: it is not over.
  await expect(signedFetch("/api/branches", { headers: { authorization: token } })).rejects.toThrow("disk");
});

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openSession } from "@/lib/accounts/session";
import type { DomainError } from "@/lib/domain/errors";
import { errorText } from "@/lib/i18n/translate";
import { newDevice } from "@/lib/secrets/known-device";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { shopWithTill } from "@/lib/testing/shop-with-till";
import { makeTill, newTillKey, proofOf } from "@/lib/testing/tills";
import { pairTill } from "./pair-till";
import { openShift } from "./run-shifts";
import { tillOfKey } from "./till-proof";
import { createTill, listTills, retireTill, updateTill } from "./tills";

const PUT = handlerOf("PUT", "tills/{id}");
const me = handlerOf("GET", "tills/me");
const pair = handlerOf("POST", "tills/pair");
const GET = handlerOf("GET", "tills");
const POST = handlerOf("POST", "tills");

const db = await testDb();

test("an owner adds a till, a browser pairs with its code once, and the till sees itself", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const token = await tokenOf(db, shop.owner);
  const made = await call(POST, {
    method: "POST",
    token,
    body: { iBranchId: shop.branch.id, sName: "Till 1" },
  });
  expect(made).toMatchObject({ status: 200, data: { sName: "Till 1", bPaired: false } });
  const { _id, sPairingCode } = made.data as { _id: string; sPairingCode: string };
  expect(sPairingCode).toMatch(/^\d{8}$/);
  const key = await newTillKey();
  const body = { sPairingCode, jPublicKey: key.jwk };
  const both = await Promise.all([1, 2].map(() => call(pair, { method: "POST", body })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(both.find(({ status }) => status === 400)).toMatchObject({ code: "code_invalid" });
  const own = await call(me, { headers: await proofOf(key) });
  expect(own).toMatchObject({
    status: 200,
    data: { _id, shift: null, workers: [{ _id: worker.id, bHasPin: false }] },
  });
  const listed = await call(GET, { token });
  expect(JSON.stringify(listed)).not.toContain(sPairingCode);
  expect(listed).toMatchObject({ data: { results: [{ _id, bPaired: true }] } });
});

test("who makes a pairing code for a till is written down, without the code", async () => {
  const shop = await makeMerchant(db);
  const { till } = await makeTill(db, shop);
  const made = await updateTill(contextOf(db, shop.owner), { id: till.id, newCode: true });
  // A server action answers all of it to the browser.
  expect(made).not.toHaveProperty("pairingHash");
  const { pairingCode } = made as { pairingCode: string };
  await updateTill(contextOf(db, await makeAdmin(db)), { id: till.id, name: "Front", newCode: true });
  const written = await auditsOf(db, till.id);
  expect(written.map(({ action }) => action)).toEqual(["till.code", "till.changed", "till.code"]);
  expect(written[0]).toMatchObject({ actorId: shop.owner.id, merchantId: shop.merchant.id });
  expect(JSON.stringify(written.map(({ before, after }) => [before, after]))).not.toContain(pairingCode);
});

test("a code ends after ten minutes, and guesses from one address are few", async () => {
  const shop = await makeMerchant(db);
  const past = new Date(Date.now() - 11 * 60_000);
  const ctx = contextOf(db, shop.owner, { clock: () => past });
  const made = await createTill(ctx, { branchId: shop.branch.id, name: "Till 1" });
  const { jwk } = await newTillKey();
  const from = { ...contextOf(db, shop.owner), actor: null, address: "198.51.100.77" };
  const given = { pairingCode: made.pairingCode, publicKey: jwk as never };
  await expect(pairTill(from, given)).rejects.toMatchObject({ code: "code_invalid" });
  for (let n = 0; n < 9; n++) await pairTill(from, given).catch(() => null);
  await expect(pairTill(from, given)).rejects.toMatchObject({ code: "rate_limited" });
});

test("codes that were right are no guesses: a shop pairs as many tills as it has", async () => {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  const callers = [owner, { ...owner, actor: null, address: "198.51.100.78" }];
  for (const from of callers) {
    for (let n = 0; n < 11; n++) {
      const made = await createTill(owner, { branchId: shop.branch.id, name: randomUUID() });
      const { jwk } = await newTillKey();
      const given = { pairingCode: made.pairingCode, publicKey: jwk as never };
      expect(await pairTill(from, given)).toMatchObject({ id: made.id });
    }
    const { jwk } = await newTillKey();
    const wrong = { pairingCode: "00000000", publicKey: jwk as never };
    for (let n = 0; n < 10; n++)
      await expect(pairTill(from, wrong)).rejects.toMatchObject({ code: "code_invalid" });
    await expect(pairTill(from, wrong)).rejects.toMatchObject({ code: "rate_limited" });
  }
});

test("many browsers that signed in before guess no more together, and shut out no owner who is signed in", async () => {
  const shop = await makeMerchant(db);
  const made = await createTill(contextOf(db, shop.owner), { branchId: shop.branch.id, name: "Till 1" });
  const { jwk } = await newTillKey();
  const given = { pairingCode: made.pairingCode, publicKey: jwk as never };
  const wrong = {
    ...given,
    pairingCode: made.pairingCode.replace(/./, (digit) => String((Number(digit) + 1) % 10)),
  };
  const ctx = { ...contextOf(db, shop.owner), actor: null };
  await pairTill({ ...ctx, device: newDevice() }, wrong).catch(() => null);
  await db.rateLimit.updateMany({ where: { key: "pairing-devices:all" }, data: { points: 990 } });
  const guesses = await Promise.allSettled(
    Array.from({ length: 30 }, () => pairTill({ ...ctx, device: newDevice() }, wrong)),
  );
  const codes = guesses.map((one) => one.status === "rejected" && one.reason.code);
  expect(codes.filter((code) => code === "code_invalid")).toHaveLength(10);
  expect(codes.filter((code) => code === "rate_limited")).toHaveLength(20);
  const device = newDevice();
  await expect(pairTill({ ...ctx, device }, given)).rejects.toMatchObject({ code: "rate_limited" });
  // Signed in, somebody tries the codes of their own merchant only.
  const other = await makeMerchant(db);
  const foreign = { ...contextOf(db, other.owner), device };
  await expect(pairTill(foreign, given)).rejects.toMatchObject({ code: "code_invalid" });
  expect(await pairTill({ ...contextOf(db, shop.owner), device }, given)).toMatchObject({ id: made.id });
  await db.rateLimit.deleteMany({ where: { key: "pairing-devices:all" } });
});

test("a public key with a private part is refused", async () => {
  const { jwk } = await newTillKey();
  const body = { sPairingCode: "12345678", jPublicKey: { ...jwk, d: jwk.x } };
  expect(await call(pair, { method: "POST", body })).toMatchObject({ status: 400, code: "validation" });
});

test("tills are the owner's: not another's, not a worker's; a super_admin reaches all", async () => {
  const shop = await makeMerchant(db);
  const other = await makeMerchant(db);
  const { till } = await makeTill(db, shop);
  const body = { sName: "Mine" };
  const of = async (user: typeof shop.owner) => ({
    method: "PUT",
    token: await tokenOf(db, user),
    params: { id: till.id },
    body,
  });
  expect(await call(PUT, await of(other.owner))).toMatchObject({ status: 404, code: "till_not_found" });
  expect(await call(PUT, await of(await makeWorker(db, shop)))).toMatchObject({ status: 403 });
  expect(await call(PUT, await of(await makeAdmin(db)))).toMatchObject({ status: 200, data: body });
  const ctx = contextOf(db, other.owner);
  await expect(createTill(ctx, { branchId: shop.branch.id, name: "x" })).rejects.toMatchObject({
    code: "branch_not_found",
  });
  const again = await makeTill(db, shop);
  await expect(
    updateTill(contextOf(db, shop.owner), { id: again.till.id, name: "MINE" }),
  ).rejects.toMatchObject({ code: "till_name_taken" });
});

test("a lost till with an open shift is not retired and says what comes first; another device can take its place", async () => {
  const { shop, worker, at } = await shopWithTill(db);
  const { id } = at.till;
  const owner = contextOf(db, shop.owner);
  await openShift(owner, { tillId: id, float: 0 });
  const now = new Date();
  await openSession(db, { userId: worker.id, tillId: id, userAgent: null, address: "127.0.0.1", now });
  const error = await retireTill(owner, { id }).catch((one: unknown) => one);
  expect(error).toMatchObject({ code: "shift_open" });
  expect(errorText("en", error as DomainError)).toContain("by the owner under Shifts");
  const made = await updateTill(owner, { id, newCode: true });
  const { jwk } = await newTillKey();
  const pairingCode = "pairingCode" in made ? made.pairingCode : "";
  await pairTill(owner, { pairingCode, publicKey: jwk as never });
  expect(await db.session.count({ where: { tillId: id, revokedAt: null } })).toBe(0);
  expect(await db.till.findUnique({ where: { id } })).toMatchObject({ retiredAt: null });
  expect((await tillOfKey(db, at.till.thumbprint ?? ""))?.replacedAt).not.toBeNull();
  expect(await db.shift.count({ where: { tillId: id, closedAt: null } })).toBe(1);
});

test("the list of tills says who was there last, and when", async () => {
  const shop = await makeMerchant(db);
  const [{ till }, unused] = [await makeTill(db, shop), await makeTill(db, shop)];
  const [first, last] = [await makeWorker(db, shop), await makeWorker(db, shop, { firstName: "Sara" })];
  const seen = new Date();
  for (const [user, minutes] of [[last, 5] as const, [first, 9] as const]) {
    const now = new Date(seen.getTime() - minutes * 60_000);
    await openSession(db, { userId: user.id, tillId: till.id, userAgent: null, address: "127.0.0.1", now });
  }
  const { results } = await listTills(contextOf(db, shop.owner), {});
  const contacts = Object.fromEntries(results.map(({ id, lastContact }) => [id, lastContact]));
  expect(contacts).toEqual({
    [till.id]: { at: new Date(seen.getTime() - 5 * 60_000), by: `Sara ${last.lastName}` },
    [unused.till.id]: null,
  });
});

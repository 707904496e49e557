import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { reverseLost } from "@/lib/holds/reverse-lost";
import { call } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { offlineTill, outcomes, sync } from "@/lib/testing/offline-till";
import { proofOf } from "@/lib/testing/tills";
import { listEntries, resolveEntry } from "./offline-inbox";
import { retireTill } from "./tills";

const topUpCall = handlerOf("POST", "top-up-points");

const db = await testDb();
const held = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).balance;
type Place = Awaited<ReturnType<typeof offlineTill>>;

/** Tops the till's customer up at the counter, under a key. */
async function atCounter(place: Place, key: string, more: Record<string, unknown> = {}) {
  const body = {
    sPoints: 10,
    customerId: place.customer.id,
    iBranchId: place.shop.branch.id,
    eTender: "cash",
    ...more,
  };
  const sent = { method: "POST", token: place.token, body };
  const headers = { ...(await proofOf(place.at.key, sent)), "idempotency-key": key };
  return call(topUpCall, { ...sent, headers });
}

/** The movement of the till's worker under this key. */
const under = async (place: Place, key: string) =>
  (await db.movement.findFirst({ where: { actorId: place.worker.id, idempotencyKey: key } }))?.id;

/** An entry under this key that waits for the owner, and how the owner resolves it. */
async function inInbox(place: Place, key: string, more: Record<string, unknown> = {}) {
  const block = (status: "blocked" | "active") =>
    db.customer.update({ where: { id: place.customer.id }, data: { status } });
  await block("blocked");
  expect(outcomes(await sync(place, [await place.entry({ sKey: key, ...more })]))).toEqual([
    "inbox customer_blocked",
  ]);
  await block("active");
  const owner = contextOf(db, place.shop.owner);
  const [entry] = (await listEntries(owner, { limit: 50, state: "waiting" })).results;
  const other = await makeCustomer(db, place.shop);
  const resolve = (action: "post" | "move") =>
    resolveEntry(owner, { id: entry?.id ?? "", action, customerId: other.id, reason: "Paid" });
  const movementOf = async () =>
    (await db.offlineEntry.findUniqueOrThrow({ where: { id: entry?.id ?? "" } })).movementId;
  return { resolve, other, movementOf };
}

test("what the counter posted with a bill number in Arabic digits does not go to the inbox", async () => {
  const place = await offlineTill(db);
  const key = randomUUID();
  expect(await atCounter(place, key, { sSaleRef: "١٢٣" })).toMatchObject({ status: 200 });
  await retireTill(contextOf(db, place.shop.owner), { id: place.at.till.id });
  const entries = [await place.entry({ sKey: key, sSaleRef: "١٢٣" })];
  expect(outcomes(await sync(place, entries))).toEqual(["replayed"]);
  expect(await held(place.customer.id)).toBe(10);
});

test.each(["post", "move"] as const)(
  "an entry of the inbox that its cashier has posted since is not posted again: %s",
  async (action) => {
    const place = await offlineTill(db);
    const key = randomUUID();
    const { resolve, other, movementOf } = await inInbox(place, key);
    await atCounter(place, key);
    expect(await resolve(action)).toMatchObject({ resolution: "post" });
    expect(await movementOf()).toBe(await under(place, key));
    expect([await held(place.customer.id), await held(other.id)]).toEqual([10, 0]);
  },
);

test("what the owner has posted is answered to the cashier who repeats it, and refused where it was moved", async () => {
  const place = await offlineTill(db);
  const key = randomUUID();
  const first = await inInbox(place, key);
  await first.resolve("post");
  expect(await atCounter(place, key)).toMatchObject({ status: 200 });
  expect(await first.movementOf()).toBe(await under(place, key));
  const moved = randomUUID();
  const second = await inInbox(place, moved);
  expect(await second.resolve("move")).toMatchObject({ resolution: "move" });
  expect(await atCounter(place, moved)).toMatchObject({ status: 422, code: "key_reused" });
  expect([await held(place.customer.id), await held(second.other.id)]).toEqual([10, 10]);
});

test("an entry whose request was given up goes to the inbox, since cash was taken, and the owner decides", async () => {
  const place = await offlineTill(db);
  const key = randomUUID();
  const worker = contextOf(db, place.worker);
  expect(await reverseLost(worker, { lostKey: key })).toMatchObject({ result: "tombstone" });
  const entry = await place.entry({ sKey: key });
  for (let turn = 0; turn < 2; turn++) {
    expect(outcomes(await sync(place, [entry]))).toEqual(["inbox reversed_before_arrival"]);
  }
  expect(await atCounter(place, key)).toMatchObject({ status: 409, code: "reversed_before_arrival" });
  expect(await held(place.customer.id)).toBe(0);
  const owner = contextOf(db, place.shop.owner);
  const [waiting] = (await listEntries(owner, { limit: 50, state: "waiting" })).results;
  await resolveEntry(owner, { id: waiting?.id ?? "", action: "post", reason: "The customer paid" });
  expect(await held(place.customer.id)).toBe(10);
});

test("owner and cashier who post the same at the same moment post it once", async () => {
  const place = await offlineTill(db);
  for (let round = 1; round <= 10; round++) {
    const key = randomUUID();
    const { resolve, movementOf } = await inInbox(place, key);
    const [posted] = await Promise.all([atCounter(place, key), resolve("post")]);
    expect(posted.status).toBe(200);
    expect(await movementOf()).toBe(await under(place, key));
    expect(await held(place.customer.id)).toBe(round * 10);
  }
});

test("one that the owner moves while its cashier repeats it is posted to one of the two", async () => {
  const place = await offlineTill(db);
  for (let round = 1; round <= 10; round++) {
    const key = randomUUID();
    const { resolve, other } = await inInbox(place, key);
    const before = await held(place.customer.id);
    const [posted, moved] = await Promise.allSettled([atCounter(place, key), resolve("move")]);
    const status = posted.status === "fulfilled" && posted.value.status;
    const code = moved.status === "rejected" && moved.reason.code;
    expect([200, 422]).toContain(status);
    expect([false, "key_reused"]).toContain(code);
    const own = (await held(place.customer.id)) - before;
    expect([own, await held(other.id)]).toEqual(status === 200 ? [10, 0] : [0, 10]);
  }
});

test("an entry whose key its worker used for something else is the owner's to post", async () => {
  const place = await offlineTill(db);
  const key = randomUUID();
  await atCounter(place, key, { sPoints: 25 });
  expect(outcomes(await sync(place, [await place.entry({ sKey: key })]))).toEqual(["inbox key_reused"]);
  const owner = contextOf(db, place.shop.owner);
  const [entry] = (await listEntries(owner, { limit: 50, state: "waiting" })).results;
  await resolveEntry(owner, { id: entry?.id ?? "", action: "post", reason: "Both were paid" });
  expect(await held(place.customer.id)).toBe(35);
});

const BOTH = [
  ["the private id, then the public one", "id", "publicId"],
  ["the public id, then the private one", "publicId", "id"],
] as const;

describe.each(BOTH)(
  "a top-up that is repeated by the customer's other id posts once: %s",
  (_name, first, then) => {
    const begin = async () => {
      const place = await offlineTill(db);
      const key = randomUUID();
      const named = (by: "id" | "publicId") => ({ customerId: place.customer[by] });
      return { place, key, named };
    };

    test("at the counter", async () => {
      const { place, key, named } = await begin();
      const posted = await atCounter(place, key, named(first));
      expect(await atCounter(place, key, named(then))).toEqual(posted);
      expect(await held(place.customer.id)).toBe(10);
    });

    test("kept by the till after the counter had posted it", async () => {
      const { place, key, named } = await begin();
      await atCounter(place, key, named(first));
      const entry = await place.entry({ sKey: key, ...named(then) });
      for (const _again of [1, 2]) expect(outcomes(await sync(place, [entry]))).toEqual(["replayed"]);
      expect(await held(place.customer.id)).toBe(10);
    });

    test("kept by a till that is retired before it sends it", async () => {
      const { place, key, named } = await begin();
      await atCounter(place, key, named(first));
      await retireTill(contextOf(db, place.shop.owner), { id: place.at.till.id });
      const entry = await place.entry({ sKey: key, ...named(then) });
      expect(outcomes(await sync(place, [entry]))).toEqual(["replayed"]);
      expect(await held(place.customer.id)).toBe(10);
    });

    test("at the counter after the till had kept and sent it", async () => {
      const { place, key, named } = await begin();
      expect(outcomes(await sync(place, [await place.entry({ sKey: key, ...named(first) })]))).toEqual([
        "posted",
      ]);
      expect(await atCounter(place, key, named(then))).toMatchObject({ status: 200 });
      expect(await held(place.customer.id)).toBe(10);
    });

    test("by the owner, from the inbox, after its cashier", async () => {
      const { place, key, named } = await begin();
      const { resolve, movementOf } = await inInbox(place, key, named(first));
      await atCounter(place, key, named(then));
      expect(await resolve("post")).toMatchObject({ resolution: "post" });
      expect(await movementOf()).toBe(await under(place, key));
      expect(await held(place.customer.id)).toBe(10);
    });
  },
);

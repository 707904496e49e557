import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { keptBy, minutesAgo, offlineTill, outcomes, signedInByPin, sync } from "@/lib/testing/offline-till";
import { contextAt, makeTill, newTillKey, proofOf } from "@/lib/testing/tills";

const ownTillCall = handlerOf("GET", "tills/me");
const syncCall = handlerOf("POST", "tills/sync");
const topUpCall = handlerOf("POST", "top-up-points");

const db = await testDb();
const held = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).balance;

describe("what a till kept", () => {
  test("is posted at its time by its worker, in order, and counts in the shift that is open now", async () => {
    const place = await offlineTill(db);
    const colleague = await makeWorker(db, place.shop);
    const session = await signedInByPin(db, place.at, colleague.id);
    const entries = [
      await place.entry({ sSaleRef: "B-7" }),
      keptBy(session, await place.entry({ iWorkerId: colleague.id, eTender: "card" })),
    ];
    const answer = await sync(place, entries);
    expect(outcomes(answer)).toEqual(["posted", "posted"]);
    expect(answer).toMatchObject({
      data: {
        results: [
          {
            movement: {
              till: { _id: place.at.till.id },
              dOccurredAt: entries[0]?.dOccurredAt,
              sSaleRef: "B-7",
            },
          },
          {},
        ],
      },
    });
    const rows = await db.movement.findMany({
      where: { customerId: place.customer.id },
      orderBy: { seq: "asc" },
    });
    expect(rows.map(({ actorId }) => actorId)).toEqual([place.worker.id, colleague.id]);
    expect(rows[0]?.occurredAt.toISOString()).toBe(entries[0]?.dOccurredAt);
    expect(rows[0]?.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test("is posted once under repeats and concurrent repeats, also of overlapping parts", async () => {
    const place = await offlineTill(db);
    const entries = await Promise.all(Array.from({ length: 20 }, () => place.entry({ sPoints: 1 })));
    const all = await Promise.all([
      sync(place, entries),
      sync(place, entries.slice(0, 12)),
      sync(place, entries.slice(5)),
      sync(place, entries),
    ]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(all.flatMap(outcomes))).toEqual(new Set(["posted", "replayed"]));
    expect(all.flatMap(outcomes).filter((one) => one === "posted")).toHaveLength(20);
    const again = await sync(place, entries);
    expect(new Set(outcomes(again))).toEqual(new Set(["replayed"]));
    expect(
      (again.data as { results: { movement: unknown }[] }).results.every(({ movement }) => movement),
    ).toBe(true);
    expect(await held(place.customer.id)).toBe(20);
  });

  test("and reached the ledger before the line dropped is answered, not doubled", async () => {
    const place = await offlineTill(db);
    const key = randomUUID();
    const input = {
      customerId: place.customer.id,
      points: 10,
      branchId: place.shop.branch.id,
      tender: "cash" as const,
    };
    await topUp(contextAt(db, place.worker, place.at), { ...input, idempotencyKey: key });
    expect(outcomes(await sync(place, [await place.entry({ sKey: key })]))).toEqual(["replayed"]);
    expect(await held(place.customer.id)).toBe(10);
  });

  test("and has its bill number in Arabic digits is the same as the counter posted, and kept with 0-9", async () => {
    const place = await offlineTill(db);
    const post = async (sSaleRef: string) => {
      const key = randomUUID();
      const body = {
        sPoints: 10,
        customerId: place.customer.id,
        iBranchId: place.shop.branch.id,
        eTender: "cash",
        sSaleRef,
      };
      const sent = { method: "POST", token: place.token, body };
      const headers = { ...(await proofOf(place.at.key, sent)), "idempotency-key": key };
      expect(await call(topUpCall, { ...sent, headers })).toMatchObject({ status: 200 });
      return place.entry({ sKey: key, sSaleRef });
    };
    const entries = [await post("١٢٣-أ"), await place.entry({ sSaleRef: "۴۵ " })];
    expect(outcomes(await sync(place, entries))).toEqual(["replayed", "posted"]);
    expect(await held(place.customer.id)).toBe(20);
    const rows = await db.offlineEntry.findMany({
      where: { tillId: place.at.till.id },
      orderBy: { n: "asc" },
    });
    expect(rows.map(({ saleRef }) => saleRef)).toEqual(["123-أ", "45"]);
  });

  test("is refused when it was changed, signed by another key, or takes a number or key again", async () => {
    const place = await offlineTill(db);
    const good = await place.entry();
    const changed = { ...(await place.entry()), sPoints: 20 };
    const forged = await place.entry({}, await newTillKey());
    const stranger = await makeWorker(db, await makeMerchant(db));
    const sent = [good, changed, forged, await place.entry({ iWorkerId: stranger.id })];
    expect(outcomes(await sync(place, sent))).toEqual([
      "posted",
      "refused signature_invalid",
      "refused signature_invalid",
      "refused worker_not_found",
    ]);
    const again = [await place.entry({ n: good.n }), await place.entry({ sKey: good.sKey })];
    expect(outcomes(await sync(place, again))).toEqual(["refused key_reused", "refused key_reused"]);
    expect(await held(place.customer.id)).toBe(10);
  });

  test("with a time that Postgres does not know is not understood, and holds up no other top-up for ever", async () => {
    const place = await offlineTill(db);
    const good = await place.entry();
    for (const dOccurredAt of ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z"]) {
      // The till then sends one by one, and settles this one as refused.
      const broken = await sync(place, [good, await place.entry({ dOccurredAt })]);
      expect(broken).toMatchObject({
        status: 400,
        code: "validation",
        errors: [{ path: "entries.1.dOccurredAt" }],
      });
    }
    const odd = ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"];
    const kept = await Promise.all(odd.map((dOccurredAt) => place.entry({ dOccurredAt })));
    expect(outcomes(await sync(place, [good, ...kept]))).toEqual([
      "posted",
      "inbox entry_old",
      "inbox entry_from_future",
    ]);
  });

  test("needs the till's proof and a session of its merchant", async () => {
    const place = await offlineTill(db);
    const entries = [await place.entry()];
    const sent = { method: "POST", token: place.token, body: { entries } };
    expect(await call(syncCall, sent)).toMatchObject({ status: 401, code: "invalid_dpop_proof" });
    const other = await offlineTill(db);
    expect(await sync({ at: place.at, token: other.token }, entries)).toMatchObject({ status: 403 });
    const signedOut = { method: "POST", body: { entries } };
    expect(
      await call(syncCall, { ...signedOut, headers: await proofOf(place.at.key, signedOut) }),
    ).toMatchObject({
      status: 401,
      code: "unauthenticated",
    });
  });

  test("is nobody else's than of who signs, or of whose session at the till at that time kept it", async () => {
    const place = await offlineTill(db);
    const { shop, at } = place;
    const [before, later, left, elsewhere, away] = await Promise.all(
      Array.from({ length: 5 }, () => makeWorker(db, shop)),
    );
    if (!before || !later || !left || !elsewhere || !away) throw new Error("five workers");
    const early = await signedInByPin(db, at, before.id);
    const late = await signedInByPin(db, at, later.id, 10);
    const gone = await signedInByPin(db, at, left.id);
    await db.session.update({ where: { id: gone.id }, data: { revokedAt: minutesAgo(45) } });
    const other = await signedInByPin(db, await makeTill(db, shop), elsewhere.id);
    await tokenOf(db, away);
    await tokenOf(db, shop.owner);
    const own = await makeCustomer(db, shop, { phone: place.worker.phone });
    const entries = [
      await place.entry(),
      keptBy(early, await place.entry({ iWorkerId: before.id })),
      keptBy(late, await place.entry({ iWorkerId: later.id })),
      keptBy(gone, await place.entry({ iWorkerId: left.id })),
      keptBy(other, await place.entry({ iWorkerId: elsewhere.id })),
      keptBy(early, await place.entry({ iWorkerId: away.id, customerId: own.id })),
      await place.entry({ iWorkerId: shop.owner.id }),
    ];
    expect(outcomes(await sync(place, entries))).toEqual([
      "posted",
      "posted",
      ...Array<string>(5).fill("inbox worker_not_here"),
    ]);
    expect(await held(own.id)).toBe(0);
  });

  test("in a colleague's name during the colleague's session goes to the inbox without that session's key", async () => {
    const place = await offlineTill(db);
    const { shop, at, worker } = place;
    const colleague = await makeWorker(db, shop);
    const theirs = await signedInByPin(db, at, colleague.id);
    await db.session.update({ where: { id: theirs.id }, data: { revokedAt: minutesAgo(20) } });
    const again = await signedInByPin(db, at, colleague.id, 15);
    const mine = await signedInByPin(db, at, worker.id, 18);
    const own = await makeCustomer(db, shop, { phone: worker.phone });
    const forged = { iWorkerId: colleague.id, customerId: own.id };
    const honest = keptBy(theirs, await place.entry({ iWorkerId: colleague.id }));
    const entries = [
      await place.entry(forged),
      keptBy(mine, await place.entry(forged)),
      // The key of a later session says nothing about the earlier one.
      keptBy(again, await place.entry(forged)),
      // An HMAC belongs to one entry.
      { ...(await place.entry(forged)), sMac: honest.sMac },
      { ...(await place.entry(forged)), sMac: "no HMAC" },
      honest,
    ];
    expect(outcomes(await sync(place, entries))).toEqual([
      ...Array<string>(5).fill("inbox not_from_session"),
      "posted",
    ]);
    expect(await held(own.id)).toBe(0);
    expect(await held(place.customer.id)).toBe(10);
  });

  test("after its session has expired is nobody's, though no request has found it expired", async () => {
    const place = await offlineTill(db);
    const colleague = await makeWorker(db, place.shop);
    const session = await signedInByPin(db, place.at, colleague.id, 13 * 60);
    const at = (minutes: number) => ({
      iWorkerId: colleague.id,
      dOccurredAt: minutesAgo(minutes).toISOString(),
    });
    const entries = [keptBy(session, await place.entry(at(70))), keptBy(session, await place.entry(at(50)))];
    expect(outcomes(await sync(place, entries))).toEqual(["posted", "inbox worker_not_here"]);
  });

  test("is refused alone where its number jumps by more than 10,000, also past what the database counts to", async () => {
    const place = await offlineTill(db);
    const numbers = [1, 10_001, 20_002, 2_147_483_647, 2_147_483_648, Number.MAX_SAFE_INTEGER];
    const entries = await Promise.all(numbers.map((n) => place.entry({ n })));
    const answer = await sync(place, [...entries].reverse());
    expect(answer.status).toBe(200);
    expect(outcomes(answer).reverse()).toEqual([
      "posted",
      "posted",
      ...Array<string>(4).fill("refused number_jump"),
    ]);
    expect(await held(place.customer.id)).toBe(20);
    // What was refused takes no number: the till goes on, and an honest gap is taken.
    const get = { method: "GET" };
    const me = await call(ownTillCall, { ...get, headers: await proofOf(place.at.key, get) });
    expect(me).toMatchObject({ status: 200, data: { iNextEntry: 10_002 } });
    expect(outcomes(await sync(place, [await place.entry({ n: 20_001 })]))).toEqual(["posted"]);
  });

  test("goes on from the numbers before a jump that an older version took", async () => {
    const place = await offlineTill(db);
    const [first, last] = [await place.entry({ n: 1 }), await place.entry({ n: 2 })];
    expect(outcomes(await sync(place, [first, last]))).toEqual(["posted", "posted"]);
    await db.offlineEntry.updateMany({
      where: { tillId: place.at.till.id, n: 2 },
      data: { n: 2_147_483_647 },
    });
    const get = { method: "GET" };
    const me = await call(ownTillCall, { ...get, headers: await proofOf(place.at.key, get) });
    expect(me).toMatchObject({ data: { iNextEntry: 2 } });
    const entries = [await place.entry({ n: 2 }), await place.entry({ n: 2_147_483_646 })];
    expect(outcomes(await sync(place, entries))).toEqual(["posted", "refused number_jump"]);
  });
});

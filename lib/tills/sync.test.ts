import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { POST as syncCall } from "@/app/api/tills/sync/route";
import { POST as topUpCall } from "@/app/api/top-up-points/route";
import { topUp } from "@/lib/ledger/move-points";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { minutesAgo, offlineTill, outcomes, signedInByPin, sync } from "@/lib/testing/offline-till";
import { contextAt, makeTill, newTillKey, proofOf } from "@/lib/testing/tills";

const db = await testDb();
const held = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).balance;

describe("what a till kept", () => {
  test("is posted at its time by its worker, in order, and counts in the shift that is open now", async () => {
    const place = await offlineTill(db);
    const colleague = await makeWorker(db, place.shop);
    await signedInByPin(db, place.at, colleague.id);
    const entries = [
      await place.entry({ sSaleRef: "B-7" }),
      await place.entry({ iWorkerId: colleague.id, eTender: "card" }),
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
        ...{ sPoints: 10, customerId: place.customer.id, iBranchId: place.shop.branch.id },
        ...{ eTender: "cash", sSaleRef },
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

  test("is nobody else's than of who signs, or of who was at the till at that time", async () => {
    const place = await offlineTill(db);
    const { shop, at } = place;
    const [before, later, left, elsewhere, away] = await Promise.all(
      Array.from({ length: 5 }, () => makeWorker(db, shop)),
    );
    if (!before || !later || !left || !elsewhere || !away) throw new Error("five workers");
    await signedInByPin(db, at, before.id);
    await signedInByPin(db, at, later.id, 10);
    const { id } = await signedInByPin(db, at, left.id);
    await db.session.update({ where: { id }, data: { revokedAt: minutesAgo(45) } });
    await signedInByPin(db, await makeTill(db, shop), elsewhere.id);
    await tokenOf(db, away);
    await tokenOf(db, shop.owner);
    const own = await makeCustomer(db, shop, { phone: place.worker.phone });
    const entries = [
      await place.entry(),
      await place.entry({ iWorkerId: before.id }),
      await place.entry({ iWorkerId: later.id }),
      await place.entry({ iWorkerId: left.id }),
      await place.entry({ iWorkerId: elsewhere.id }),
      await place.entry({ iWorkerId: away.id, customerId: own.id }),
      await place.entry({ iWorkerId: shop.owner.id }),
    ];
    expect(outcomes(await sync(place, entries))).toEqual([
      "posted",
      "posted",
      ...Array<string>(5).fill("inbox worker_not_here"),
    ]);
    expect(await held(own.id)).toBe(0);
  });
});

import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { listMovements } from "@/lib/ledger/read-movements";
import { viewReceipt } from "@/lib/receipts/receipts";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { keptBy, minutesAgo, offlineTill, outcomes, signedInByPin, sync } from "@/lib/testing/offline-till";
import { countWaitingEntries, listEntries, resolveEntry } from "./offline-inbox";
import { retireTill } from "./tills";

const resolveCall = handlerOf("POST", "offline-entries/{id}/resolve");
const inboxCall = handlerOf("GET", "offline-entries");
const logCall = handlerOf("GET", "transactions");

const db = await testDb();
const held = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).balance;
const inboxOf = (owner: Parameters<typeof contextOf>[1]) =>
  listEntries(contextOf(db, owner), { limit: 50, state: "waiting" });

describe("the inbox", () => {
  test("takes what is old, from the future, above the limits, of a worker disabled before, or refused by the ledger", async () => {
    const place = await offlineTill(db, { offlineMaxTopUp: 50, offlineMaxTotal: 1000 });
    const blocked = await makeCustomer(db, place.shop, { status: "blocked" });
    const gone = await makeWorker(db, place.shop);
    const session = await signedInByPin(db, place.at, gone.id);
    await db.user.update({ where: { id: gone.id }, data: { status: "disabled" } });
    const entries = [
      await place.entry({ dOccurredAt: minutesAgo(7 * 24 * 60 + 5).toISOString() }),
      await place.entry({ dOccurredAt: minutesAgo(-10).toISOString() }),
      await place.entry({ sPoints: 51 }),
      keptBy(session, await place.entry({ iWorkerId: gone.id })),
      await place.entry({ iWorkerId: gone.id, dOccurredAt: minutesAgo(-1).toISOString() }),
      await place.entry({ customerId: blocked.id }),
      await place.entry({ customerId: randomUUID() }),
      await place.entry(),
    ];
    expect(outcomes(await sync(place, entries))).toEqual([
      "inbox entry_old",
      "inbox entry_from_future",
      "inbox offline_limit",
      "posted",
      "inbox worker_disabled",
      "inbox customer_blocked",
      "inbox not_found",
      "posted",
    ]);
    const { results } = await inboxOf(place.shop.owner);
    expect(results.map(({ n }) => n)).toEqual([7, 6, 5, 3, 2, 1]);
    expect(outcomes(await sync(place, entries)).filter((one) => one.startsWith("inbox"))).toHaveLength(6);
    expect((await inboxOf(place.shop.owner)).results).toHaveLength(6);
    // The menu counts the same, and nobody else's.
    const waiting = async (owner: typeof place.shop.owner) =>
      (await countWaitingEntries(contextOf(db, owner), {})).waiting;
    expect(await waiting(place.shop.owner)).toBe(6);
    expect(await waiting((await makeMerchant(db)).owner)).toBe(0);
    const id = results[0]?.id ?? "";
    await resolveEntry(contextOf(db, place.shop.owner), { id, action: "write_off", reason: "Paid back" });
    expect(await waiting(place.shop.owner)).toBe(5);
  });

  test("takes what waited above the total, however the till divides what it sends", async () => {
    for (const parts of [1, 3]) {
      const place = await offlineTill(db, { offlineMaxTopUp: 200, offlineMaxTotal: 250 });
      const entries = [
        await place.entry({ sPoints: 100 }),
        await place.entry({ sPoints: 100 }),
        await place.entry({ sPoints: 100 }),
      ];
      const size = 3 / parts;
      const found: string[] = [];
      for (let part = 0; part < parts; part++) {
        found.push(...outcomes(await sync(place, entries.slice(part * size, (part + 1) * size))));
      }
      expect(found).toEqual(["posted", "posted", "inbox offline_limit"]);
    }
    const off = await offlineTill(db, { offlineMaxTopUp: 0 });
    expect(outcomes(await sync(off, [await off.entry({ sPoints: 1 })]))).toEqual(["inbox offline_limit"]);
  });

  test("takes all that a retired till sends for 30 days, and nothing is posted; later its key is refused", async () => {
    const place = await offlineTill(db);
    await retireTill(contextOf(db, place.shop.owner), { id: place.at.till.id });
    const entries = [await place.entry()];
    expect(outcomes(await sync(place, entries))).toEqual(["inbox till_retired"]);
    expect(await held(place.customer.id)).toBe(0);
    const [entry] = (await inboxOf(place.shop.owner)).results;
    await resolveEntry(contextOf(db, place.shop.owner), {
      id: entry?.id ?? "",
      action: "post",
      reason: "Paid",
    });
    expect(await held(place.customer.id)).toBe(10);
    await db.till.update({ where: { id: place.at.till.id }, data: { retiredAt: minutesAgo(31 * 24 * 60) } });
    expect(await sync(place, entries)).toMatchObject({ status: 401, code: "invalid_dpop_proof" });
  });
});

describe("resolving", () => {
  test("posts, moves or writes off once, over the API, and no limit is passed over", async () => {
    const place = await offlineTill(db);
    const other = await makeCustomer(db, place.shop);
    const token = await tokenOf(db, place.shop.owner);
    await db.customer.update({ where: { id: place.customer.id }, data: { status: "blocked" } });
    const entries = [await place.entry(), await place.entry(), await place.entry()];
    await sync(place, entries);
    const list = await call(inboxCall, { token });
    const results = (list.data as { results: { _id: string; sWhy: string; n: number }[] }).results;
    expect(results).toHaveLength(3);
    expect(results[0]?.sWhy).toContain("blocked");
    const id = (n: number) => results.find((one) => one.n === n)?._id ?? "";
    const resolve = (n: number, body: object) =>
      call(resolveCall, {
        method: "POST",
        token,
        params: { id: id(n) },
        body: { sReason: "Checked", ...body },
      });
    expect(await resolve(1, { eAction: "post" })).toMatchObject({ status: 422, code: "customer_blocked" });
    expect(await resolve(2, { eAction: "move" })).toMatchObject({ status: 400, code: "validation" });
    await db.customer.update({ where: { id: place.customer.id }, data: { status: "active" } });
    const posts = await Promise.all([1, 2, 3, 4].map(() => resolve(1, { eAction: "post" })));
    expect(posts.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    // By the code that people read; another shop's card of that code, or none, is not found.
    await makeCustomer(db, await makeMerchant(db), { code: "K7M2QD" });
    for (const customerId of ["K7M2QD", "Z9Z9Z9", "anything"]) {
      expect(await resolve(2, { eAction: "move", customerId })).toMatchObject({ status: 404 });
    }
    const typed = ` ${other.code?.toLowerCase()}`;
    expect(await resolve(2, { eAction: "move", customerId: typed })).toMatchObject({ status: 200 });
    expect(await resolve(3, { eAction: "write_off" })).toMatchObject({
      data: { eAction: "write_off", sReason: "Checked" },
    });
    expect([await held(place.customer.id), await held(other.id)]).toEqual([10, 10]);
    const [late] = await db.movement.findMany({ where: { customerId: other.id } });
    expect(late).toMatchObject({ actorId: place.worker.id, tillId: place.at.till.id });
    expect(late?.occurredAt.toISOString()).toBe(entries[1]?.dOccurredAt);
    const foreign = contextOf(db, (await makeMerchant(db)).owner);
    await expect(resolveEntry(foreign, { id: id(3), action: "post", reason: "x" })).rejects.toMatchObject({
      code: "entry_not_found",
    });
    expect((await inboxOf(place.shop.owner)).results).toEqual([]);
    expect(await db.audit.count({ where: { merchantId: place.shop.merchant.id, kind: "entry" } })).toBe(3);
  });

  test("refuses the resolver's own card, also through an employee's name, and names the resolver in the log and on receipts", async () => {
    const place = await offlineTill(db);
    const { shop, worker } = place;
    const mine = await makeCustomer(db, shop, { email: shop.owner.email });
    await db.customer.updateMany({
      where: { id: { in: [mine.id, place.customer.id] } },
      data: { status: "blocked" },
    });
    await sync(place, [await place.entry({ customerId: mine.id }), await place.entry()]);
    await db.customer.updateMany({
      where: { id: { in: [mine.id, place.customer.id] } },
      data: { status: "active" },
    });
    const owner = contextOf(db, shop.owner);
    const [theirs, own] = (await inboxOf(shop.owner)).results;
    const token = await tokenOf(db, shop.owner);
    const resolve = (id: string | undefined, body: object) =>
      call(resolveCall, {
        method: "POST",
        token,
        params: { id: id ?? "" },
        body: { sReason: "Paid", ...body },
      });
    const refused = { status: 403, code: "own_card" };
    const tries = await Promise.all([1, 2, 3].map(() => resolve(own?.id, { eAction: "post" })));
    for (const answer of tries) expect(answer).toMatchObject(refused);
    expect(await resolve(theirs?.id, { eAction: "move", customerId: mine.publicId })).toMatchObject(refused);
    // A contact that the owner had before counts too.
    await db.user.update({ where: { id: shop.owner.id }, data: { email: `new-${shop.owner.email}` } });
    expect(await resolve(own?.id, { eAction: "post" })).toMatchObject(refused);
    expect(await held(mine.id)).toBe(0);

    expect(await resolve(theirs?.id, { eAction: "post" })).toMatchObject({ status: 200 });
    const [movement] = (await listMovements(owner, { customerId: place.customer.id })).results;
    const name = `${shop.owner.firstName} ${shop.owner.lastName}`;
    expect(movement).toMatchObject({
      actor: { id: worker.id },
      resolver: { id: shop.owner.id, name },
    });
    const receipt = await viewReceipt(owner, { movementId: movement?.id ?? "" });
    expect(receipt).toMatchObject({ cashier: `${worker.firstName} ${worker.lastName}`, resolver: name });
    const log = await call(logCall, { token, query: `customer=${place.customer.id}` });
    expect(log).toMatchObject({
      data: { results: [{ actor: { _id: worker.id }, resolver: { _id: shop.owner.id, sName: name } }] },
    });
    // What the till posted itself has no resolver.
    expect(outcomes(await sync(place, [await place.entry()]))).toEqual(["posted"]);
    const [late] = (await listMovements(owner, { customerId: place.customer.id })).results;
    expect(late?.resolver).toBeNull();
  });
});

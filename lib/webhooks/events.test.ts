import { expect, test } from "vitest";
import { eventExample } from "@/lib/api/openapi";
import { topUp } from "@/lib/ledger/move-points";
import { testDb } from "@/lib/testing/database";
import { apiKeyContext, contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { EVENT_TYPES } from "./model";
import { eventSchema } from "./names";
import { listEvents } from "./read-events";

const db = await testDb();

/** All events after a cursor, page by page. */
async function readAll(ctx: Parameters<typeof listEvents>[0], after?: string, limit = 3) {
  const all = [];
  let cursor = after;
  for (;;) {
    const { results, nextCursor } = await listEvents(ctx, { after: cursor, limit });
    all.push(...results);
    cursor = nextCursor ?? undefined;
    if (results.length < limit) return { all, cursor };
  }
}

test("events are complete for money, name staff by id alone, and hold no personal data", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  const key = await apiKeyContext(db, shop);
  await topUp(contextOf(db, worker), {
    customerId: customer.id,
    branchId: shop.branch.id,
    points: 40,
    saleRef: "B-1",
  });
  await topUp(key, { customerId: customer.id, branchId: shop.branch.id, points: 2, idempotencyKey: "k1" });
  await db.customer.update({ where: { id: customer.id }, data: { status: "frozen" } });
  await waitForOpenTransactions(db);
  const { all } = await readAll(contextOf(db, shop.owner));
  expect(all.map(({ type, data }) => [type, data.iSeq])).toEqual([
    ["customer.created", 1],
    ["topup.posted", 2],
    ["topup.posted", 3],
    ["customer.frozen", 4],
  ]);
  expect(all[1]).toMatchObject({
    data: {
      customer: { sUUID: customer.publicId },
      movement: {
        sPoints: 40,
        sBalance: 40,
        sSaleRef: "B-1",
        oPockets: { iPaid: 40, iBonus: 0 },
        actor: { eType: "user", _id: worker.id },
        branch: { _id: shop.branch.id },
      },
    },
  });
  expect(all[2]).toMatchObject({ data: { movement: { actor: { eType: "apiKey", _id: key.actor.keyId } } } });
  expect(all[3]).toMatchObject({ data: { customer: { eStatus: "frozen" } } });
  const text = JSON.stringify(all);
  for (const secret of [customer.id, customer.fullName, customer.email, customer.phone, worker.lastName]) {
    expect(text).not.toContain(secret);
  }
  for (const { id: _, ...body } of all) expect(eventSchema(body.type).strict().parse(body)).toEqual(body);
  for (const type of EVENT_TYPES) eventSchema(type).strict().parse(eventExample(type));
});

test("a transaction that commits late is told after what came before it, and never missed", async () => {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  const [late, soon] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
  await waitForOpenTransactions(db);
  const { cursor } = await readAll(owner);
  let during: unknown[] = [];
  let at = cursor;
  await db.$transaction(async (tx) => {
    await tx.customer.update({ where: { id: late.id }, data: { fullName: "Late" } });
    await topUp(owner, { customerId: soon.id, branchId: shop.branch.id, points: 5 });
    ({ all: during, cursor: at } = await readAll(owner, cursor));
  });
  expect(during).toEqual([]);
  await waitForOpenTransactions(db);
  const { all, cursor: end } = await readAll(owner, at);
  expect(all.map(({ type }) => type)).toEqual(["customer.changed", "topup.posted"]);
  expect((await readAll(owner, end)).all).toEqual([]);
  expect((await readAll(owner, end)).cursor).toBe(end);
});

test("types are chosen; another merchant's events and a cursor that is none are refused", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const owner = contextOf(db, shop.owner);
  const { id: customerId } = await makeCustomer(db, shop);
  await topUp(owner, { customerId, branchId: shop.branch.id, points: 4 });
  await waitForOpenTransactions(db);
  const { results } = await listEvents(owner, { types: "topup.posted,shift.closed" });
  expect(results.map(({ type }) => type)).toEqual(["topup.posted"]);
  expect((await listEvents(contextOf(db, other.owner), {})).results).toEqual([]);
  await expect(listEvents(owner, { after: "nonsense" })).rejects.toMatchObject({ code: "validation" });
  await expect(listEvents(owner, { types: "topup" })).rejects.toMatchObject({ code: "validation" });
  const worker = contextOf(db, await makeWorker(db, shop));
  await expect(listEvents(worker, {})).rejects.toMatchObject({ code: "forbidden" });
});

test("where no event of the chosen types is left, the cursor is past the others", async () => {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  const customer = await makeCustomer(db, shop);
  await topUp(owner, { customerId: customer.id, branchId: shop.branch.id, points: 5 });
  await waitForOpenTransactions(db);
  const all = await listEvents(owner, {});
  const none = await listEvents(owner, { types: "shift.closed" });
  expect(none).toEqual({ results: [], nextCursor: all.nextCursor });
  // A full page may have more behind it.
  const full = await listEvents(owner, { types: "customer.created", limit: 1 });
  expect((await listEvents(owner, { after: full.nextCursor ?? "" })).results).toHaveLength(1);
  await db.customer.update({ where: { id: customer.id }, data: { status: "frozen" } });
  await waitForOpenTransactions(db);
  const later = await listEvents(owner, { types: "customer.frozen", after: none.nextCursor ?? "" });
  expect(later.results.map(({ type }) => type)).toEqual(["customer.frozen"]);
});

test("events are forgotten after 90 days", async () => {
  const shop = await makeMerchant(db);
  await makeCustomer(db, shop);
  const { id: kept } = await db.event.findFirstOrThrow({ where: { merchantId: shop.merchant.id } });
  const [old] = await db.$queryRaw<{ id: string }[]>`
    insert into events (id, merchant_id, subject_id, type) values
      (uuidv7(interval '-91 days'), ${shop.merchant.id}::uuid, ${shop.merchant.id}::uuid, 'shift.closed')
    returning id::text`;
  await db.$queryRaw`select age_events()::text`;
  expect(await db.event.findUnique({ where: { id: old?.id } })).toBeNull();
  expect(await db.event.findUnique({ where: { id: kept } })).not.toBeNull();
});

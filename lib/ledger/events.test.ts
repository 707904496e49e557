import { expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";

const db = await testDb();

test("each movement and each change of a card is one event, numbered from 1 in the order of the card", async () => {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  const { id: customerId } = await makeCustomer(db, shop);
  const post = (points: number) => topUp(owner, { customerId, branchId: shop.branch.id, points });
  const { movement } = await post(5);
  await db.customer.update({ where: { id: customerId }, data: { fullName: "Another Name" } });
  await Promise.all(Array.from({ length: 20 }, (_, n) => post(n + 1)));
  await db.customer.update({ where: { id: customerId }, data: { status: "frozen" } });
  await db.customer.update({ where: { id: customerId }, data: { fullName: "Another Name" } });
  const events = await db.event.findMany({ where: { subjectId: customerId }, orderBy: { iSeq: "asc" } });
  expect(events.map(({ iSeq }) => iSeq)).toEqual(Array.from({ length: 24 }, (_, n) => n + 1));
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
    "customer.created",
    "topup.posted",
    "customer.changed",
  ]);
  expect(events[1]).toMatchObject({
    movementId: movement.id,
    branchId: shop.branch.id,
    merchantId: shop.merchant.id,
  });
  expect(events.at(-1)).toMatchObject({ type: "customer.frozen", details: { status: "frozen" } });
  const moved = await db.movement.findMany({ where: { customerId }, orderBy: { seq: "asc" } });
  expect(events.flatMap(({ movementId }) => movementId ?? [])).toEqual(moved.map(({ id }) => id));
  expect(events.flatMap(({ movementId, tx }) => (movementId ? tx : []))).toEqual(moved.map(({ tx }) => tx));
  expect(await db.customer.findUniqueOrThrow({ where: { id: customerId } })).toMatchObject({
    eventCount: 24,
  });
});

import { expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { listNotices } from "@/lib/notices/notices";
import { testDb } from "@/lib/testing/database";
import { contextOf } from "@/lib/testing/factories";
import { shopWithTill } from "@/lib/testing/shop-with-till";
import { getShift } from "./read-shifts";
import { closeShift, moveDrawer, openShift } from "./run-shifts";

const db = await testDb();

/** A shop with an open shift, and what its owner hears of drawers, newest first. */
async function openDrawer() {
  const made = await shopWithTill(db, { drawerTolerance: 500 });
  const owner = contextOf(db, made.shop.owner);
  const { id } = await openShift(made.ctx, { tillId: made.at.till.id, float: 10_000 });
  const heard = async () => {
    const { results } = await listNotices(owner, { limit: 25 });
    return results.map(({ kind, amount, recordId, unread }) => ({ kind, amount, recordId, unread }));
  };
  return { ...made, owner, id, heard };
}

test("a worker's pay-outs are reported once they are more than the tolerance together, and each that follows again", async () => {
  const { shop, worker, ctx, owner, id, heard } = await openDrawer();
  const payOut = (amount: number) => ({ id, kind: "pay_out" as const, amount, reason: "Milk" });
  await moveDrawer(ctx, payOut(300));
  await moveDrawer(ctx, payOut(200));
  await moveDrawer(ctx, { ...payOut(90_000), kind: "pay_in" });
  await moveDrawer(owner, payOut(40_000));
  expect(await heard()).toEqual([]);
  await moveDrawer(ctx, payOut(100));
  expect(await heard()).toMatchObject([{ kind: "drawer_pay_out", amount: 40_600, recordId: id }]);
  const [first] = await db.notice.findMany({ where: { merchantId: shop.merchant.id } });
  expect(first).toMatchObject({ userId: worker.id });
  // What was read is news again, with the sum of the shift.
  await db.noticeView.create({ data: { userId: shop.owner.id, seenTo: new Date() } });
  expect(await heard()).toMatchObject([{ unread: false }]);
  const paid = [1, 2, 3].map(() => moveDrawer(ctx, payOut(1_000)));
  await Promise.all(paid);
  expect(await heard()).toEqual([{ kind: "drawer_pay_out", amount: 43_600, recordId: id, unread: true }]);
});

test("a repeated pay-out is reported once", async () => {
  const { ctx, id, heard } = await openDrawer();
  const move = {
    id,
    kind: "pay_out" as const,
    amount: 700,
    reason: "Milk",
    idempotencyKey: "same-key-of-it",
  };
  await Promise.all([moveDrawer(ctx, move), moveDrawer(ctx, move)]);
  expect(await heard()).toMatchObject([{ amount: 700 }]);
});

test("what was taken by card and not counted is reported, without an e-mail", async () => {
  const { shop, ctx, at, place, id, heard } = await openDrawer();
  await topUp(ctx, { ...place, points: 40, tender: "card" });
  await topUp(ctx, { ...place, points: 3, tender: "bank" });
  await topUp(ctx, { ...place, points: 90, tender: "online" });
  await closeShift(ctx, { id, counted: { cash: 10_000, bank: 300 } });
  expect(await heard()).toMatchObject([{ kind: "drawer_uncounted", amount: 4_000, recordId: id }]);
  const mails = { recipient: shop.owner.email, subject: { contains: "Drawer" } };
  expect(await db.email.count({ where: mails })).toBe(0);
  const { id: next } = await openShift(ctx, { tillId: at.till.id, float: 10_000 });
  await topUp(ctx, { ...place, points: 40, tender: "card" });
  await closeShift(ctx, { id: next, counted: { cash: 10_000, card: 3_900 } });
  expect(await heard()).toHaveLength(1);
});

test("a shift names the cash that was counted at its till's close before, so that what went missing between is seen", async () => {
  const { ctx, at, owner, id } = await openDrawer();
  expect(await getShift(owner, { id })).toMatchObject({ countedBefore: null });
  await closeShift(ctx, { id, counted: { cash: 10_300 } });
  const { id: next } = await openShift(ctx, { tillId: at.till.id, float: 5_000 });
  expect(await getShift(owner, { id: next })).toMatchObject({ countedBefore: 10_300, float: 5_000 });
  const closed = await closeShift(ctx, { id: next, counted: { cash: 5_000 } });
  expect(closed).toMatchObject({ countedBefore: 10_300 });
  expect(await getShift(owner, { id })).toMatchObject({ countedBefore: null });
});

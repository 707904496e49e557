import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { cardStatement, readCard, readCardState } from "@/lib/cards/card";
import { addCardDevice, exportHolderData } from "@/lib/cards/card-holder";
import { qatarDay } from "@/lib/domain/time";
import { topUp } from "@/lib/ledger/move-points";
import { issuePass, readPassCard } from "@/lib/passes/pass-card";
import { liability } from "@/lib/reports/liability";
import { testDb } from "@/lib/testing/database";
import { apiKeyContext, contextOf, makeCustomer, makeMerchant, publicContext } from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";
import { captureHold, openHold, reservedNow, voidHold } from "./holds";

const db = await testDb();
const call = withSecrets(publicContext(db));

/** A card of 100 points, of which a key holds 20; and its holder's token. */
async function reservedCard() {
  const shop = await makeMerchant(db, { redeemAllowance: 5000 });
  await db.branch.update({ where: { id: shop.branch.id }, data: { nameAr: "الخليج الغربي" } });
  const customer = await makeCustomer(db, shop);
  const owner = contextOf(db, shop.owner);
  const key = await apiKeyContext(db, shop);
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(owner, { ...at, points: 100 });
  const open = (points: number) =>
    openHold(key, { ...at, points, seconds: 600, idempotencyKey: randomUUID() });
  const { hold } = await open(20);
  const holder = await addCardDevice(db, customer.id, new Date());
  return { shop, customer, owner, key, hold, holder, open };
}

test("an owner sees what is reserved at the own merchant now, in points and QAR", async () => {
  const { owner, key, hold, open } = await reservedCard();
  await open(15);
  await captureHold(key, { holdId: hold.id, points: 5, final: false, idempotencyKey: randomUUID() });
  expect(await reservedNow(owner, {})).toEqual({ holds: 2, points: 30, cashValue: "30.00" });
  await voidHold(key, { holdId: hold.id, idempotencyKey: randomUUID() });
  expect(await reservedNow(owner, {})).toEqual({ holds: 1, points: 15, cashValue: "15.00" });
  const other = await makeMerchant(db);
  expect(await reservedNow(contextOf(db, other.owner), {})).toMatchObject({ holds: 0, points: 0 });
});

test("what is reserved may be more points than one card can have", async () => {
  const shop = await makeMerchant(db);
  const most = 1_000_000_000;
  const rules = {
    version: 1,
    dirhamsPerPoint: 1,
    minTopUp: 1,
    maxTopUp: most,
    maxBalance: most,
    undoMinutes: 15,
  };
  await db.pointsConfig.create({ data: { merchantId: shop.merchant.id, ...rules } });
  const [owner, key] = [contextOf(db, shop.owner), await apiKeyContext(db, shop)];
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { redeemAllowance: most } });
  for (let n = 0; n < 3; n++) {
    const customer = await makeCustomer(db, shop);
    const at = { customerId: customer.id, branchId: shop.branch.id, points: most };
    await topUp(owner, at);
    await openHold(key, { ...at, seconds: 600, idempotencyKey: randomUUID() });
  }
  expect(await reservedNow(owner, {})).toEqual({ holds: 3, points: 3 * most, cashValue: "30000000.00" });
  const day = qatarDay(new Date());
  expect(await liability(owner, { from: day, to: day })).toMatchObject({ held: 3 * most });
});

test("the holder sees where and until when; who has the link alone sees how much", async () => {
  const { shop, customer, hold, holder } = await reservedCard();
  const branch = { name: shop.branch.name, nameAr: "الخليج الغربي" };
  const own = await call(readCardState, { customerId: customer.id, holder });
  expect(own).toMatchObject({
    balance: 100,
    held: 20,
    holds: [{ points: 20, branch, until: hold.expiresAt }],
  });
  const stranger = await call(readCard, { customerId: customer.id });
  expect(stranger).toMatchObject({ balance: 100, held: 20, holds: [] });
});

test("a statement has open holds and those that were given back, and none that was taken whole", async () => {
  const { customer, key, hold, holder, open } = await reservedCard();
  const taken = await open(10);
  await captureHold(key, { holdId: taken.hold.id, idempotencyKey: randomUUID() });
  const back = await open(12);
  await voidHold(key, { holdId: back.hold.id, idempotencyKey: randomUUID() });
  const read = () => call(cardStatement, { customerId: customer.id, holder });
  expect((await read()).holds).toMatchObject([
    { id: back.hold.id, state: "voided", points: 12, captured: 0 },
    { id: hold.id, state: "open", points: 20 },
  ]);
});

test("the holder's data names what is and was reserved, with the note of who ended it", async () => {
  const { shop, customer, key, hold, holder, open } = await reservedCard();
  const ended = await open(12);
  await voidHold(key, { holdId: ended.hold.id, note: "Asked by phone", idempotencyKey: randomUUID() });
  const { holds } = await call(exportHolderData, { customerId: customer.id, holder });
  const branch = { name: shop.branch.name, city: shop.branch.city };
  expect(holds).toMatchObject([
    { id: hold.id, state: "open", points: 20, captured: 0, note: null, branch },
    { id: ended.hold.id, state: "voided", points: 12, captured: 0, note: "Asked by phone", branch },
  ]);
});

test("a pass shows what is available", async () => {
  const { customer } = await reservedCard();
  await issuePass(db, customer.id);
  expect(await readPassCard(db, { customerId: customer.id })).toMatchObject({
    available: 80,
    holds: [{ points: 20 }],
  });
});

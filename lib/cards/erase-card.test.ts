import { expect, test } from "vitest";
import { leftToRefund } from "@/lib/ledger/model/movements";
import { redeem, refund, topUp } from "@/lib/ledger/move-points";
import { viewMovement } from "@/lib/ledger/read-movements";
import { testDb } from "@/lib/testing/database";
import { endLots } from "@/lib/testing/end-lots";
import { contextOf, makeCustomer, makeMerchant, publicContext } from "@/lib/testing/factories";
import { postRow } from "@/lib/testing/post-rows";
import { withSecrets } from "@/lib/testing/with-secrets";
import { sendCardCode } from "./card-code";
import { addCardDevice } from "./card-holder";
import { eraseCustomer } from "./erase-card";

const db = await testDb();
const call = withSecrets(publicContext(db));

/** A card with 100 paid points, 30 of a bonus that has ended and 20 of one that has not. */
async function cardWithEndedBonus() {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const own = { customerId: customer.id, holder: await addCardDevice(db, customer.id, new Date()) };
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(contextOf(db, shop.owner), { ...at, points: 100 });
  const later = new Date(Date.now() + 86_400_000);
  const bonus = { type: "BONUS", customer: customer.id, reason: "A gift" } as const;
  await postRow(db, shop, { ...bonus, points: 30, ends_at: later });
  await endLots(db, customer.id);
  await postRow(db, shop, { ...bonus, points: 20, ends_at: later });
  const erase = async (giveUp: number) => {
    await call(sendCardCode, { ...own, purpose: "erase" });
    const mail = await db.email.findFirstOrThrow({
      where: { recipient: customer.email ?? "" },
      orderBy: { createdAt: "desc" },
    });
    await call(eraseCustomer, { ...own, code: /\b\d{6}\b/.exec(mail.text)?.[0] ?? "", giveUp });
  };
  const last = () =>
    db.movement.findMany({
      where: { customerId: customer.id },
      orderBy: { seq: "asc" },
      skip: 2,
      select: { type: true, paidPoints: true, bonusPoints: true, balanceAfter: true, actorType: true },
    });
  return { shop, customer, erase, last };
}

test("an ended bonus expires before the rest is given up, to the point", async () => {
  const { customer, erase, last } = await cardWithEndedBonus();
  await endLots(db, customer.id);
  await expect(erase(120)).rejects.toMatchObject({ code: "balance_not_given_up" });
  await erase(100);
  const system = { actorType: "system", paidPoints: 0 };
  expect((await last()).slice(2)).toMatchObject([
    { ...system, type: "EXPIRY", bonusPoints: -20, balanceAfter: 100 },
    { type: "ADJUSTMENT", actorType: "card_holder", paidPoints: -100, bonusPoints: 0, balanceAfter: 0 },
  ]);
  const row = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
  expect(row).toMatchObject({ status: "erased", balance: 0, bonus: 0 });
  expect(await db.lot.count({ where: { customerId: customer.id, remaining: { gt: 0 } } })).toBe(0);
});

test("of a card with nothing but an ended bonus nothing is given up", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const own = { customerId: customer.id, holder: await addCardDevice(db, customer.id, new Date()) };
  const ends_at = new Date(Date.now() + 86_400_000);
  await postRow(db, shop, { type: "BONUS", customer: customer.id, points: 9, reason: "x", ends_at });
  await endLots(db, customer.id);
  await call(sendCardCode, { ...own, purpose: "erase" });
  const mail = await db.email.findFirstOrThrow({ where: { recipient: customer.email ?? "" } });
  await call(eraseCustomer, { ...own, code: /\b\d{6}\b/.exec(mail.text)?.[0] ?? "" });
  expect(
    await db.movement.findMany({ where: { customerId: customer.id }, orderBy: { seq: "asc" } }),
  ).toMatchObject([{ type: "BONUS" }, { type: "EXPIRY", bonusPoints: -9, balanceAfter: 0 }]);
});

test("while the merchant is suspended nothing expires: the ended bonus goes with the rest", async () => {
  const { shop, customer, erase, last } = await cardWithEndedBonus();
  await endLots(db, customer.id);
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { suspendedAt: new Date() } });
  await erase(100);
  expect((await last()).slice(2)).toMatchObject([
    { type: "ADJUSTMENT", paidPoints: -100, bonusPoints: -20, balanceAfter: 0 },
  ]);
});

test("what was redeemed before a card was deleted cannot be refunded, and is not offered", async () => {
  const shop = await makeMerchant(db, { redeemAllowance: 10_000 });
  const customer = await makeCustomer(db, shop);
  const owner = contextOf(db, shop.owner);
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(owner, { ...at, points: 40 });
  const { movement } = await redeem(owner, { ...at, points: 40 });
  const left = async () => leftToRefund(await viewMovement(owner, { movementId: movement.id }));
  expect(await left()).toBe(40);
  const own = { customerId: customer.id, holder: await addCardDevice(db, customer.id, new Date()) };
  await call(sendCardCode, { ...own, purpose: "erase" });
  const mail = await db.email.findFirstOrThrow({
    where: { recipient: customer.email ?? "", subject: { contains: "code" } },
    orderBy: { createdAt: "desc" },
  });
  await call(eraseCustomer, { ...own, code: /\b\d{6}\b/.exec(mail.text)?.[0] ?? "", giveUp: 0 });
  expect(await left()).toBe(0);
  await expect(refund(owner, { movementId: movement.id, reason: "Returned" })).rejects.toThrow(
    "customer_erased",
  );
});

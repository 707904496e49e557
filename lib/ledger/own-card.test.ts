import { expect, test } from "vitest";
import { editCustomer } from "@/lib/customers/edit-customer";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeCustomer,
  makeMerchant,
  makeWorker,
  randomPhone,
  uniqueEmail,
} from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { giveBonus, redeem, refund, reverse, topUp } from "./move-points";

const db = await testDb();
const own = expect.objectContaining({ name: "DomainError", code: "own_card" });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function staffCard() {
  const shop = await makeMerchant(db, { refundDays: 30 });
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop, { phone: worker.phone });
  const at = { customerId: customer.id, branchId: shop.branch.id };
  const held = async () => (await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).heldByStaff;
  return { shop, worker, customer, at, held };
}

test("a worker who changes phone and e-mail still does not serve their own card", async () => {
  const { shop, worker, customer, at } = await staffCard();
  await move(db, shop, customer, { points: 100 });
  const spent = await move(db, shop, customer, { type: "REDEEM", points: 10 });
  const ctx = contextOf(db, worker);
  await db.user.update({ where: { id: worker.id }, data: { phone: randomPhone() } });
  await db.user.update({ where: { id: worker.id }, data: { phone: randomPhone(), email: uniqueEmail() } });
  await expect(topUp(ctx, { ...at, points: 5 })).rejects.toEqual(own);
  await expect(redeem(ctx, { ...at, points: 5 })).rejects.toEqual(own);
  await expect(refund(ctx, { movementId: spent.id, reason: "x" })).rejects.toEqual(own);
  // Many rows at once take another way through the function.
  const many = await Promise.allSettled(Array.from({ length: 12 }, () => topUp(ctx, { ...at, points: 5 })));
  expect(many.every((one) => one.status === "rejected" && one.reason.code === "own_card")).toBe(true);
  const colleague = contextOf(db, await makeWorker(db, shop));
  expect((await topUp(colleague, { ...at, points: 5 })).movement.balanceAfter).toBe(95);
});

test("it holds for an owner's former e-mail, for reversal and bonus too", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop, { email: shop.owner.email });
  const posted = await move(db, shop, await makeCustomer(db, shop), { points: 5 });
  await db.user.update({ where: { id: shop.owner.id }, data: { email: uniqueEmail() } });
  const ctx = contextOf(db, shop.owner);
  const worker = await makeWorker(db, shop);
  const at = { customerId: customer.id, branchId: shop.branch.id };
  const { movement } = await topUp(contextOf(db, worker), { ...at, points: 5 });
  await expect(giveBonus(ctx, { ...at, points: 5, reason: "x" })).rejects.toEqual(own);
  await expect(reverse(ctx, { movementId: movement.id, reason: "x" })).rejects.toEqual(own);
  await reverse(ctx, { movementId: posted.id, reason: "x" });
});

test("a contact counts for 400 days after it was replaced, and no plain one is kept", async () => {
  const { shop, worker, customer, at, held } = await staffCard();
  const ctx = contextOf(db, worker);
  await db.user.update({ where: { id: worker.id }, data: { phone: randomPhone() } });
  const kept = await db.staffContact.findMany({ where: { userId: worker.id } });
  expect(kept).toMatchObject([{ kind: "phone", merchantId: shop.merchant.id }]);
  expect(Buffer.from(kept[0]?.hash ?? []).toString("latin1")).not.toContain(worker.phone);
  const age = (days: number) =>
    db.staffContact.updateMany({ where: { userId: worker.id }, data: { replacedAt: daysAgo(days) } });
  await age(399);
  await db.$queryRaw`select age_posting_guards()::text`;
  await expect(topUp(ctx, { ...at, points: 5 })).rejects.toEqual(own);
  expect(await held()).toBe(true);
  await age(401);
  await db.$queryRaw`select age_posting_guards()::text`;
  expect(await held()).toBe(false);
  expect((await topUp(ctx, { ...at, points: 5 })).movement.customer.publicId).toBe(customer.publicId);
});

test("a card is marked when it carries a contact of the merchant's staff, however the two came together", async () => {
  const { shop, worker, held } = await staffCard();
  expect(await held()).toBe(true);
  const late = await makeCustomer(db, shop, { phone: randomPhone() });
  expect(late.heldByStaff).toBe(false);
  // Written with spaces, and without the country.
  const phone = `00 974 ${late.phone?.slice(4, 8)} ${late.phone?.slice(8)}`;
  const newcomer = await makeWorker(db, shop, { phone });
  expect(newcomer.phone).toBe(late.phone);
  const marked = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).heldByStaff;
  expect(await marked(late.id)).toBe(true);
  const elsewhere = await makeCustomer(db, await makeMerchant(db), { phone: worker.phone });
  expect(elsewhere.heldByStaff).toBe(false);
  const other = await makeCustomer(db, shop, { phone: randomPhone() });
  await db.user.update({ where: { id: worker.id }, data: { phone: randomPhone() } });
  await db.customer.update({ where: { id: other.id }, data: { phone: worker.phone?.slice(4) } });
  expect(await marked(other.id)).toBe(true);
  expect(await held()).toBe(true);
});

test("a card that gets other contacts stays the own one of whose it was, for 400 days, and then no longer", async () => {
  const { shop, worker, customer, at, held } = await staffCard();
  const ctx = contextOf(db, worker);
  const change = (phone: string) =>
    editCustomer(contextOf(db, shop.owner), { customerId: customer.id, phone });
  await change(randomPhone());
  await expect(topUp(ctx, { ...at, points: 5 })).rejects.toEqual(own);
  // Again, and with another e-mail: what it got before counts as the first did.
  await change(randomPhone());
  await db.customer.update({ where: { id: customer.id }, data: { email: uniqueEmail() } });
  const many = await Promise.allSettled(Array.from({ length: 12 }, () => topUp(ctx, { ...at, points: 5 })));
  expect(many.every((one) => one.status === "rejected" && one.reason.code === "own_card")).toBe(true);
  expect(await held()).toBe(true);
  const colleague = contextOf(db, await makeWorker(db, shop));
  expect((await topUp(colleague, { ...at, points: 5 })).movement.balanceAfter).toBe(5);
  // A stranger's card that is corrected is nobody's.
  const stranger = await makeCustomer(db, shop, { phone: randomPhone() });
  await db.customer.update({ where: { id: stranger.id }, data: { phone: randomPhone() } });
  await topUp(ctx, { ...at, customerId: stranger.id, points: 5 });
  await db.staffContact.updateMany({ where: { userId: worker.id }, data: { replacedAt: daysAgo(401) } });
  await db.$queryRaw`select age_posting_guards()::text`;
  expect(await held()).toBe(false);
  expect((await topUp(ctx, { ...at, points: 5 })).movement.balanceAfter).toBe(10);
});

test("what a card brought is forgotten with the card's personal data", async () => {
  const { customer } = await staffCard();
  await db.customer.update({ where: { id: customer.id }, data: { phone: randomPhone() } });
  expect(await db.staffContact.count({ where: { customerId: customer.id } })).toBe(2);
  const erased = { status: "erased", erasedAt: new Date(), fullName: "–" } as const;
  await db.customer.update({
    where: { id: customer.id },
    data: { ...erased, email: null, phone: null, dateOfBirth: null },
  });
  expect(await db.staffContact.count({ where: { customerId: customer.id } })).toBe(0);
});

test("a card and a member of staff that get one phone at the same moment do not miss each other", async () => {
  const shop = await makeMerchant(db);
  for (let round = 0; round < 15; round++) {
    const phone = randomPhone();
    const [card] = await Promise.all([makeCustomer(db, shop, { phone }), makeWorker(db, shop, { phone })]);
    expect(await db.customer.findUniqueOrThrow({ where: { id: card.id } })).toMatchObject({
      heldByStaff: true,
    });
  }
});

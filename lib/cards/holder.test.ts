import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { followMovements } from "@/lib/tasks/movement-posted";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { cardStatement } from "./card";
import { proveHolder, sendCardCode, sendNewEmailCode } from "./card-code";
import { addCardHolder, isCardHolder, myData } from "./card-holder";
import { changeEmail } from "./change-email";
import { eraseCustomer } from "./erase-card";
import { freezableCard, freezeCard, freezeToken } from "./freeze-card";

const db = await testDb();
const ctx = publicContext(db);

async function mailedCode(email: string): Promise<string> {
  const row = await db.email.findFirstOrThrow({
    where: { recipient: email },
    orderBy: { createdAt: "desc" },
  });
  return /\b\d{6}\b/.exec(row.text)?.[0] ?? "";
}

/** A card with a balance, its holder's secret, and its merchant's people. */
async function heldCard(points = 0) {
  const house = await makeMerchant(db);
  const customer = await makeCustomer(db, house);
  const email = customer.email ?? "";
  const holder = await addCardHolder(db, customer.id, new Date());
  const receipts = [];
  for (let left = points; left > 0; left -= 10) {
    const input = { customerId: customer.id, points: Math.min(10, left), branchId: house.branch.id };
    receipts.push(await topUp(contextOf(db, house.owner), input));
  }
  return { ...house, customer, email, holder, receipts, own: { customerId: customer.id, holder } };
}

test("another device becomes the holder's by the mailed code, of this card only", async () => {
  const { customer, email } = await heldCard();
  const other = await heldCard();
  await sendCardCode(ctx, { customerId: customer.id, purpose: "card_holder" });
  const code = await mailedCode(email);
  await expect(proveHolder(ctx, { customerId: other.customer.id, code })).rejects.toMatchObject({
    code: "code_invalid",
  });
  const { holderToken } = await proveHolder(ctx, { customerId: customer.id, code });
  expect(await isCardHolder(db, customer.id, holderToken)).toBe(true);
  await expect(proveHolder(ctx, { customerId: customer.id, code })).rejects.toThrow();
});

test("statement and data are the holder's alone", async () => {
  const { customer, own } = await heldCard(120);
  const refused = { code: "card_holder_required" };
  const stranger = { customerId: customer.id, holder: "no" };
  await expect(cardStatement(ctx, stranger)).rejects.toMatchObject(refused);
  await expect(myData(ctx, stranger)).rejects.toMatchObject(refused);
  await expect(sendCardCode(ctx, { ...stranger, purpose: "erase" })).rejects.toMatchObject(refused);
  await expect(sendNewEmailCode(ctx, { ...stranger, email: uniqueEmail() })).rejects.toMatchObject(refused);
  const first = await cardStatement(ctx, own);
  expect(first.results).toHaveLength(10);
  const rest = await cardStatement(ctx, { ...own, cursor: first.nextCursor ?? "" });
  expect(rest.results).toHaveLength(2);
  expect(rest.nextCursor).toBeNull();
  expect(first.results[0]).toMatchObject({ points: 10, balanceAfter: 120, type: "TOP_UP" });
  const data = await myData(ctx, own);
  expect(data.customer).toMatchObject({ id: customer.id, email: customer.email, dateOfBirth: "1995-04-12" });
  expect(data.movements).toHaveLength(12);
});

test("the e-mail changes by a code to the new address, and other devices are out", async () => {
  const { customer, own } = await heldCard();
  const elsewhere = await addCardHolder(db, customer.id, new Date());
  const email = uniqueEmail("new");
  await sendNewEmailCode(ctx, { ...own, email });
  const code = await mailedCode(email);
  await expect(changeEmail(ctx, { ...own, email: uniqueEmail(), code })).rejects.toThrow();
  await expect(changeEmail(ctx, { ...own, holder: "no", email, code })).rejects.toMatchObject({
    code: "card_holder_required",
  });
  await changeEmail(ctx, { ...own, email, code });
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).email).toBe(email);
  expect(await isCardHolder(db, customer.id, own.holder)).toBe(true);
  expect(await isCardHolder(db, customer.id, elsewhere)).toBe(false);
});

test.each(["en", "ar"] as const)(
  "the address before hears of the change, in %s, and can freeze the card",
  async (locale) => {
    const { customer, email: old, merchant, own } = await heldCard();
    await db.customer.update({ where: { id: customer.id }, data: { locale } });
    const email = uniqueEmail("new");
    await sendNewEmailCode(ctx, { ...own, email });
    await changeEmail(ctx, { ...own, email, code: await mailedCode(email) });
    const [mail, ...more] = await db.email.findMany({ where: { recipient: old } });
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ locale, status: "queued" });
    expect(mail?.subject).toContain(merchant.businessName);
    expect(mail?.text).toContain("ne•••@example.test");
    expect(mail?.text).not.toContain(email);
    const token = /\/card\/freeze\/(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    await freezeCard(ctx, { token });
    expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).status).toBe("frozen");
  },
);

test("a frozen card keeps its e-mail: the code that unfreezes it goes there", async () => {
  const { customer, email: old, own } = await heldCard();
  const email = uniqueEmail("new");
  await sendNewEmailCode(ctx, { ...own, email });
  const code = await mailedCode(email);
  await db.customer.update({ where: { id: customer.id }, data: { status: "frozen" } });
  const refused = { code: "customer_frozen" };
  await expect(sendNewEmailCode(ctx, { ...own, email: uniqueEmail() })).rejects.toMatchObject(refused);
  await expect(changeEmail(ctx, { ...own, email, code })).rejects.toMatchObject(refused);
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).email).toBe(old);
});

test("an e-mail that has a card with the merchant is not taken over", async () => {
  const { merchant, own } = await heldCard();
  const other = await makeCustomer(db, { merchant });
  const email = other.email ?? "";
  await sendNewEmailCode(ctx, { ...own, email });
  const code = await mailedCode(email);
  await expect(changeEmail(ctx, { ...own, email, code })).rejects.toMatchObject({ code: "email_taken" });
});

test("deleting gives the balance up in so many words; the person is gone, the sums are true", async () => {
  const { customer, merchant, email, own } = await heldCard(50);
  await sendCardCode(ctx, { ...own, purpose: "erase" });
  const code = await mailedCode(email);
  const refused = { code: "balance_not_given_up" };
  await expect(eraseCustomer(ctx, { ...own, code })).rejects.toMatchObject(refused);
  await expect(eraseCustomer(ctx, { ...own, code, giveUp: 49 })).rejects.toMatchObject(refused);
  await eraseCustomer(ctx, { ...own, code, giveUp: 50 });
  const row = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
  expect(row).toMatchObject({ status: "erased", email: null, phone: null, dateOfBirth: null, balance: 0 });
  expect(row.fullName).not.toContain("Layla");
  const movements = await db.movement.findMany({
    where: { customerId: customer.id },
    orderBy: { seq: "asc" },
  });
  expect(movements.at(-1)).toMatchObject({ type: "ADJUSTMENT", points: -50, balanceAfter: 0 });
  expect(movements.reduce((sum, movement) => sum + movement.points, 0)).toBe(0);
  expect(await db.cardHolder.count({ where: { customerId: customer.id } })).toBe(0);
  expect(await db.code.count({ where: { customerId: customer.id } })).toBe(0);
  await expect(cardStatement(ctx, own)).rejects.toMatchObject({ code: "customer_not_found" });
  const again = await makeCustomer(db, { merchant }, { email });
  expect(again.id).not.toBe(customer.id);
});

test("a card without movements is deleted without a give-up", async () => {
  const { customer, email, own } = await heldCard();
  await sendCardCode(ctx, { ...own, purpose: "erase" });
  await eraseCustomer(ctx, { ...own, code: await mailedCode(email) });
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).status).toBe("erased");
});

test("one receipt a movement, however often the job runs, with a link that freezes once", async () => {
  const { customer, email, owner, receipts } = await heldCard(10);
  const id = receipts[0]?.movement.id ?? "";
  const follow = () => db.$transaction((tx) => followMovements(tx, [id]));
  await Promise.all([follow(), follow(), follow()]);
  await follow();
  const mails = await db.email.findMany({ where: { recipient: email } });
  expect(mails).toHaveLength(1);
  const token = /\/card\/freeze\/(\S+)/.exec(mails[0]?.text ?? "")?.[1] ?? "";
  expect(await freezableCard(ctx, { token })).toMatchObject({ status: "active" });
  await Promise.all([freezeCard(ctx, { token }), freezeCard(ctx, { token })]);
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).status).toBe("frozen");
  expect(await db.email.count({ where: { recipient: owner.email } })).toBe(1);
});

test("a freeze link that was edited, is too old or names nobody freezes nothing", async () => {
  const { customer } = await heldCard();
  const { customer: victim } = await heldCard();
  const token = freezeToken(customer.id, new Date());
  const refused = { code: "link_invalid" };
  await expect(freezeCard(ctx, { token: token.replace(customer.id, victim.id) })).rejects.toMatchObject(
    refused,
  );
  await expect(freezeCard(ctx, { token: `${token}x` })).rejects.toMatchObject(refused);
  const old = freezeToken(customer.id, new Date(Date.now() - 61 * 24 * 60 * 60 * 1000));
  await expect(freezeCard(ctx, { token: old })).rejects.toMatchObject(refused);
  await expect(freezeCard(ctx, { token: freezeToken(randomUUID(), new Date()) })).rejects.toMatchObject(
    refused,
  );
  await expect(freezeCard(ctx, { token: "x" })).rejects.toMatchObject(refused);
});

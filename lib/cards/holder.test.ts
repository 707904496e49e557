import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { reverse, topUp } from "@/lib/ledger/move-points";
import { handlePostedMovements } from "@/lib/tasks/movement-posted";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { type GivenRow, postRow } from "@/lib/testing/post-rows";
import { withSecrets } from "@/lib/testing/with-secrets";
import { cardStatement } from "./card";
import { proveHolder, sendCardCode, sendNewEmailCode } from "./card-code";
import { addCardDevice, exportHolderData, findCardHolder } from "./card-holder";
import { changeEmail } from "./change-email";
import { eraseCustomer } from "./erase-card";
import { freezableCard, freezeCard } from "./freeze-card";

const db = await testDb();
const ctx = publicContext(db);
const call = withSecrets(ctx);

async function mailedCode(email: string): Promise<string> {
  const row = await db.email.findFirstOrThrow({
    where: { recipient: email },
    orderBy: { createdAt: "desc" },
  });
  return /\b\d{6}\b/.exec(row.text)?.[0] ?? "";
}

/** A card with a balance, its holder's token, and its merchant with owner and branch. */
async function heldCard(points = 0) {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const email = customer.email ?? "";
  const holder = await addCardDevice(db, customer.id, new Date());
  const receipts = [];
  for (let left = points; left > 0; left -= 10) {
    const input = { customerId: customer.id, points: Math.min(10, left), branchId: shop.branch.id };
    receipts.push(await topUp(contextOf(db, shop.owner), input));
  }
  return { ...shop, customer, email, holder, receipts, own: { customerId: customer.id, holder } };
}

test("the mailed code adds a device of this card only", async () => {
  const { customer, email } = await heldCard();
  const other = await heldCard();
  await call(sendCardCode, { customerId: customer.id, purpose: "card_holder" });
  const code = await mailedCode(email);
  await expect(call(proveHolder, { customerId: other.customer.id, code })).rejects.toMatchObject({
    code: "code_invalid",
  });
  const { holderToken } = await call(proveHolder, { customerId: customer.id, code });
  expect(await findCardHolder(db, customer.id, holderToken)).not.toBeNull();
  await expect(call(proveHolder, { customerId: customer.id, code })).rejects.toThrow();
});

test("only the holder gets the statement and the data", async () => {
  const { customer, own } = await heldCard(120);
  const refused = { code: "card_holder_required" };
  const stranger = { customerId: customer.id, holder: "no" };
  await expect(call(cardStatement, stranger)).rejects.toMatchObject(refused);
  await expect(call(exportHolderData, stranger)).rejects.toMatchObject(refused);
  await expect(call(sendCardCode, { ...stranger, purpose: "erase" })).rejects.toMatchObject(refused);
  await expect(call(sendNewEmailCode, { ...stranger, email: uniqueEmail() })).rejects.toMatchObject(refused);
  const first = await call(cardStatement, own);
  expect(first.results).toHaveLength(10);
  const rest = await call(cardStatement, { ...own, cursor: first.nextCursor ?? "" });
  expect(rest.results).toHaveLength(2);
  expect(rest.nextCursor).toBeNull();
  expect(first.results[0]).toMatchObject({ points: 10, balanceAfter: 120, type: "TOP_UP" });
  const data = await call(exportHolderData, own);
  expect(data.customer).toMatchObject({ id: customer.id, email: customer.email, dateOfBirth: "1995-04-12" });
  expect(data.movements).toHaveLength(12);
});

test("the statement names tender, bill number, bonus, refund and what ended", async () => {
  const { customer, own, ...shop } = await heldCard();
  const post = (row: Omit<GivenRow, "customer">) => postRow(db, shop, { customer: customer.id, ...row });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await post({ type: "TOP_UP", points: 100, tender: "card", sale_ref: "A-1", at: daysAgo(9) });
  await post({ type: "BONUS", points: 20, ends_at: daysAgo(3), at: daysAgo(8) });
  const spent = await post({ type: "REDEEM", points: 12, sale_ref: "A-2", at: daysAgo(7) });
  await post({ type: "REFUND", refunds: spent, points: 5, at: daysAgo(6) });
  await post({ type: "TOP_UP", points: 10, at: daysAgo(2) });
  const { results } = await call(cardStatement, own);
  expect(
    results.map(({ type, points, bonusPoints, tender, saleRef }) => [
      ...[type, points, bonusPoints, tender, saleRef],
    ]),
  ).toEqual([
    ["TOP_UP", 10, 0, "cash", null],
    ["EXPIRY", -13, -13, null, null],
    ["REFUND", 5, 5, null, null],
    ["REDEEM", -12, -12, null, "A-2"],
    ["BONUS", 20, 20, null, null],
    ["TOP_UP", 100, 0, "card", "A-1"],
  ]);
});

test("codes to both addresses change the e-mail and remove the other devices", async () => {
  const { customer, email: old, own } = await heldCard();
  const elsewhere = await addCardDevice(db, customer.id, new Date());
  const email = uniqueEmail("new");
  await call(sendNewEmailCode, { ...own, email });
  const code = await mailedCode(email);
  const oldCode = await mailedCode(old);
  await expect(call(changeEmail, { ...own, email: uniqueEmail(), code, oldCode })).rejects.toThrow();
  await expect(call(changeEmail, { ...own, email, code: oldCode, oldCode })).rejects.toThrow();
  await expect(call(changeEmail, { ...own, holder: "no", email, code, oldCode })).rejects.toMatchObject({
    code: "card_holder_required",
  });
  expect(await call(changeEmail, { ...own, email, code, oldCode })).toEqual({ email, dueAt: null });
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).email).toBe(email);
  expect(await findCardHolder(db, customer.id, own.holder)).not.toBeNull();
  expect(await findCardHolder(db, customer.id, elsewhere)).toBeNull();
});

test.each(["en", "ar"] as const)(
  "the address before hears of the change, in %s, and can freeze the card",
  async (locale) => {
    const { customer, email: old, merchant, own } = await heldCard();
    await db.customer.update({ where: { id: customer.id }, data: { locale } });
    const email = uniqueEmail("new");
    await call(sendNewEmailCode, { ...own, email });
    const codes = { code: await mailedCode(email), oldCode: await mailedCode(old) };
    await call(changeEmail, { ...own, email, ...codes });
    const [mail, ...more] = await db.email.findMany({ where: { recipient: old, customerId: null } });
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ locale, status: "queued" });
    expect(mail?.subject).toContain(merchant.businessName);
    expect(mail?.text).toContain("ne•••@example.test");
    expect(mail?.text).not.toContain(email);
    const token = /\/card\/freeze\/(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    await call(freezeCard, { token });
    expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).status).toBe("frozen");
  },
);

test("a frozen card keeps its e-mail, which receives the code that unfreezes it", async () => {
  const { customer, email: old, own } = await heldCard();
  const email = uniqueEmail("new");
  await call(sendNewEmailCode, { ...own, email });
  const code = await mailedCode(email);
  await db.customer.update({ where: { id: customer.id }, data: { status: "frozen" } });
  const refused = { code: "customer_frozen" };
  await expect(call(sendNewEmailCode, { ...own, email: uniqueEmail() })).rejects.toMatchObject(refused);
  await expect(call(changeEmail, { ...own, email, code })).rejects.toMatchObject(refused);
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).email).toBe(old);
});

test("the new e-mail must not have a card with the merchant", async () => {
  const { merchant, own } = await heldCard();
  const other = await makeCustomer(db, { merchant });
  const email = other.email ?? "";
  await call(sendNewEmailCode, { ...own, email });
  const code = await mailedCode(email);
  await expect(call(changeEmail, { ...own, email, code })).rejects.toMatchObject({ code: "email_taken" });
});

test("deleting a card requires giving up its balance, erases the personal data and keeps the sums correct", async () => {
  const { customer, merchant, email, own } = await heldCard(50);
  await call(sendCardCode, { ...own, purpose: "erase" });
  const code = await mailedCode(email);
  const refused = { code: "balance_not_given_up" };
  await expect(call(eraseCustomer, { ...own, code })).rejects.toMatchObject(refused);
  await expect(call(eraseCustomer, { ...own, code, giveUp: 49 })).rejects.toMatchObject(refused);
  await call(eraseCustomer, { ...own, code, giveUp: 50 });
  const row = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
  expect(row).toMatchObject({ status: "erased", email: null, phone: null, dateOfBirth: null, balance: 0 });
  expect(row.fullName).not.toContain("Layla");
  const movements = await db.movement.findMany({
    where: { customerId: customer.id },
    orderBy: { seq: "asc" },
  });
  expect(movements.at(-1)).toMatchObject({ type: "ADJUSTMENT", points: -50, balanceAfter: 0 });
  // The holder is the actor, at no branch.
  expect(movements.at(-1)).toMatchObject({ actorType: "card_holder", actorId: null, branchId: null });
  expect(await db.audit.findMany({ where: { entityId: customer.id } })).toMatchObject([
    { action: "customer.erased", actorType: "card_holder", customerId: customer.id, merchantId: merchant.id },
  ]);
  expect(movements.reduce((sum, movement) => sum + movement.points, 0)).toBe(0);
  expect(await db.cardDevice.count({ where: { customerId: customer.id } })).toBe(0);
  expect(await db.code.count({ where: { customerId: customer.id } })).toBe(0);
  await expect(call(cardStatement, own)).rejects.toMatchObject({ code: "customer_not_found" });
  const again = await makeCustomer(db, { merchant }, { email });
  expect(again.id).not.toBe(customer.id);
});

test("deleting a card deletes the texts of its movements and keeps their hashes", async () => {
  const { customer, branch, owner, email, own, receipts } = await heldCard(20);
  const reason = "Layla asked for it on the phone";
  const movementId = receipts[1]?.movement.id ?? "";
  await reverse(contextOf(db, owner), { movementId, reason });
  await topUp(contextOf(db, owner), { customerId: customer.id, points: 10, branchId: branch.id });
  const texts = () =>
    db.$queryRaw<{ reason: string }[]>`
      select t.reason from movement_texts t join movements m on m.id = t.movement_id
      where m.customer_id = ${customer.id}::uuid`;
  expect(await texts()).toEqual([{ reason }]);
  await call(sendCardCode, { ...own, purpose: "erase" });
  await call(eraseCustomer, { ...own, code: await mailedCode(email), giveUp: 20 });
  expect((await texts()).map((text) => text.reason)).not.toContain(reason);
  const hashed = await db.$queryRaw<unknown[]>`
    select 1 from movements where customer_id = ${customer.id}::uuid and type = 'REVERSAL' and text_hash is not null`;
  expect(hashed).toHaveLength(1);
});

test("when two devices delete the card in parallel, one succeeds and gives up the balance once", async () => {
  const { customer, email, own } = await heldCard(50);
  const elsewhere = await addCardDevice(db, customer.id, new Date());
  await call(sendCardCode, { ...own, purpose: "erase" });
  const code = await mailedCode(email);
  const answers = await Promise.allSettled(
    [own.holder, elsewhere].map((holder) => call(eraseCustomer, { ...own, holder, code, giveUp: 50 })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const givenUp = await db.movement.findMany({ where: { customerId: customer.id, type: "ADJUSTMENT" } });
  expect(givenUp).toMatchObject([{ points: -50, balanceAfter: 0 }]);
  expect(await db.audit.count({ where: { entityId: customer.id, action: "customer.erased" } })).toBe(1);
});

test("two deletions with a valid code each give up the balance once", async () => {
  const { customer, email, own } = await heldCard(50);
  await call(sendCardCode, { ...own, purpose: "erase" });
  const code = await mailedCode(email);
  const sent = await db.code.findFirstOrThrow({ where: { customerId: customer.id, purpose: "erase" } });
  // A second row of the same code lets each deletion spend one.
  await db.code.create({ data: { ...sent, id: randomUUID() } });
  const answers = await Promise.allSettled(
    [1, 2].map(() => call(eraseCustomer, { ...own, code, giveUp: 50 })),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const movements = await db.movement.findMany({ where: { customerId: customer.id } });
  expect(movements.filter(({ type }) => type === "ADJUSTMENT")).toHaveLength(1);
  expect(movements.reduce((sum, movement) => sum + movement.points, 0)).toBe(0);
});

test("a card without a balance is deleted without giving up points", async () => {
  const { customer, email, own } = await heldCard();
  await call(sendCardCode, { ...own, purpose: "erase" });
  await call(eraseCustomer, { ...own, code: await mailedCode(email) });
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).status).toBe("erased");
});

test("each movement gets one receipt even if its job runs again, and the receipt's link freezes once", async () => {
  const { customer, email, owner, receipts } = await heldCard(10);
  const id = receipts[0]?.movement.id ?? "";
  const follow = () => db.$transaction((tx) => handlePostedMovements(tx, [id]));
  await Promise.all([follow(), follow(), follow()]);
  await follow();
  const mails = await db.email.findMany({ where: { recipient: email } });
  expect(mails).toHaveLength(1);
  const token = /\/card\/freeze\/(\S+)/.exec(mails[0]?.text ?? "")?.[1] ?? "";
  expect(await call(freezableCard, { token })).toMatchObject({ status: "active" });
  await Promise.all([call(freezeCard, { token }), call(freezeCard, { token })]);
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).status).toBe("frozen");
  expect(await db.email.count({ where: { recipient: owner.email } })).toBe(1);
  expect(await db.audit.findMany({ where: { entityId: customer.id } })).toMatchObject([
    { action: "customer.frozen", actorType: "card_holder", customerId: customer.id },
  ]);
});

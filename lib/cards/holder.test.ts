import { expect, test } from "vitest";
import { errorText } from "@/lib/i18n/translate";
import { topUp } from "@/lib/ledger/move-points";
import { handlePostedMovements } from "@/lib/tasks/movement-posted";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { type GivenRow, postRow } from "@/lib/testing/post-rows";
import { withSecrets } from "@/lib/testing/with-secrets";
import { cardStatement } from "./card";
import { proveHolder, sendCardCode, sendNewEmailCode } from "./card-code";
import { addCardDevice, exportHolderData, findCardHolder } from "./card-holder";
import { changeEmail } from "./change-email";
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

test("a wrong code of a card says how many tries are left", async () => {
  const { customer, email } = await heldCard();
  await call(sendCardCode, { customerId: customer.id, purpose: "card_holder" });
  const wrong = (await mailedCode(email)) === "000000" ? "111111" : "000000";
  for (const triesLeft of [4, 3, 2, 1, 0]) {
    await expect(call(proveHolder, { customerId: customer.id, code: wrong })).rejects.toMatchObject({
      code: "code_invalid",
      params: { triesLeft },
    });
  }
  // The code is used up, and another guess says nothing.
  await expect(call(proveHolder, { customerId: customer.id, code: wrong })).rejects.toMatchObject({
    params: {},
  });
  const text = errorText("en", { code: "code_invalid", params: { triesLeft: 3 } });
  expect(text).toBe("Invalid OTP. Please try again. 3 tries left.");
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

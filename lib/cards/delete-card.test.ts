import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { reverse, topUp } from "@/lib/ledger/move-points";
import { exportMovements, movementsCsv } from "@/lib/ledger/read-movements";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, publicContext } from "@/lib/testing/factories";
import { minutesAgo, offlineTill, sync } from "@/lib/testing/offline-till";
import { withSecrets } from "@/lib/testing/with-secrets";
import { listEntries, resolveEntry } from "@/lib/tills/offline-inbox";
import { cardStatement } from "./card";
import { sendCardCode } from "./card-code";
import { addCardDevice } from "./card-holder";
import { eraseCustomer } from "./erase-card";
import { askUnfreeze, freezeOwnCard } from "./freeze-card";

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
  // Not even the entry of the deletion says from which device and address the customer acted.
  expect(await db.auditText.count({ where: { audit: { customerId: customer.id } } })).toBe(0);
  expect(movements.reduce((sum, movement) => sum + movement.points, 0)).toBe(0);
  expect(await db.cardDevice.count({ where: { customerId: customer.id } })).toBe(0);
  expect(await db.code.count({ where: { customerId: customer.id } })).toBe(0);
  await expect(call(cardStatement, own)).rejects.toMatchObject({ code: "customer_not_found" });
  const again = await makeCustomer(db, { merchant }, { email });
  expect(again.id).not.toBe(customer.id);
});

test("deleting a card deletes the warnings that name its customer to the owner", async () => {
  const { customer, owner, email, own } = await heldCard();
  await call(freezeOwnCard, own);
  await call(askUnfreeze, own);
  const warnings = () => db.email.findMany({ where: { recipient: owner.email } });
  expect((await warnings()).map(({ text }) => text.includes("Layla"))).toEqual([true, true]);
  await db.customer.update({ where: { id: customer.id }, data: { status: "active" } });
  const holder = await addCardDevice(db, customer.id, new Date());
  await call(sendCardCode, { ...own, holder, purpose: "erase" });
  await call(eraseCustomer, { ...own, holder, code: await mailedCode(email) });
  expect(await warnings()).toEqual([]);
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
  // Another status erases nothing.
  for (const status of ["blocked", "frozen", "active"] as const)
    await db.customer.update({ where: { id: customer.id }, data: { status } });
  expect(await texts()).toEqual([{ reason }]);
  await call(sendCardCode, { ...own, purpose: "erase" });
  await call(eraseCustomer, { ...own, code: await mailedCode(email), giveUp: 20 });
  expect((await texts()).map((text) => text.reason)).not.toContain(reason);
  const hashed = await db.$queryRaw<unknown[]>`
    select 1 from movements where customer_id = ${customer.id}::uuid and type = 'REVERSAL' and text_hash is not null`;
  expect(hashed).toHaveLength(1);
});

test("deleting a card deletes why its kept top-ups were resolved, and no other's", async () => {
  const place = await offlineTill(db);
  const { shop, customer } = place;
  const other = await makeCustomer(db, shop);
  await db.till.update({ where: { id: place.at.till.id }, data: { retiredAt: minutesAgo(1) } });
  const cards = [customer.publicId, other.id, other.id];
  await sync(place, await Promise.all(cards.map((customerId) => place.entry({ customerId }))));
  const owner = contextOf(db, shop.owner);
  const inbox = async () => (await listEntries(owner, { limit: 50, state: "all" })).results;
  const reasons = ["Layla Haddad was paid back", "It was Layla's card", "The other one paid"];
  const resolutions = [
    { action: "write_off" },
    { action: "move", customerId: customer.id },
    { action: "write_off" },
  ] as const;
  const byNumber = (await inbox()).sort((one, two) => one.n - two.n);
  for (const [at, resolution] of resolutions.entries())
    await resolveEntry(owner, { id: byNumber[at]?.id ?? "", reason: reasons[at] ?? "", ...resolution });
  const own = { customerId: customer.id, holder: await addCardDevice(db, customer.id, new Date()) };
  await call(sendCardCode, { ...own, purpose: "erase" });
  await call(eraseCustomer, { ...own, code: await mailedCode(customer.email ?? ""), giveUp: 10 });
  expect((await inbox()).map(({ reason }) => reason)).toEqual([reasons[2], "–", "–"]);
  const details = JSON.stringify(await db.auditText.findMany());
  for (const reason of reasons.slice(0, 2)) expect(details).not.toContain(reason);
});

test("the exported log says in the reader's language that the balance was given up", async () => {
  const { owner, email, own } = await heldCard(20);
  await call(sendCardCode, { ...own, purpose: "erase" });
  await call(eraseCustomer, { ...own, code: await mailedCode(email), giveUp: 20 });
  const parts = await exportMovements(contextOf(db, owner), { type: "ADJUSTMENT" });
  const text = await movementsCsv("ar", parts).text();
  expect(text).toContain("تنازل عنه العميل عند حذف بطاقته");
  expect(text).not.toContain("Given up");
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

test("a frozen card is not deleted, not even with a code that was mailed before: its mailbox may be another's", async () => {
  const { customer, email, own } = await heldCard(50);
  await call(sendCardCode, { ...own, purpose: "erase" });
  const code = await mailedCode(email);
  await db.customer.update({ where: { id: customer.id }, data: { status: "frozen" } });
  const frozen = { code: "customer_frozen" };
  await expect(call(eraseCustomer, { ...own, code, giveUp: 50 })).rejects.toMatchObject(frozen);
  await expect(call(sendCardCode, { ...own, purpose: "erase" })).rejects.toMatchObject(frozen);
  await db.customer.update({ where: { id: customer.id }, data: { status: "active" } });
  await call(eraseCustomer, { ...own, code, giveUp: 50 });
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).status).toBe("erased");
});

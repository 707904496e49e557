import { expect, test } from "vitest";
import { transportFor } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { runDue } from "@/lib/jobs/run-due";
import { topUp } from "@/lib/ledger/move-points";
import { TASKS } from "@/lib/tasks";
import { handlePostedMovements } from "@/lib/tasks/movement-posted";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";
import { sendCardCode, sendNewEmailCode } from "./card-code";
import { addCardDevice } from "./card-holder";
import { changeEmail } from "./change-email";
import { eraseCustomer } from "./erase-card";

const db = await testDb();
const call = withSecrets(publicContext(db));
const context = { db, transport: transportFor(env()) };

/** A card with its holder's token; `add` tops up 10 points without writing the receipt. */
async function cardOf(email: string) {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop, { email });
  const holder = await addCardDevice(db, customer.id, new Date());
  const add = () =>
    topUp(contextOf(db, shop.owner), { customerId: customer.id, points: 10, branchId: shop.branch.id });
  return { ...shop, customer, own: { customerId: customer.id, holder }, add };
}

async function erase(card: Awaited<ReturnType<typeof cardOf>>, giveUp: number): Promise<void> {
  await call(sendCardCode, { ...card.own, purpose: "erase" });
  const mail = await db.email.findFirstOrThrow({
    where: { recipient: card.customer.email ?? "", subject: { contains: card.merchant.businessName } },
    orderBy: { createdAt: "desc" },
  });
  await call(eraseCustomer, { ...card.own, giveUp, code: /\b\d{6}\b/.exec(mail.text)?.[0] ?? "" });
}

const written = (movementId: string) => db.$transaction((tx) => handlePostedMovements(tx, [movementId]));

const mailsTo = (email: string) =>
  db.email.findMany({
    where: { recipient: email },
    orderBy: { createdAt: "asc" },
    select: { id: true, status: true },
  });

test("deleting a card deletes its queued receipts, and those that are not written yet", async () => {
  const email = uniqueEmail();
  const [card, elsewhere] = [await cardOf(email), await cardOf(email)];
  const first = await card.add();
  await written(first.movement.id);
  const kept = await elsewhere.add();
  await written(kept.movement.id);
  await card.add();
  expect((await mailsTo(email)).map(({ id }) => id)).toEqual([first.movement.id, kept.movement.id]);

  await erase(card, 20);

  // The other merchant's receipt to the same address stays. The e-mail with the code is deleted with the card.
  expect(await mailsTo(email)).toEqual([{ id: kept.movement.id, status: "queued" }]);
  await runDue(context, TASKS);
  expect(await mailsTo(email)).toEqual([{ id: kept.movement.id, status: "sent" }]);
});

test("deleting a card also deletes receipts that are written at the same time", async () => {
  const email = uniqueEmail();
  const card = await cardOf(email);
  const movements = [];
  for (let n = 0; n < 5; n += 1) movements.push((await card.add()).movement.id);
  const writing = movements.map((movementId) => written(movementId));
  await Promise.all([erase(card, 50), ...writing]);
  expect(await mailsTo(email)).toEqual([]);
});

test("deleting a card leaves no delivered e-mail of an address that it had before", async () => {
  const [before, email] = [uniqueEmail(), uniqueEmail("new")];
  const card = await cardOf(before);
  await call(sendNewEmailCode, { ...card.own, email });
  const codeIn = async (recipient: string) =>
    /\b\d{6}\b/.exec((await db.email.findFirstOrThrow({ where: { recipient } })).text)?.[0] ?? "";
  const codes = { code: await codeIn(email), oldCode: await codeIn(before) };
  await call(changeEmail, { ...card.own, email, ...codes });
  await runDue(context, TASKS);
  // The code, and the warning that the card has another address.
  expect((await mailsTo(before)).map(({ status }) => status)).toEqual(["sent", "sent"]);
  await erase({ ...card, customer: { ...card.customer, email } }, 0);
  expect(await mailsTo(before)).toEqual([]);
});

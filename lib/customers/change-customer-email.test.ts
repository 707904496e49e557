import { expect, test } from "vitest";
import { sendCardCode, sendNewEmailCode } from "@/lib/cards/card-code";
import { addCardDevice, findCardHolder } from "@/lib/cards/card-holder";
import { cancelEmailChange, changeEmail, stopChangeByLink } from "@/lib/cards/change-email";
import { eraseCustomer } from "@/lib/cards/erase-card";
import { mailTransport } from "@/lib/email/transports";
import { TASKS } from "@/lib/tasks";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeCustomer,
  makeMerchant,
  makeWorker,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";
import { changeCustomerEmail, customerEmails, stopCustomerEmail } from "./edit-customer";

const db = await testDb();
const call = withSecrets(publicContext(db));
const HOUR = 60 * 60 * 1000;
const applyDue = () => TASKS.apply_email_changes?.({ db, transport: mailTransport() }, {});

async function lastMail(recipient: string): Promise<string> {
  const row = await db.email.findFirstOrThrow({ where: { recipient }, orderBy: { id: "desc" } });
  return row.text;
}
const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? "";
const linkIn = (text: string) => /\/card\/email-change\/(\S+)/.exec(text)?.[1] ?? "";

async function heldCard() {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const holder = await addCardDevice(db, customer.id, new Date());
  const own = { customerId: customer.id, holder };
  const where = { customerId: customer.id };
  const email = async () => (await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).email;
  const waiting = () => db.emailChange.findUnique({ where });
  /** Makes the waiting change due. */
  const wait = () => db.emailChange.updateMany({ where, data: { dueAt: new Date(0) } });
  return { ...shop, customer, old: customer.email ?? "", holder, own, email, waiting, wait };
}

test("staff restore an earlier address after 24 hours, also on a frozen card, and the holder cannot stop it", async () => {
  const card = await heldCard();
  const stolen = uniqueEmail("thief");
  await db.customer.update({ where: { id: card.customer.id }, data: { email: stolen } });
  const owner = contextOf(db, card.owner);
  const input = { customerId: card.customer.id, email: card.old, reason: "ID seen at the counter" };
  expect((await customerEmails(owner, input)).earlier).toEqual([card.old]);
  const answer = await changeCustomerEmail(owner, input);
  expect(answer.restores).toBe(true);
  expect((answer.dueAt.getTime() - Date.now()) / HOUR).toBeCloseTo(24, 1);
  for (const address of [card.old, stolen]) {
    const text = await lastMail(address);
    expect(text).toContain(input.reason);
    expect(text).not.toContain("/card/");
  }
  await expect(call(cancelEmailChange, card.own)).rejects.toMatchObject({ code: "conflict" });
  await db.customer.update({ where: { id: card.customer.id }, data: { status: "frozen" } });
  await card.wait();
  await applyDue();
  expect(await card.email()).toBe(card.old);
  expect(await findCardHolder(db, card.customer.id, card.holder)).toBeNull();
});

test("whoever has the present mailbox neither moves nor deletes a card that staff give back", async () => {
  const card = await heldCard();
  const stolen = uniqueEmail("thief");
  await db.customer.update({ where: { id: card.customer.id }, data: { email: stolen } });
  const owner = contextOf(db, card.owner);
  const back = { customerId: card.customer.id, email: card.old, reason: "ID seen at the counter" };
  await changeCustomerEmail(owner, back);
  const email = uniqueEmail("elsewhere");
  const pending = { code: "email_change_pending" };
  await call(sendNewEmailCode, { ...card.own, email });
  const codes = { code: codeIn(await lastMail(email)), oldCode: codeIn(await lastMail(stolen)) };
  await expect(call(changeEmail, { ...card.own, email, ...codes })).rejects.toMatchObject(pending);
  await call(sendCardCode, { ...card.own, purpose: "erase" });
  const code = codeIn(await lastMail(stolen));
  await expect(call(eraseCustomer, { ...card.own, code })).rejects.toMatchObject(pending);
  await card.wait();
  await applyDue();
  expect(await card.email()).toBe(card.old);
});

test("a new address by staff waits 72 hours, with the link to stop it at the present one", async () => {
  const card = await heldCard();
  const owner = contextOf(db, card.owner);
  const input = { customerId: card.customer.id, email: uniqueEmail("new"), reason: "Lost mailbox" };
  const answer = await changeCustomerEmail(owner, input);
  expect((answer.dueAt.getTime() - Date.now()) / HOUR).toBeCloseTo(72, 1);
  expect(await db.email.count({ where: { recipient: input.email } })).toBe(0);
  await call(stopChangeByLink, { token: linkIn(await lastMail(card.old)) });
  await changeCustomerEmail(owner, input);
  await stopCustomerEmail(owner, { customerId: card.customer.id });
  expect(await card.waiting()).toBeNull();
});

test("only the owner changes it, never to a taken or the present address, and not of another merchant", async () => {
  const card = await heldCard();
  const stranger = await makeMerchant(db);
  const taken = await makeCustomer(db, card);
  const input = { customerId: card.customer.id, email: uniqueEmail("new"), reason: "Lost" };
  const worker = contextOf(db, await makeWorker(db, card));
  await expect(changeCustomerEmail(worker, input)).rejects.toMatchObject({ code: "forbidden" });
  const owner = contextOf(db, card.owner);
  const other = contextOf(db, stranger.owner);
  await expect(changeCustomerEmail(other, input)).rejects.toMatchObject({ code: "customer_not_found" });
  const refused = { ...input, email: taken.email ?? "" };
  await expect(changeCustomerEmail(owner, refused)).rejects.toMatchObject({ code: "email_taken" });
  const same = { ...input, email: card.old };
  await expect(changeCustomerEmail(owner, same)).rejects.toMatchObject({ code: "no_change" });
  expect(changeCustomerEmail.stepUp).toBe(true);
});

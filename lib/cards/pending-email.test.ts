import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sendUnfreezeCode, unfreezeCustomer } from "@/lib/customers/edit-customer";
import type { PublicContext } from "@/lib/db/context";
import { mailTransport } from "@/lib/email/transports";
import { TASKS } from "@/lib/tasks";
import { handlePostedMovements } from "@/lib/tasks/movement-posted";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { withSecrets } from "@/lib/testing/with-secrets";
import { readCard } from "./card";
import { proveHolder, sendCardCode, sendNewEmailCode } from "./card-code";
import { addCardDevice, endDevice, exportHolderData, findCardHolder } from "./card-holder";
import { cancelEmailChange, changeEmail, stopChangeByLink, stoppableChange } from "./change-email";
import { eraseCustomer } from "./erase-card";
import { freezeCard, freezeToken } from "./freeze-card";

const db = await testDb();
const call = withSecrets(publicContext(db));
const HOUR = 60 * 60 * 1000;
const inHours = (hours: number): Partial<Omit<PublicContext, "actor">> => ({
  clock: () => new Date(Date.now() + hours * HOUR),
});
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
  const email = async () => (await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).email;
  const waiting = () => db.emailChange.findUnique({ where: { customerId: customer.id } });
  /** Makes the waiting change due. */
  const wait = () =>
    db.emailChange.updateMany({ where: { customerId: customer.id }, data: { dueAt: new Date(0) } });
  const actions = async () => (await auditsOf(db, customer.id)).map(({ action }) => action);
  return { ...shop, customer, old: customer.email ?? "", holder, own, email, waiting, wait, actions };
}

type Held = Awaited<ReturnType<typeof heldCard>>;

/** What a thief with the holder's cookie does: a code at their own address, none at the old one. */
async function askWithoutOldCode({ own }: Held, email = uniqueEmail("thief")) {
  await call(sendNewEmailCode, { ...own, email });
  const changed = await call(changeEmail, { ...own, email, code: codeIn(await lastMail(email)) });
  return { email, changed };
}

const freeze = ({ customer }: Held, age = 0) =>
  call(freezeCard, { token: freezeToken(customer.id, new Date(Date.now() - age)) });

test("a stolen cookie moves no card: without the old address's code the change waits 72 hours", async () => {
  const card = await heldCard();
  const { email, changed } = await askWithoutOldCode(card);
  expect(changed.email).toBe(card.old);
  const hours = ((changed.dueAt?.getTime() ?? 0) - Date.now()) / HOUR;
  expect(hours).toBeGreaterThan(71.9);
  await applyDue();
  expect(await card.email()).toBe(card.old);
  // The holder sees it on every device, strangers do not.
  expect((await call(readCard, card.own)).pendingEmail).toMatchObject({ email, kind: "holder" });
  expect((await call(readCard, { customerId: card.customer.id })).pendingEmail).toBeNull();
  expect(JSON.stringify(await call(exportHolderData, card.own))).toContain(email);
  await card.wait();
  await applyDue();
  expect(await card.email()).toBe(email);
  expect(await findCardHolder(db, card.customer.id, card.holder)).not.toBeNull();
  expect(await lastMail(card.old)).toContain("/card/freeze/");
  expect(await card.actions()).toEqual(expect.arrayContaining(["customer.email_asked", "customer.email"]));
});

test("the wrong code of the old address changes nothing and names its field", async () => {
  const card = await heldCard();
  const email = uniqueEmail("new");
  await call(sendNewEmailCode, { ...card.own, email });
  const code = codeIn(await lastMail(email));
  const oldCode = codeIn(await lastMail(card.old)) === "000000" ? "000001" : "000000";
  await expect(call(changeEmail, { ...card.own, email, code, oldCode })).rejects.toMatchObject({
    code: "code_invalid",
    problems: [{ path: "oldCode" }],
  });
  await expect(call(changeEmail, { ...card.own, email, code: oldCode })).rejects.toMatchObject({
    problems: [{ path: "code" }],
  });
  expect(await card.email()).toBe(card.old);
  // Neither code was spent.
  await call(changeEmail, { ...card.own, email, code, oldCode: codeIn(await lastMail(card.old)) });
  expect(await card.email()).toBe(email);
});

test("the link mailed to the old address stops the change, once, and looking at it does not", async () => {
  const card = await heldCard();
  const other = await heldCard();
  const { email } = await askWithoutOldCode(card);
  const token = linkIn(await lastMail(card.old));
  expect(await call(stoppableChange, { token })).toMatchObject({ email: expect.not.stringContaining(email) });
  expect(await card.waiting()).not.toBeNull();
  await askWithoutOldCode(other);
  const otherId = (await other.waiting())?.id ?? "";
  const forged = [
    `${token}x`,
    token.replace(token.split(".")[0] ?? "", otherId),
    "x",
    freezeToken(card.customer.id, new Date()),
  ];
  for (const wrong of forged) {
    await expect(call(stopChangeByLink, { token: wrong })).rejects.toMatchObject({ code: "link_invalid" });
  }
  expect(await call(stopChangeByLink, { token })).toEqual({ stopped: true });
  await expect(call(stopChangeByLink, { token })).rejects.toMatchObject({ code: "link_used" });
  await card.wait();
  await applyDue();
  expect(await card.email()).toBe(card.old);
  expect(await other.waiting()).not.toBeNull();
  expect(await card.actions()).toContain("customer.email_stopped");
});

test("one change waits at a time, the holder cancels it, and both codes void it", async () => {
  const card = await heldCard();
  await askWithoutOldCode(card);
  await expect(askWithoutOldCode(card)).rejects.toMatchObject({ code: "email_change_pending" });
  await call(cancelEmailChange, card.own);
  await expect(call(cancelEmailChange, card.own)).rejects.toMatchObject({ code: "conflict" });
  await askWithoutOldCode(card);
  const email = uniqueEmail("new");
  await call(sendNewEmailCode, { ...card.own, email });
  const codes = { code: codeIn(await lastMail(email)), oldCode: codeIn(await lastMail(card.old)) };
  await call(changeEmail, { ...card.own, email, ...codes });
  expect(await card.email()).toBe(email);
  expect(await card.waiting()).toBeNull();
});

test("of two changes at once, one waits", async () => {
  const card = await heldCard();
  const emails = [uniqueEmail("one"), uniqueEmail("two")];
  const codes: string[] = [];
  for (const email of emails) {
    await call(sendNewEmailCode, { ...card.own, email });
    codes.push(codeIn(await lastMail(email)));
  }
  const tries = await Promise.allSettled(
    emails.map((email, at) => call(changeEmail, { ...card.own, email, code: codes[at] ?? "" })),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(tries.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "email_change_pending" },
  });
});

test("a freeze ends every holder cookie and stops the change that waits", async () => {
  const card = await heldCard();
  const elsewhere = await addCardDevice(db, card.customer.id, new Date());
  await askWithoutOldCode(card);
  await freeze(card);
  for (const token of [card.holder, elsewhere]) {
    expect(await findCardHolder(db, card.customer.id, token)).toBeNull();
  }
  expect(await card.waiting()).toBeNull();
  expect(await db.cardDevice.count({ where: { customerId: card.customer.id } })).toBe(0);
});

test("a device that its link ends takes along the change that it asked for, and no other one", async () => {
  for (const asks of ["ended", "other"]) {
    const card = await heldCard();
    await call(sendCardCode, { customerId: card.customer.id, purpose: "card_holder" });
    const code = codeIn(await lastMail(card.old));
    const { holderToken } = await call(proveHolder, { customerId: card.customer.id, code });
    const token = /\/card\/device\/(\S+)/.exec(await lastMail(card.old))?.[1] ?? "";
    const own = { ...card.own, ...(asks === "ended" ? { holder: holderToken } : {}) };
    const { email } = await askWithoutOldCode({ ...card, own });
    await call(endDevice, { token });
    await card.wait();
    await applyDue();
    expect(await card.email()).toBe(asks === "ended" ? card.old : email);
    expect((await card.actions()).includes("customer.email_stopped")).toBe(asks === "ended");
  }
});

test("a freeze that races with a due change leaves a frozen card with one of the two addresses", async () => {
  for (let round = 0; round < 8; round++) {
    const card = await heldCard();
    const { email } = await askWithoutOldCode(card);
    await card.wait();
    const work = [() => applyDue(), () => freeze(card), () => applyDue()];
    await Promise.all((round % 2 ? work : [...work].reverse()).map((run) => run()));
    const row = await db.customer.findUniqueOrThrow({ where: { id: card.customer.id } });
    expect(row.status).toBe("frozen");
    expect([card.old, email]).toContain(row.email);
    expect(await card.waiting()).toBeNull();
    const actions = await card.actions();
    const ends = actions.filter((action) => ["customer.email", "customer.email_stopped"].includes(action));
    expect(ends).toEqual([row.email === email ? "customer.email" : "customer.email_stopped"]);
  }
});

test("the code that unfreezes goes to the address of 72 hours ago, until the new one is as old", async () => {
  const card = await heldCard();
  const email = uniqueEmail("new");
  await call(sendNewEmailCode, { ...card.own, email });
  const codes = { code: codeIn(await lastMail(email)), oldCode: codeIn(await lastMail(card.old)) };
  await call(changeEmail, { ...card.own, email, ...codes });
  await freeze(card);
  const input = { customerId: card.customer.id };
  const owner = contextOf(db, card.owner);
  await sendUnfreezeCode(owner, input);
  const code = codeIn(await lastMail(card.old));
  expect((await unfreezeCustomer(owner, { ...input, code })).status).toBe("active");
  await freeze(card, 60_000);
  await sendUnfreezeCode(contextOf(db, card.owner, inHours(73)), input);
  expect(await lastMail(email)).toMatch(/\b\d{6}\b/);
});

test("an address that got a card meanwhile is not taken from it", async () => {
  const card = await heldCard();
  const { email } = await askWithoutOldCode(card);
  await makeCustomer(db, card, { email });
  await card.wait();
  await applyDue();
  expect(await card.email()).toBe(card.old);
  expect(await card.waiting()).toBeNull();
});

test("receipts that were not sent yet go to the new address, and nothing else does", async () => {
  const card = await heldCard();
  const elsewhere = await heldCard();
  await db.customer.update({ where: { id: elsewhere.customer.id }, data: { email: card.old } });
  const receiptOf = async (held: Held) => {
    const { id } = await move(db, held, held.customer, { points: 10 });
    await db.$transaction((tx) => handlePostedMovements(tx, [id]));
    return async () => (await db.email.findUniqueOrThrow({ where: { id } })).recipient;
  };
  const [mine, others] = [await receiptOf(card), await receiptOf(elsewhere)];
  await db.email.updateMany({ where: { customerId: card.customer.id }, data: { claimedBy: randomUUID() } });
  const { email } = await askWithoutOldCode(card);
  expect([await mine(), await others()]).toEqual([card.old, card.old]);
  await card.wait();
  await applyDue();
  expect([await mine(), await others()]).toEqual([email, card.old]);
  expect(await db.email.count({ where: { recipient: email, claimedBy: null, lane: "receipt" } })).toBe(1);
  const back = { ...card.own, email: card.old };
  await call(sendNewEmailCode, back);
  const [code, oldCode] = [codeIn(await lastMail(card.old)), codeIn(await lastMail(email))];
  await call(changeEmail, { ...back, code, oldCode });
  expect(await mine()).toBe(card.old);
  expect(await lastMail(email)).toContain("/card/freeze/");
});

test("the addresses of a card are erased with it", async () => {
  const card = await heldCard();
  await askWithoutOldCode(card);
  await call(sendCardCode, { ...card.own, purpose: "erase" });
  await call(eraseCustomer, { ...card.own, code: codeIn(await lastMail(card.old)) });
  expect(await db.cardEmail.count({ where: { customerId: card.customer.id } })).toBe(0);
  expect(await card.waiting()).toBeNull();
});

import { randomUUID } from "node:crypto";
import { openCardDevice } from "@/lib/cards/card-holder";
import { freezeToken } from "@/lib/cards/freeze-card";
import { type LinkSubject, linkToken } from "@/lib/secrets/secrets";
import { makeCustomer, makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import type { Tally } from "./tally";

import type { Target } from "./target";

const DAY = 86_400_000;
/** Presses the button of a link's page. Answers whether it was done. */
async function press(target: Target, action: string, token: string): Promise<boolean | null> {
  const page = action === "confirmMailboxAction" ? "/confirm-email/x" : "/customer/loyalty-card";
  return (await target.action(page, action, [{ token }])).ok;
}

/** A freeze link, changed, of another card and too old. */
async function freezeLinks(target: Target, tally: Tally): Promise<void> {
  const card = await makeCustomer(target.db, await makeMerchant(target.db));
  const freeze = freezeToken(card.id, new Date());
  const old = freezeToken(card.id, new Date(Date.now() - 61 * DAY));
  const stop = linkToken("email change", card.id);
  for (const token of [...tampered(freeze), freeze.replace(card.id, randomUUID()), old, stop]) {
    tally.try(
      (await press(target, "freezeCardAction", token)) === false,
      `the freeze link as ${token.slice(-20)}`,
    );
  }
  const { status } = await target.db.customer.findUniqueOrThrow({ where: { id: card.id } });
  tally.try(status === "active", "the card was frozen");
  tally.works((await press(target, "freezeCardAction", freeze)) === true, "the freeze link");
}

type Linked = { subject: LinkSubject; action: string; id: string; stands: () => Promise<boolean> };

/**
 * Makes the records that links are about: a pending change of an e-mail, a holder's device, an unproved
 * mailbox.
 */
async function linkedRecords({ db }: Target): Promise<Linked[]> {
  const shop = await makeMerchant(db);
  const card = await makeCustomer(db, shop);
  const { deviceId } = await openCardDevice(db, card.id, new Date());
  const change = await db.emailChange.create({
    data: {
      customerId: card.id,
      oldEmail: card.email ?? "",
      newEmail: uniqueEmail("thief"),
      kind: "holder",
      dueAt: new Date(Date.now() + 3 * DAY),
    },
  });
  const { owner } = await makeMerchant(db);
  await db.user.update({ where: { id: owner.id }, data: { emailProvedAt: null } });
  return [
    {
      subject: "email change",
      action: "stopEmailChangeAction",
      id: change.id,
      stands: async () => (await db.emailChange.count({ where: { id: change.id } })) === 1,
    },
    {
      subject: "card device",
      action: "endDeviceAction",
      id: deviceId,
      stands: async () => (await db.cardDevice.count({ where: { id: deviceId } })) === 1,
    },
    {
      subject: "mailbox",
      action: "confirmMailboxAction",
      id: owner.id,
      stands: async () => (await db.user.count({ where: { id: owner.id, emailProvedAt: null } })) === 1,
    },
  ];
}

/** Links that stop, end and prove: changed, of another record, and of another purpose with the very id. */
async function signedLinks(target: Target, tally: Tally): Promise<void> {
  const records = await linkedRecords(target);
  for (const { subject, action, id, stands } of records) {
    const link = linkToken(subject, id);
    const others = records.filter((one) => one.subject !== subject).map((one) => linkToken(one.subject, id));
    const forged = [...tampered(link, 6), ...others, linkToken(subject, randomUUID()), `${id}.`, id];
    for (const token of [...forged, freezeToken(id, new Date())]) {
      tally.try((await press(target, action, token)) === false, `${action} with ${token.slice(-20)}`);
    }
    tally.try(await stands(), `a forged link changed the ${subject}`);
  }
  for (const { subject, action, id, stands } of records) {
    const done = await press(target, action, linkToken(subject, id));
    tally.works(done === true && !(await stands()), `the link about the ${subject}`);
  }
}

export async function mailedLinks(target: Target, tally: Tally): Promise<void> {
  await freezeLinks(target, tally);
  await signedLinks(target, tally);
}

const isLong = process.env.LONG === "1";

/** A text with one bit of one character changed, at several places; and cut off, doubled and padded. */
export function tampered(text: string, count = isLong ? 60 : 12): string[] {
  const flips = Array.from({ length: count }, (_, n) => {
    const at = Math.floor((n * text.length) / count);
    const other = String.fromCharCode(text.charCodeAt(at) ^ 1);
    return text.slice(0, at) + (/[\w.~-]/.test(other) ? other : "A") + text.slice(at + 1);
  });
  const cut = [text.slice(0, -1), text.slice(1), text.slice(0, text.length / 2), `${text}A`, text + text];
  return [...flips, ...cut].filter((one) => one !== text);
}

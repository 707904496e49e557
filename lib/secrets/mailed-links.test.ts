import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { confirmMailbox } from "@/lib/accounts/prove-mailbox";
import { endDevice, openCardDevice } from "@/lib/cards/card-holder";
import { stopChangeByLink } from "@/lib/cards/change-email";
import { freezeCard, freezeToken } from "@/lib/cards/freeze-card";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { tampered, withSecrets } from "@/lib/testing/with-secrets";
import { type LinkSubject, linkToken } from "./secrets";

const db = await testDb();
const ctx = publicContext(db);
const call = withSecrets(ctx);
const DAY = 86_400_000;
const invalid = { code: "link_invalid" };
/** A signed link of a record that is not there is one that was used. */
const refused = { code: expect.stringMatching(/^link_(invalid|used)$/) };

type Linked = {
  subject: LinkSubject;
  id: string;
  press(token: string): Promise<unknown>;
  /** The record as the link finds it: gone or changed after the link. */
  stands(): Promise<number>;
};

/** A pending change of an e-mail, a holder's device and an unproved mailbox, each with what its link does. */
async function linkedRecords(): Promise<Linked[]> {
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
  const { id: owner } = shop.owner;
  await db.user.update({ where: { id: owner }, data: { emailProvedAt: null } });
  return [
    {
      subject: "email change",
      id: change.id,
      press: (token) => call(stopChangeByLink, { token }),
      stands: () => db.emailChange.count({ where: { id: change.id } }),
    },
    {
      subject: "card device",
      id: deviceId,
      press: (token) => call(endDevice, { token }),
      stands: () => db.cardDevice.count({ where: { id: deviceId } }),
    },
    {
      subject: "mailbox",
      id: owner,
      press: (token) => confirmMailbox(ctx, { token }),
      stands: () => db.user.count({ where: { id: owner, emailProvedAt: null } }),
    },
  ];
}

test("a link that is changed, of another record, or of another purpose with the very id, does nothing", async () => {
  const records = await linkedRecords();
  for (const { subject, id, press, stands } of records) {
    const link = linkToken(subject, id);
    const others = records.filter((one) => one.subject !== subject).map((one) => linkToken(one.subject, id));
    const elsewhere = [
      ...others,
      linkToken(subject, randomUUID()),
      `${id}.`,
      id,
      freezeToken(id, new Date()),
    ];
    for (const token of [...tampered(link), ...elsewhere])
      await expect(press(token), `${subject} ${token}`).rejects.toMatchObject(refused);
    expect(await stands(), subject).toBe(1);
  }
  for (const { subject, id, press, stands } of records) {
    await press(linkToken(subject, id));
    expect(await stands(), subject).toBe(0);
  }
});

test("a freeze link that is changed, of another card, too old, or of another purpose freezes nothing", async () => {
  const card = await makeCustomer(db, await makeMerchant(db));
  const link = freezeToken(card.id, new Date());
  const old = freezeToken(card.id, new Date(Date.now() - 61 * DAY));
  const others = [link.replace(card.id, randomUUID()), old, linkToken("email change", card.id)];
  for (const token of [...tampered(link), ...others])
    await expect(call(freezeCard, { token }), token).rejects.toMatchObject(invalid);
  expect(await db.customer.findUniqueOrThrow({ where: { id: card.id } })).toMatchObject({ status: "active" });
  expect(await call(freezeCard, { token: link })).toMatchObject({ frozen: true });
});

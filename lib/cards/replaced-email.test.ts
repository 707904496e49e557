import { expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { heldBack, holdCard } from "@/lib/testing/held-back";
import { withSecrets } from "@/lib/testing/with-secrets";
import { proveHolder, sendCardCode, sendNewEmailCode } from "./card-code";
import { addCardDevice, findCardHolder } from "./card-holder";
import { changeEmail } from "./change-email";
import { registerCustomer, sendCode, signUp, verifyCode } from "./sign-up";

const db = await testDb();
const ctx = publicContext(getDb(), { userAgent: "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36" });
const call = withSecrets(ctx);

async function mailedCode(recipient: string): Promise<string> {
  const row = await db.email.findFirstOrThrow({ where: { recipient }, orderBy: { id: "desc" } });
  return /\b\d{6}\b/.exec(row.text)?.[0] ?? "";
}

/** A card whose holder has both codes that replace its e-mail, and a form of somebody with the old mailbox. */
async function cardToLose() {
  const { merchant } = await makeMerchant(db);
  const customer = await makeCustomer(db, { merchant });
  const old = customer.email ?? "";
  const own = { customerId: customer.id, holder: await addCardDevice(db, customer.id, new Date()) };
  const email = uniqueEmail("new");
  await call(sendNewEmailCode, { ...own, email });
  const codes = { code: await mailedCode(email), oldCode: await mailedCode(old) };
  const form = { fullName: "Layla Haddad", phone: "+97455123456", dateOfBirth: "1995-04-12", consent: true };
  const details = { ...form, email: old, merchantId: merchant.id };
  /** Replaces the e-mail while the other operation, which needs the old mailbox, is on its way. */
  const replaceDuring = async (late: () => Promise<unknown>) => {
    const [changed, other] = await heldBack(
      db,
      holdCard(customer.id),
      () => call(changeEmail, { ...own, email, ...codes }),
      late,
    );
    expect(changed?.status).toBe("fulfilled");
    expect(await findCardHolder(db, customer.id, own.holder)).not.toBeNull();
    expect(await db.cardDevice.count({ where: { customerId: customer.id } })).toBe(1);
    return other;
  };
  const actions = async () => (await auditsOf(db, customer.id)).map(({ action }) => action);
  return { customer, old, details, replaceDuring, actions };
}

test("a device that the mailed code adds is written down with its holder, address and browser", async () => {
  const { customer, old } = await cardToLose();
  await call(sendCardCode, { customerId: customer.id, purpose: "card_holder" });
  await call(proveHolder, { customerId: customer.id, code: await mailedCode(old) });
  expect(await auditsOf(db, customer.id)).toMatchObject([
    {
      action: "customer.device",
      actorType: "card_holder",
      customerId: customer.id,
      merchantId: customer.merchantId,
      address: ctx.address,
      device: "Chrome on Windows",
    },
  ]);
});

test("a code of the mailbox that is being replaced adds no device", async () => {
  const { customer, old, replaceDuring, actions } = await cardToLose();
  await call(sendCardCode, { customerId: customer.id, purpose: "card_holder" });
  const code = await mailedCode(old);
  const proved = await replaceDuring(() => call(proveHolder, { customerId: customer.id, code }));
  expect(proved).toMatchObject({ status: "rejected", reason: { code: "code_invalid" } });
  expect(await actions()).not.toContain("customer.device");
});

test.each(["one step", "two steps"])(
  "a sign-up in %s with the mailbox that is being replaced gets a card of its own",
  async (steps) => {
    const { customer, old, details, replaceDuring } = await cardToLose();
    await sendCode(ctx, { email: old });
    const code = await mailedCode(old);
    const proof = steps === "two steps" ? await verifyCode(ctx, { email: old, code }) : null;
    const signedUp = await replaceDuring(() =>
      proof
        ? registerCustomer(ctx, { ...details, verification: proof.verification })
        : signUp(ctx, { ...details, code }),
    );
    expect(signedUp).toMatchObject({ status: "fulfilled", value: { isNewRegistration: true } });
    const card = await db.customer.findFirstOrThrow({ where: { email: old } });
    expect(card.id).not.toBe(customer.id);
    expect((await auditsOf(db, card.id)).map(({ action }) => action)).toEqual(["customer.registered"]);
  },
);

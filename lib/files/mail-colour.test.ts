import { expect, test } from "vitest";
import { forgotPassword, mailReset } from "@/lib/accounts/set-password";
import { logIn } from "@/lib/accounts/sign-in";
import { sendCardCode, sendNewEmailCode } from "@/lib/cards/card-code";
import { addCardDevice } from "@/lib/cards/card-holder";
import { changeEmail } from "@/lib/cards/change-email";
import { freezeOwnCard } from "@/lib/cards/freeze-card";
import { mailCardLinks, mailCards, openCard } from "@/lib/cards/mail-cards";
import { sendRedeemCode } from "@/lib/counter/serve-customer";
import { changeCustomerEmail, sendUnfreezeCode } from "@/lib/customers/edit-customer";
import { env } from "@/lib/env";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeCustomer,
  makeMerchant,
  makeWorker,
  PASSWORD,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { runJobs } from "@/lib/testing/jobs";
import { withSecrets } from "@/lib/testing/with-secrets";
import { coloursOfMerchant } from "./picture-colour";

const db = await testDb();
const ctx = publicContext(db);
const call = withSecrets(ctx);
const PRODUCT = "#1d4ed8";

const mailsTo = (recipient: string) =>
  db.email.findMany({ where: { recipient }, orderBy: { id: "asc" }, select: { html: true, text: true } });
const codeIn = (text = "") => /\b\d{6}\b/.exec(text)?.[0] ?? "";

test("every e-mail to a card's holder has the colour and the note of the card, and those to the owner have the product's", async () => {
  const shop = await makeMerchant(db);
  const { via } = await coloursOfMerchant(db, { id: shop.merchant.id, imageKey: null, colour: null });
  const email = uniqueEmail("coloured");
  const customer = await makeCustomer(db, shop, { email });
  const own = { customerId: customer.id, holder: await addCardDevice(db, customer.id, new Date()) };
  const owner = contextOf(db, shop.owner);

  await call(sendCardCode, { customerId: customer.id, purpose: "card_holder" });
  await call(sendCardCode, { ...own, purpose: "erase" });
  await sendRedeemCode(owner, { customerId: customer.id, points: 10 });
  await mailCards(ctx, { email });
  await runJobs(db, { mail_cards: mailCardLinks });
  const link = /\/card\/open\/(\S+)/.exec((await mailsTo(email)).at(-1)?.text ?? "")?.[1] ?? "";
  await openCard(ctx, { token: link });
  const next = uniqueEmail("next");
  await call(sendNewEmailCode, { ...own, email: next });
  const [mailed, left] = [await mailsTo(next), await mailsTo(email)];
  const codes = { code: codeIn(mailed.at(-1)?.text), oldCode: codeIn(left.at(-1)?.text) };
  await call(changeEmail, { ...own, email: next, ...codes });
  await changeCustomerEmail(owner, { customerId: customer.id, email: uniqueEmail("later"), reason: "Lost" });
  await call(freezeOwnCard, own);
  await sendUnfreezeCode(owner, { customerId: customer.id });

  const mails = [...(await mailsTo(email)), ...(await mailsTo(next))];
  expect(mails).toHaveLength(10);
  for (const { html } of mails) {
    expect(html).toContain(via);
    expect(html).toContain(`background="${env().APP_URL}/card/note/${shop.merchant.publicId}?plain=1&amp;v=`);
    expect(html).not.toContain(shop.merchant.id);
    expect(html).not.toContain(PRODUCT);
  }
  const toOwner = await mailsTo(shop.owner.email);
  expect(toOwner.length).toBeGreaterThan(0);
  for (const { html } of toOwner) expect(html).toContain(PRODUCT);
});

test("an employee's e-mails about the account have the shop's note, and a mailbox that nobody proved learns no shop", async () => {
  const shop = await makeMerchant(db);
  const { email } = await makeWorker(db, shop, { emailProvedAt: null });
  const askLink = async () => {
    await forgotPassword(ctx, { email });
    await runJobs(db, { mail_reset: mailReset });
  };
  await askLink();
  await db.user.update({ where: { email }, data: { emailProvedAt: new Date() } });
  await askLink();
  for (const userAgent of ["first device", "second device"])
    await logIn({ ...ctx, userAgent }, { email, password: PASSWORD });
  const face = `/card/note/${shop.merchant.publicId}?plain=1&amp;v=`;
  expect((await mailsTo(email)).map(({ html }) => [html.includes(face), html.includes(PRODUCT)])).toEqual([
    [false, true],
    [true, false],
    [true, false],
  ]);
});

test("an address with cards of several merchants gets the links to them in the product's colour", async () => {
  const email = uniqueEmail("several");
  for (const shop of [await makeMerchant(db), await makeMerchant(db)])
    await makeCustomer(db, shop, { email });
  await mailCards(ctx, { email });
  await runJobs(db, { mail_cards: mailCardLinks });
  expect((await mailsTo(email)).map(({ html }) => html.includes(PRODUCT))).toEqual([true]);
});

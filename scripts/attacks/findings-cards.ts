import { freezeToken } from "@/lib/cards/freeze-card";
import { knownDeviceValue } from "@/lib/secrets/known-device";
import { newAddress } from "@/lib/testing/contract/exchange";
import { staffDevice } from "@/lib/testing/devices";
import { makeCustomer, makeMerchant, PASSWORD, uniqueEmail } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import type { Tally } from "./tally";
import type { Target } from "./target";

const CARD_PAGE = "/customer/loyalty-card";
const channel = { sType: "EMAIL", sAuth: "REGISTER" };
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** 3: a stolen cookie moves the card to the thief's e-mail, and freeze and unfreeze go there. */
export async function stealCard(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const shop = await makeMerchant(db);
  const card = await makeCustomer(db, shop);
  await move(db, shop, card, { points: 100 });
  const [old, thief] = [card.email ?? "", uniqueEmail("thief")];
  const cookie = await target.holderCookie(card.id);
  const own = { customerId: card.id };
  const emailNow = async () => (await db.customer.findUniqueOrThrow({ where: { id: card.id } })).email;
  const ask = async () => {
    await target.action(CARD_PAGE, "sendNewEmailCodeAction", [{ ...own, email: thief }], { cookie });
    const code = await target.code(thief);
    return target.action(CARD_PAGE, "changeEmailAction", [{ ...own, email: thief, code }], { cookie });
  };
  tally.works((await ask()).ok === true, "asking for another e-mail");
  tally.try((await emailNow()) === old, "the card moved at once, without a code at the old address");
  await target.runJobs();
  tally.try((await emailNow()) === old, "the card moved before 72 hours were over");
  const notified = await db.email.count({ where: { recipient: old } });
  tally.try(notified > 0, "the old address was not notified");
  const waiting = await db.emailChange.findUnique({ where: { customerId: card.id } });
  const hours = ((waiting?.dueAt.getTime() ?? 0) - Date.now()) / 3_600_000;
  tally.try(hours > 71, `the change waits ${hours.toFixed(1)} hours`);

  // It is applied after all; the holder sees it now, and presses "this was not me".
  await db.emailChange.updateMany({ where: { customerId: card.id }, data: { dueAt: new Date(0) } });
  for (const until = Date.now() + 10_000; (await emailNow()) === old && Date.now() < until; )
    await target.runJobs();
  tally.works((await emailNow()) === thief, "the change after its wait");
  const frozen = await target.action(CARD_PAGE, "freezeCardAction", [
    { token: freezeToken(card.id, new Date()) },
  ]);
  tally.works(frozen.ok === true, "the freeze link");
  const data = await target.api("get /customer/{id}/my-data", {
    params: { id: card.id },
    headers: { cookie },
  });
  tally.status(data.status, [403], "the thief's cookie after the freeze");
  const since = new Date();
  const owner = (await target.panelOf(shop.owner)).cookie;
  const sent = await target.action("/merchant/account", "sendUnfreezeCodeAction", [own], { cookie: owner });
  tally.works(sent.ok === true, "a code to unfreeze");
  const mails = await db.email.findMany({
    where: { createdAt: { gte: since }, recipient: { in: [old, thief] } },
  });
  tally.try(
    mails.every(({ recipient }) => recipient === old),
    "the code to unfreeze goes to the thief",
  );
  tally.works(mails.length > 0, "the mail with the code");

  // A freeze cancels what waits.
  const second = await makeCustomer(db, shop);
  const stolen = await target.holderCookie(second.id);
  const email = uniqueEmail("thief");
  await target.action(CARD_PAGE, "sendNewEmailCodeAction", [{ customerId: second.id, email }], {
    cookie: stolen,
  });
  const code = await target.code(email);
  await target.action(CARD_PAGE, "changeEmailAction", [{ customerId: second.id, email, code }], {
    cookie: stolen,
  });
  await target.action(CARD_PAGE, "freezeCardAction", [{ token: freezeToken(second.id, new Date()) }]);
  const left = await db.emailChange.count({ where: { customerId: second.id } });
  tally.try(left === 0, "a change of the e-mail waits on after the freeze");
}

/** 6: somebody at the same address gets the card of an e-mail that was proved there. */
export async function takeCardByAddress(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const { merchant } = await makeMerchant(db);
  const address = newAddress();
  const email = uniqueEmail("layla");
  const details = {
    sFullName: "Layla Haddad",
    sEmail: email,
    sPhoneNumber: "55123456",
    dDateOfBirth: "1995-04-12",
    iMerchantId: merchant.id,
  };
  const prove = async () => {
    await target.api("post /auth/send-otp", { address, body: { ...channel, sLogin: email } });
    const sCode = await target.code(email);
    const verified = await target.api("post /auth/verify-otp", {
      address,
      body: { ...channel, sLogin: email, sCode },
    });
    return (verified.body?.data as { sVerification: string } | undefined)?.sVerification;
  };
  const first = await target.api("post /customers/register", {
    address,
    body: { ...details, sVerification: await prove() },
  });
  tally.works(first.status === 200, "signing up");
  await prove();
  const stolen = await target.api("post /customers/register", { address, body: details });
  tally.status(stolen.status, [403], "the existing card, by the address alone");
  tally.try(
    !stolen.headers.get("set-cookie")?.includes("wallet_card_"),
    "a holder's cookie by the address alone",
  );
  const elsewhere = await target.api("post /customers/register", { body: details });
  tally.status(elsewhere.status, [403], "the existing card, from another address");
  const guessed = await target.api("post /customers/register", {
    address,
    body: { ...details, sVerification: "x".repeat(43) },
  });
  tally.status(guessed.status, [403], "the existing card, by a guess");
  const again = await target.api("post /customers/register", {
    address,
    body: { ...details, sVerification: await prove() },
  });
  tally.works(again.status === 200, `a new device with the code, answered with ${again.status},`);
  const mail = await target.mail(email, /\/card\/device\//);
  tally.try(mail.includes("/card/device/"), "the holder is not notified of a new device");
}

/** 8: a stranger uses up the victim's sign-ins, codes and resets. */
export async function useUpBudgets(target: Target, tally: Tally): Promise<void> {
  const { owner } = await makeMerchant(target.db);
  const address = newAddress();
  const known = { cookie: `wallet_device=${await staffDevice(target.db, owner.id)}` };
  const signIn = (sPassword: string, at: string, headers = {}) =>
    target.api("post /auth/login", { address: at, headers, body: { sEmail: owner.email, sPassword } });
  const many = async (count: number, one: (n: number) => Promise<unknown>) => {
    for (let n = 0; n < count; n += 1) await one(n);
  };
  await many(7, () => signIn("a wrong guess", address));
  await many(55, () => signIn("a wrong guess", newAddress()));
  tally.works((await signIn(PASSWORD, newAddress())).status === 429, "using up the sign-ins");
  tally.status((await signIn(PASSWORD, address, known)).status, [200], "the known device's sign-in");

  const email = uniqueEmail("layla");
  const device = { cookie: `wallet_device=${knownDeviceValue(null, { email })}` };
  const send = (headers = {}) =>
    target.api("post /auth/send-otp", { address, headers, body: { ...channel, sLogin: email } });
  await many(6, () => send());
  tally.works((await send()).status === 429, "using up the codes");
  tally.status((await send(device)).status, [200], "a code for the known device");
  const code = await target.code(email);
  const guess = (sCode: string, headers = {}) =>
    target.api("post /auth/verify-otp", { address, headers, body: { ...channel, sLogin: email, sCode } });
  await many(10, () => guess(wrongOf(code)));
  tally.status((await guess(code, device)).status, [200], "the known device's code after strangers' guesses");

  const reset = (headers = {}) =>
    target.api("post /auth/forgot-password", { address, headers, body: { sEmail: owner.email } });
  await many(6, () => reset());
  tally.works((await reset()).status === 429, "using up the resets");
  tally.status((await reset(known)).status, [200], "the known device's reset");
}

/** 9: the code is read in a subject or in the table of e-mails. */
export async function readCodes(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const email = uniqueEmail("layla");
  await target.api("post /auth/send-otp", { body: { ...channel, sLogin: email } });
  const code = await target.code(email);
  tally.works(/^\d{6}$/.test(code), "mailing a code");
  for (const until = Date.now() + 10_000; Date.now() < until; ) {
    await target.runJobs();
    if ((await db.email.count({ where: { recipient: email, status: "queued" } })) === 0) break;
  }
  const rows = await db.email.findMany({ where: { recipient: email } });
  tally.try(
    rows.every(({ subject }) => !/\d{6}/.test(subject)),
    "the subject holds the code",
  );
  tally.try(!JSON.stringify(rows).includes(code), "the sent e-mail's row holds the code");
  const kept = await db.code.findMany({ where: { email } });
  tally.try(!JSON.stringify(kept).includes(code), "the code's row holds the code");
}

/** 13: a freeze link is pressed again after unfreezing. */
export async function freezeTwice(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  const card = await makeCustomer(db, await makeMerchant(db));
  const token = freezeToken(card.id, new Date(Date.now() - 60_000));
  const press = (one: string) => target.action(CARD_PAGE, "freezeCardAction", [{ token: one }]);
  tally.works((await press(token)).ok === true, "the freeze link");
  await db.customer.update({ where: { id: card.id }, data: { status: "active" } });
  for (const again of [token, `${token}.`, token.toUpperCase(), `${token}x`, encodeURIComponent(token)]) {
    const answer = await press(again);
    const { status } = await db.customer.findUniqueOrThrow({ where: { id: card.id } });
    tally.try(
      status === "active" && (answer.ok === false || again === token),
      `${again.slice(-4)} freezes again`,
    );
  }
}

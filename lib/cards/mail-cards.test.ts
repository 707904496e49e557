import { expect, test } from "vitest";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { runJobs } from "@/lib/testing/jobs";
import { withSecrets } from "@/lib/testing/with-secrets";
import { readCard } from "./card";
import { addCardDevice, findCardHolder } from "./card-holder";
import { askUnfreeze, freezeOwnCard } from "./freeze-card";
import { mailCardLinks, mailCards, openableCard, openCard } from "./mail-cards";

const db = await testDb();
const ctx = publicContext(db);
const call = withSecrets(ctx);

async function mailed(email: string) {
  expect(await mailCards(ctx, { email })).toEqual({ sent: true });
  await runJobs(db, { mail_cards: mailCardLinks });
}
const mailsTo = (recipient: string) => db.email.findMany({ where: { recipient }, orderBy: { id: "asc" } });
const linksIn = (text: string) => [...text.matchAll(/\/card\/open\/(\S+)/g)].map((match) => match[1] ?? "");

async function cardOf(email = uniqueEmail("lost")) {
  const shop = await makeMerchant(db);
  return { ...shop, email, customer: await makeCustomer(db, shop, { email }) };
}

test("a lost card comes by a link to its address, which opens it once on the device that asks", async () => {
  const { email, customer } = await cardOf();
  await mailed(email);
  const [mail] = await mailsTo(email);
  const [token = ""] = linksIn(mail?.text ?? "");
  expect(await openableCard({ ...ctx, actor: null }, { token })).toHaveProperty("businessName");
  // Of many clicks at once, one opens it.
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => openCard(ctx, { token })));
  const opened = tries.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(opened).toHaveLength(1);
  expect(opened[0]?.customerId).toBe(customer.id);
  expect(await findCardHolder(db, customer.id, opened[0]?.holderToken)).toMatchObject({ type: "cardHolder" });
  await expect(openableCard({ ...ctx, actor: null }, { token })).rejects.toMatchObject({ code: "link_used" });
  // The holder hears of the device, and the owner finds it in the log.
  expect((await mailsTo(email)).map(({ subject }) => subject).at(-1)).toContain("was opened on a new device");
  expect((await auditsOf(db, customer.id)).map(({ action }) => action)).toContain("customer.device");
});

test("an address with cards of two merchants gets a link to each; one without gets nothing, and the same answer", async () => {
  const { email } = await cardOf();
  await cardOf(email);
  await mailed(email);
  const [mail] = await mailsTo(email);
  expect(linksIn(mail?.text ?? "")).toHaveLength(2);
  const nobody = uniqueEmail("nobody");
  await mailed(nobody);
  expect(await mailsTo(nobody)).toEqual([]);
});

test("a link ends after half an hour, with a change of the e-mail, and with a freeze", async () => {
  for (const end of ["time", "email", "freeze"] as const) {
    const { email, customer } = await cardOf();
    await mailed(email);
    const [mail] = await mailsTo(email);
    const [token = ""] = linksIn(mail?.text ?? "");
    const later = { ...ctx, clock: () => new Date(Date.now() + (end === "time" ? 31 * 60_000 : 0)) };
    if (end === "email")
      await db.customer.update({ where: { id: customer.id }, data: { email: uniqueEmail("new") } });
    if (end === "freeze") {
      const holder = await addCardDevice(db, customer.id, new Date());
      await call(freezeOwnCard, { customerId: customer.id, holder });
    }
    await expect(openCard(later, { token }), end).rejects.toMatchObject({ code: "link_used" });
  }
});

test("an address is mailed three times an hour, and a stranger learns nothing from the fourth", async () => {
  const { email } = await cardOf();
  const nobody = uniqueEmail("nobody");
  for (const address of [email, nobody]) {
    for (let n = 0; n < 3; n++) await mailCards(ctx, { email: address });
    await expect(mailCards(ctx, { email: address })).rejects.toMatchObject({ code: "rate_limited" });
  }
});

test("the holder freezes the card on its page: every device loses it, the owner is notified, and may be asked once a day", async () => {
  const { customer, owner } = await cardOf();
  const holder = await addCardDevice(db, customer.id, new Date());
  const own = { customerId: customer.id };
  await expect(call(freezeOwnCard, { ...own, holder: "stolen" })).rejects.toMatchObject({
    code: "card_holder_required",
  });
  await expect(askUnfreeze({ ...ctx, actor: null }, own)).rejects.toMatchObject({ code: "no_change" });
  expect(await call(freezeOwnCard, { ...own, holder })).toEqual({ frozen: true, already: false });
  expect(await findCardHolder(db, customer.id, holder)).toBeNull();
  expect(await readCard({ ...ctx, actor: null }, own)).toMatchObject({ status: "frozen" });
  expect(await askUnfreeze({ ...ctx, actor: null }, own)).toEqual({ asked: true });
  await expect(askUnfreeze({ ...ctx, actor: null }, own)).rejects.toMatchObject({ code: "rate_limited" });
  const subjects = (await mailsTo(owner.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes("card"))).toHaveLength(2);
});

test("a link that is opened while the card is frozen leaves no device", async () => {
  const { email, customer } = await cardOf();
  const holder = await addCardDevice(db, customer.id, new Date());
  await mailed(email);
  const [mail] = await mailsTo(email);
  const [token = ""] = linksIn(mail?.text ?? "");
  const waiting = async () => {
    const [row] = await db.$queryRaw<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    return row?.n ?? 0;
  };
  const both = await db.$transaction(async (tx) => {
    await tx.$queryRaw`select 1 as one from card_links where customer_id = ${customer.id}::uuid for update`;
    const opening = openCard(ctx, { token });
    await expect.poll(waiting).toBe(1);
    const freezing = call(freezeOwnCard, { customerId: customer.id, holder });
    await expect.poll(waiting).toBe(2);
    return { all: Promise.allSettled([opening, freezing]) };
  });
  await both.all;
  expect(await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).toMatchObject({
    status: "frozen",
  });
  expect(await db.cardDevice.count({ where: { customerId: customer.id } })).toBe(0);
});

test("many frozen cards do not fill the owner's mailbox; each is still a notice", async () => {
  const shop = await makeMerchant(db);
  const cards = await Promise.all(
    Array.from({ length: 23 }, () => makeCustomer(db, shop, { status: "frozen" })),
  );
  await Promise.all(cards.map(({ id }) => askUnfreeze({ ...ctx, actor: null }, { customerId: id })));
  expect(await mailsTo(shop.owner.email)).toHaveLength(20);
  expect(await db.notice.count({ where: { merchantId: shop.merchant.id, kind: "unfreeze_asked" } })).toBe(23);
});

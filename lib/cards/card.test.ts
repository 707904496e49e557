import { expect, test } from "vitest";
import { redeem, reverse, topUp } from "@/lib/ledger/move-points";
import { liveCode } from "@/lib/ledger/proof";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, publicContext } from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";
import { cardLink, cardQr, readCard, readCardState } from "./card";
import { addCardDevice, setCardLocale } from "./card-holder";
import { freezeCard } from "./freeze-card";

const db = await testDb();
const ctx = publicContext(db);
const call = withSecrets(ctx);

test("the private id opens the card, and the public id does not", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const card = await call(readCard, { customerId: customer.id });
  expect(card).toMatchObject({
    publicId: customer.publicId,
    balance: 0,
    cashValue: "0.00",
    isHolder: false,
    merchant: { businessName: shop.merchant.businessName },
  });
  const unknown = { code: "customer_not_found" };
  await expect(call(readCard, { customerId: customer.publicId })).rejects.toMatchObject(unknown);
  await expect(call(readCardState, { customerId: customer.publicId })).rejects.toMatchObject(unknown);
});

test("only the holder's device sees e-mail and phone in full", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop, { email: "layla@card.test", phone: "+97455120207" });
  const { id: customerId } = customer;
  const masked = { email: "l•••@card.test", phone: "+974 •••• 0207", fullName: customer.fullName };
  expect(await call(readCard, { customerId })).toMatchObject(masked);
  expect(await call(readCard, { customerId, holder: "another" })).toMatchObject(masked);
  const other = await addCardDevice(db, (await makeCustomer(db, shop)).id, new Date());
  expect(await call(readCard, { customerId, holder: other })).toMatchObject(masked);
  const holder = await addCardDevice(db, customerId, new Date());
  const whole = { email: "layla@card.test", phone: "+97455120207" };
  expect(await call(readCard, { customerId, holder })).toMatchObject(whole);
  await db.customer.update({ where: { id: customerId }, data: { email: null, phone: null } });
  expect(await call(readCard, { customerId })).toMatchObject({ email: null, phone: null });
});

test("the card shows a top-up, and only its holder gets the live code", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const staff = contextOf(db, shop.owner);
  await topUp(staff, { customerId: customer.id, points: 350, branchId: shop.branch.id });
  const stranger = await call(readCardState, { customerId: customer.id });
  expect(stranger).toMatchObject({ balance: 350, cashValue: "350.00", status: "active", liveQr: null });
  const holder = await addCardDevice(db, customer.id, new Date());
  const at = new Date();
  const own = await withSecrets({ ...ctx, clock: () => at })(readCardState, {
    customerId: customer.id,
    holder,
  });
  expect(own.liveQr).toBe(await cardQr(customer, true, at));
  expect(cardLink(customer.publicId, liveCode(customer.id, at))).toMatch(
    new RegExp(`/topup/${customer.publicId}\\?code=\\d+\\.[\\w-]+$`),
  );
});

test("an erased card is not found, and a stranger cannot change the holder's language", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const input = { customerId: customer.id, locale: "ar" as const };
  await expect(call(setCardLocale, input)).rejects.toMatchObject({ code: "card_holder_required" });
  const holder = await addCardDevice(db, customer.id, new Date());
  await call(setCardLocale, { ...input, holder });
  expect((await call(readCard, { customerId: customer.id, holder })).locale).toBe("ar");
  const blank = { email: null, phone: null, dateOfBirth: null };
  await db.customer.update({
    where: { id: customer.id },
    data: { ...blank, status: "erased", erasedAt: new Date() },
  });
  await expect(call(readCard, { customerId: customer.id })).rejects.toMatchObject({
    code: "customer_not_found",
  });
});

test("the holder's open card shows what its live code paid, with a link that freezes the card", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const staff = contextOf(db, shop.owner);
  const input = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(staff, { ...input, points: 350 });
  const holder = await addCardDevice(db, customer.id, new Date());
  const state = (at: Date, own = true) =>
    withSecrets({ ...ctx, clock: () => at })(readCardState, {
      customerId: customer.id,
      ...(own ? { holder } : {}),
    });
  const now = new Date();
  expect((await state(now)).justPaid).toBeNull();
  const { movement } = await redeem(staff, { ...input, points: 80, proof: liveCode(customer.id, now) });
  await topUp(staff, { ...input, points: 1 });
  const { justPaid } = await state(now);
  expect(justPaid).toMatchObject({ points: 80, at: movement.createdAt });
  expect((await state(now, false)).justPaid).toBeNull();
  const later = new Date(movement.createdAt.getTime() + 6 * 60_000);
  expect((await state(later)).justPaid).toBeNull();
  await reverse(staff, { movementId: movement.id, reason: "x" });
  expect((await state(now)).justPaid).toBeNull();
  const token = justPaid?.freezeUrl.split("/card/freeze/")[1] ?? "";
  await call(freezeCard, { token });
  expect((await state(now)).status).toBe("frozen");
});

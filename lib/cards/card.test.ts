import { expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { liveCode } from "@/lib/ledger/proof";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, publicContext } from "@/lib/testing/factories";
import { provedBy } from "@/lib/testing/proved";
import { cardLink, cardQr, readCard, readCardState } from "./card";
import { addCardDevice, setCardLocale } from "./card-holder";

const db = await testDb();
const ctx = publicContext(db);
const call = provedBy(ctx);

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

test("the card shows a top-up, and only its holder gets the live code", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const staff = contextOf(db, shop.owner);
  await topUp(staff, { customerId: customer.id, points: 350, branchId: shop.branch.id });
  const stranger = await call(readCardState, { customerId: customer.id });
  expect(stranger).toMatchObject({ balance: 350, cashValue: "350.00", status: "active", liveQr: null });
  const holder = await addCardDevice(db, customer.id, new Date());
  const at = new Date();
  const own = await provedBy({ ...ctx, clock: () => at })(readCardState, { customerId: customer.id, holder });
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

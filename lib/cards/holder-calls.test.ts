import { expect, test } from "vitest";
import { addCardDevice } from "@/lib/cards/card-holder";
import { cookieLine, holderCookie } from "@/lib/secrets/cookies";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { tampered } from "@/lib/testing/with-secrets";

const balance = handlerOf("GET", "customer/{id}/balance");
const myData = handlerOf("GET", "customer/{id}/my-data");

const db = await testDb();

test("only the cookie of a card proves its holder, not a session or another card's cookie", async () => {
  const shop = await makeMerchant(db);
  const [own, other] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
  const secret = await addCardDevice(db, own.id, new Date());
  const cookieFor = (id: string, value: string) => ({
    cookie: cookieLine(holderCookie(id, value)).split(";")[0] ?? "",
  });
  const ask = (id: string, headers: Record<string, string>, token?: string) =>
    call(myData, { params: { id }, headers, ...(token ? { token } : {}) });
  const refused = { status: 403, code: "card_holder_required" };
  expect(await ask(own.id, {})).toMatchObject(refused);
  for (const wrong of ["wrong", ...tampered(secret)])
    expect(await ask(own.id, cookieFor(own.id, wrong)), wrong).toMatchObject(refused);
  // The secret of another card, under that card's cookie name and under this card's.
  expect(await ask(other.id, cookieFor(own.id, secret))).toMatchObject(refused);
  expect(await ask(other.id, cookieFor(other.id, secret))).toMatchObject(refused);
  expect(await ask(own.id, {}, await tokenOf(db, shop.owner))).toMatchObject(refused);
  const data = (await ask(own.id, cookieFor(own.id, secret))) as unknown as { customer: { id: string } };
  expect(data.customer.id).toBe(own.id);
  // The private id shows the card; only its holder also gets the live code.
  const readBalance = (headers: Record<string, string>) => call(balance, { params: { id: own.id }, headers });
  const [stranger, holder] = [await readBalance({}), await readBalance(cookieFor(own.id, secret))];
  const liveQrOf = ({ data: state }: { data: unknown }) =>
    (state as { sLiveQRCode: string | null }).sLiveQRCode;
  expect([stranger.status, holder.status]).toEqual([200, 200]);
  expect(liveQrOf(stranger)).toBeNull();
  expect(liveQrOf(holder)).toMatch(/^data:image/);
});

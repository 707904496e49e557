import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { sendCardCode } from "@/lib/cards/card-code";
import { addCardDevice } from "@/lib/cards/card-holder";
import { eraseCustomer } from "@/lib/cards/erase-card";
import { topUp } from "@/lib/ledger/move-points";
import { tokenOf } from "@/lib/testing/calls";
import { exchange, OPERATIONS } from "@/lib/testing/contract/exchange";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker, publicContext } from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";

const db = await testDb();

/** Calls of the API, checked against openapi.json. */
async function call(name: string, given: Omit<Parameters<typeof exchange>[1], "address">) {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (!operation) throw new Error(`there is no ${name}`);
  const answer = await exchange(operation, given);
  expect([name, answer.violations]).toEqual([name, []]);
  return answer;
}

const idOf = ({ body }: Awaited<ReturnType<typeof call>>): string =>
  (body?.data as { _id: string } | undefined)?._id ?? "";

async function shopWithKey() {
  const shop = await makeMerchant(db, { redeemAllowance: 5000 });
  const customer = await makeCustomer(db, shop);
  const owner = contextOf(db, shop.owner);
  await topUp(owner, { customerId: customer.id, branchId: shop.branch.id, points: 100 });
  const made = await createApiKey(owner, { name: "Web shop", scopes: ["customers.find", "redeem"] });
  const token = `Bearer ${made.secret}`;
  const keyed = () => ({ "idempotency-key": randomUUID() });
  const body = { customerId: customer.publicId, iBranchId: shop.branch.id, iPoints: 40, iSeconds: 600 };
  return { shop, customer, token, keyed, body };
}

test("a shop system holds, captures and is told why not, over the API", async () => {
  const { shop, customer, token, keyed, body } = await shopWithKey();
  expect(await call("post /holds", { token, body })).toMatchObject({ status: 400 });
  const opened = await call("post /holds", { token, body, headers: keyed() });
  expect(opened).toMatchObject({
    status: 200,
    body: { data: { eState: "open", iPoints: 40, sBalance: 100, iHeld: 40, iAvailable: 60 } },
  });
  const id = idOf(opened);
  const found = await call("post /customers/find", { token, body: { sEmail: customer.email } });
  expect(found.body?.data).toMatchObject({
    _id: customer.publicId,
    sBalance: 100,
    iHeld: 40,
    iAvailable: 60,
  });
  const params = { id };
  expect(
    await call("post /holds/{id}/capture", { token, params, body: { iPoints: 41 }, headers: keyed() }),
  ).toMatchObject({
    status: 422,
    body: { code: "hold_exceeded", data: { hold: { _id: id, iRemaining: 40 } } },
  });
  const captured = await call("post /holds/{id}/capture", {
    token,
    params,
    body: { iPoints: 25 },
    headers: keyed(),
  });
  expect(captured.body?.data).toMatchObject({
    sPoints: -25,
    sBalance: 75,
    hold: { eState: "captured", iCaptured: 25 },
  });
  const late = await call("post /holds/{id}/void", { token, params, body: {}, headers: keyed() });
  expect(late).toMatchObject({
    status: 409,
    body: { code: "hold_closed", data: { hold: { eState: "captured" } } },
  });
  const release = { token, params, body: { sProof: "1.aaaaaaaaaaaaaaaa" } };
  expect(await call("post /holds/{id}/release", release)).toMatchObject({ status: 403 });

  const worker = await tokenOf(db, await makeWorker(db, shop));
  const view = await call("get /holds/{id}", { token: worker, params });
  expect(view.body?.data).toMatchObject({
    eState: "captured",
    actor: { eType: "apiKey", sName: "Web shop" },
  });
  const list = await call("get /holds", { token: worker, query: { state: "captured" } });
  expect(list.body?.data).toMatchObject({ results: [{ _id: id }], nextCursor: null });
});

test("a lost answer of a hold is undone over the API; several with the bill number are told", async () => {
  const { token, keyed, body } = await shopWithKey();
  const headers = keyed();
  await call("post /holds", { token, body: { ...body, sSaleRef: "S-1" }, headers });
  const undo = { token, body: { sIdempotencyKey: `"${headers["idempotency-key"]}"` } };
  expect(await call("post /reversals", undo)).toMatchObject({
    status: 200,
    body: { data: { eResult: "voided", hold: { eState: "voided", eReason: "lost_answer" } } },
  });
  await call("post /holds", { token, body: { ...body, sSaleRef: "S-1" }, headers: keyed() });
  const bySale = await call("post /reversals", { token, body: { sSaleRef: "S-1", eType: "HOLD" } });
  expect(bySale).toMatchObject({
    status: 409,
    body: { code: "ambiguous", data: { aHoldIds: expect.any(Array) } },
  });
});

test("a card with an open hold is not deleted", async () => {
  const { customer, token, keyed, body } = await shopWithKey();
  const own = { customerId: customer.id, holder: await addCardDevice(db, customer.id, new Date()) };
  const holder = withSecrets(publicContext(db));
  const opened = await call("post /holds", { token, body, headers: keyed() });
  const id = idOf(opened);
  const erase = async () => {
    await holder(sendCardCode, { ...own, purpose: "erase" });
    const { text } = await db.email.findFirstOrThrow({
      where: { recipient: customer.email ?? "" },
      orderBy: { createdAt: "desc" },
    });
    await holder(eraseCustomer, { ...own, code: /\b\d{6}\b/.exec(text)?.[0] ?? "", giveUp: 100 });
  };
  await expect(erase()).rejects.toMatchObject({ code: "has_holds" });
  await call("post /holds/{id}/void", {
    token,
    params: { id },
    body: { sReason: "Layla left" },
    headers: keyed(),
  });
  await erase();
  expect(await db.hold.findUniqueOrThrow({ where: { id } })).toMatchObject({ note: null, state: "voided" });
});

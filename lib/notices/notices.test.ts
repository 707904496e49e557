import { expect, test } from "vitest";
import { freezeCard, freezeToken } from "@/lib/cards/freeze-card";
import { sendRedeemCode } from "@/lib/counter/serve-customer";
import { getDb } from "@/lib/db/client";
import { updateBusiness } from "@/lib/merchants/business";
import { changePlatform, changeSettings } from "@/lib/merchants/settings";
import { editConfig } from "@/lib/points-config/edit-config";
import { handlePostedMovements } from "@/lib/tasks/movement-posted";
import { call, tokenOf } from "@/lib/testing/calls";
import { explainStatements, testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
  publicContext,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { move } from "@/lib/testing/movements";
import { editedRules, makeHeld } from "@/lib/testing/pending";
import { noticePath } from "./model";
import { countNotices, listNotices } from "./notices";

const notices = handlerOf("GET", "notices");
const seen = handlerOf("PUT", "notices/seen");

const db = await testDb();

type Answer = {
  status: number;
  data: { results: { _id: string; eKind: string; bUnread: boolean; dCreatedAt: string }[]; iUnread: number };
};
const read = async (token: string, query = "") =>
  (await call(notices, { token, query })) as unknown as Answer;

test("only the merchant's owner is notified of a frozen card, until it was seen", async () => {
  const [shop, neighbour] = await Promise.all([makeMerchant(db), makeMerchant(db)]);
  const [owner, other, worker] = await Promise.all([
    tokenOf(db, shop.owner),
    tokenOf(db, neighbour.owner),
    tokenOf(db, await makeWorker(db, shop)),
  ]);
  const card = await makeCustomer(db, shop);
  const token = freezeToken(card.id, new Date());
  await freezeCard(publicContext(getDb()), { token });
  const { data } = await read(owner);
  expect(data).toMatchObject({
    iUnread: 1,
    results: [{ eKind: "card_frozen", bUnread: true, customer: { sFullName: card.fullName } }],
  });
  expect((await read(other)).data).toMatchObject({ iUnread: 0, results: [] });
  expect(await read(worker)).toMatchObject({ status: 403 });
  const put = { method: "PUT", token: owner, body: { dSeenTo: data.results[0]?.dCreatedAt } };
  expect(await call(seen, put)).toMatchObject({ data: { iUnread: 0 } });
  // The first notice is not unread again.
  const earlier = { ...put, body: { dSeenTo: "2020-01-01T00:00:00.000Z" } };
  expect(await call(seen, earlier)).toMatchObject({ data: { iUnread: 0 } });
  expect((await read(owner)).data.results).toMatchObject([{ bUnread: false }]);
  // A time in the future hides no later notices.
  await call(seen, { ...put, body: { dSeenTo: "2099-01-01T00:00:00.000Z" } });
  await db.notice.create({ data: { kind: "offline_inbox", merchantId: shop.merchant.id, amount: 3 } });
  expect((await read(owner)).data).toMatchObject({
    iUnread: 1,
    results: [{ iAmount: 3 }, { bUnread: false }],
  });
  await db.customer.update({
    where: { id: card.id },
    data: { status: "erased", erasedAt: new Date(), email: null, phone: null, dateOfBirth: null },
  });
  const { results } = await listNotices(contextOf(getDb(), shop.owner), { limit: 25 });
  expect(results[1]).toMatchObject({ kind: "card_frozen", customerName: null });
});

test("a large redemption is reported once, a small one not, and nobody is notified of their own", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  await move(db, shop, customer, { points: 2_000 });
  const by = async (actor: typeof worker, points: number) =>
    (await move(db, { ...shop, owner: actor }, customer, { type: "REDEEM", points })).id;
  const ids = [await by(worker, 500), await by(worker, 499), await by(shop.owner, 600)];
  for (let times = 0; times < 2; times++) await getDb().$transaction((tx) => handlePostedMovements(tx, ids));
  const ctx = contextOf(getDb(), shop.owner);
  const { results } = await listNotices(ctx, { limit: 25 });
  expect(results).toMatchObject([
    { kind: "large_redemption", recordId: ids[0], amount: 50_000, personName: "Ravi Haddad" },
  ]);
  await sendRedeemCode(contextOf(getDb(), worker), { customerId: customer.id, points: 80 });
  await sendRedeemCode(ctx, { customerId: customer.id, points: 90 });
  expect((await listNotices(ctx, { limit: 1 })).results).toMatchObject([{ kind: "code_asked", amount: 80 }]);
  expect(await countNotices(ctx, {})).toEqual({ unread: 2 });
});

test("what waits is reported to the administrators, and the bell costs one statement by an index", async () => {
  const shop = await makeMerchant(db);
  await updateBusiness(contextOf(getDb(), shop.owner), { businessName: `${shop.merchant.businessName} Two` });
  const admin = await makeAdmin(db, { role: "admin", createdAt: new Date("2020-01-01") });
  const { results } = await listNotices(contextOf(getDb(), admin), { limit: 100 });
  expect(results).toContainEqual(
    expect.objectContaining({ kind: "profile_waiting", merchantId: shop.merchant.id, unread: true }),
  );
  const explained = explainStatements(getDb());
  await countNotices(contextOf(explained.db, shop.owner), {});
  expect(explained.statements).toHaveLength(1);
});

test("the owner of a suspended merchant marks notices as seen", async () => {
  const { merchant, owner } = await makeMerchant(db, {
    suspendedAt: new Date(),
    suspensionReason: "The trade licence has expired.",
  });
  const notice = await db.notice.create({
    data: { kind: "offline_inbox", merchantId: merchant.id, amount: 3 },
  });
  const body = { dSeenTo: notice.createdAt.toISOString() };
  const token = await tokenOf(db, owner);
  expect((await read(token)).data).toMatchObject({ iUnread: 1 });
  expect(await call(seen, { method: "PUT", token, body })).toMatchObject({
    status: 200,
    data: { iUnread: 0 },
  });
});

test("a time that Postgres does not know is refused, and not a fault", async () => {
  const token = await tokenOf(db, (await makeMerchant(db)).owner);
  const put = { method: "PUT", token, body: { dSeenTo: "0000-01-01T00:00:00Z" } };
  expect(await call(seen, put)).toMatchObject({ status: 400, code: "validation" });
});

test("the notice of a change that waits leads to the page where it waits", async () => {
  const { merchantId } = await makeHeld(db);
  const [asks, reads] = [contextOf(getDb(), await makeAdmin(db)), contextOf(getDb(), await makeAdmin(db))];
  await editConfig(asks, editedRules({ merchantId, undoMinutes: 4 }));
  const { redeemAllowance } = await db.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  await changeSettings(asks, { id: merchantId, redeemAllowance: redeemAllowance + 1 });
  await editConfig(asks, editedRules({ maxBalance: 30_000 }));
  const { redeemAllowanceCeiling } = await db.platformSettings.findFirstOrThrow();
  await changePlatform(asks, { redeemAllowanceCeiling: redeemAllowanceCeiling + 1 });
  const { results } = await listNotices(reads, { limit: 4 });
  expect(results.map(noticePath)).toEqual([
    "/admin/settings",
    "/admin/points-config",
    `/admin/merchants/${merchantId}`,
    `/admin/points-config?merchantId=${merchantId}`,
  ]);
});

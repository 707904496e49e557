import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { qatarDay } from "@/lib/domain/time";
import { viewReceipt } from "@/lib/receipts/receipts";
import { ownerHome } from "@/lib/reports/owner-home";
import { testDb } from "@/lib/testing/database";
import {
  apiKeyContext,
  contextOf,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { cashOf, shopWithTill } from "@/lib/testing/shop-with-till";
import { closeShift, openShift } from "@/lib/tills/run-shifts";
import { type Outcome, type Posting, type PostingRow, postBatch, postOver } from "./batch";
import { redeem, reverse, topUp } from "./move-points";
import { movementTotals } from "./movement-totals";
import { post } from "./post";
import { filterOptions, listMovements } from "./read-movements";
import { verifyMerchant } from "./verify";

const db = await testDb();
const clients = [0, 1].map(() => new pg.Client({ connectionString: process.env.DATABASE_URL }));
await Promise.all(clients.map((client) => client.connect()));
afterAll(() => Promise.all(clients.map((client) => client.end())));
const [first, second] = clients as [pg.Client, pg.Client];

type KeyData = Parameters<typeof apiKeyContext>[2];

/** A shop with a card and an API key, and what the key posts. */
async function keyed(data: KeyData = {}) {
  const shop = await makeMerchant(db, { refundDays: 30 });
  const customer = await makeCustomer(db, shop);
  const ctx = await apiKeyContext(db, shop, data);
  const apiKey = ctx.actor.keyId;
  const row = (more: Partial<PostingRow> = {}): Posting => ({
    actorType: "api_key",
    apiKey,
    type: "TOP_UP",
    customer: customer.id,
    branch: shop.branch.id,
    scope: "merchant",
    scopeMerchant: shop.merchant.id,
    points: 10,
    key: randomUUID(),
    hash: "h",
    ...more,
  });
  const outcome = async (more: Partial<PostingRow> = {}) => (await postBatch(db, [row(more)]))[0];
  const added = async () =>
    (await db.apiKeyDay.findMany({ where: { apiKeyId: apiKey } })).reduce((sum, day) => sum + day.added, 0);
  return { shop, customer, ctx, apiKey, row, outcome, added };
}

const idOf = (outcome: Outcome | undefined) => (outcome && "movement" in outcome ? outcome.movement.id : "");
const balanceOf = async ({ id }: { id: string }) =>
  (await db.customer.findUniqueOrThrow({ where: { id }, select: { balance: true } })).balance;

test("an idempotency key is the API key's, whatever the card: 64 at once on two cards post one", async () => {
  const { shop, customer, apiKey, row } = await keyed();
  const other = await makeCustomer(db, shop);
  const cards = [customer, other];
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      postBatch(db, [row({ key: "one", customer: cards[n % 2]?.id, hash: `card ${n % 2}` })]),
    ),
  );
  const names = outcomes.flat().map(({ outcome }) => outcome);
  expect(names.filter((name) => name === "posted")).toHaveLength(1);
  expect(["in_progress", "key_reused", "posted", "replayed"]).toEqual(
    expect.arrayContaining([...new Set(names)]),
  );
  expect((await balanceOf(customer)) + (await balanceOf(other))).toBe(10);
  const again = await postBatch(
    db,
    cards.map(({ id }, n) => row({ key: "one", customer: id, hash: `card ${n}` })),
  );
  expect(again.map(({ outcome }) => outcome).sort()).toEqual(["key_reused", "replayed"]);
  expect(await db.usedKey.count({ where: { apiKeyId: apiKey } })).toBe(1);
});

test("two rows of one batch with one key post one, on one card or on two", async () => {
  const { shop, customer, row } = await keyed();
  const other = await makeCustomer(db, shop);
  for (const [cards, then] of [
    [[customer, customer], "replayed"],
    [[customer, other], "key_reused"],
  ] as const) {
    const key = randomUUID();
    const rows = cards.map(({ id }) => row({ key, customer: id, hash: id }));
    expect((await postBatch(db, rows)).map(({ outcome }) => outcome).sort()).toEqual([then, "posted"].sort());
  }
});

test("while the first request runs, its key is in progress: in this process, in another one, on any card", async () => {
  const { shop, customer, ctx, row } = await keyed();
  const other = await makeCustomer(db, shop);
  await first.query("begin");
  await postOver(first, [row({ key: "k" })], { skip: false });
  // The limit of the key's day is what the first holds up; a redemption does not ask it.
  const free = row({ customer: other.id, type: "REDEEM" });
  const rows = [row({ key: "k" }), row({ key: "k", customer: other.id, hash: "other" }), free];
  const outcomes = await postOver(second, rows, { skip: false });
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    "in_progress",
    "in_progress",
    "insufficient_balance",
  ]);
  await first.query("commit");
  expect((await postOver(second, [row({ key: "k" })], { skip: false }))[0]?.outcome).toBe("replayed");

  await first.query("begin");
  await first.query("select 1 from customers where id = $1 for update", [customer.id]);
  const at = { customerId: customer.id, branchId: shop.branch.id, idempotencyKey: "waits" };
  const both = [1, 2].map(() => topUp(ctx, { ...at, points: 5 }));
  // Either may come first; the card is held until the other one is answered.
  await expect(Promise.race(both)).rejects.toMatchObject({ code: "in_progress" });
  await first.query("commit");
  expect(await Promise.any(both)).toMatchObject({ replayed: false });
  expect((await topUp(ctx, { ...at, points: 5 })).replayed).toBe(true);
  await expect(topUp(ctx, { ...at, points: 6 })).rejects.toMatchObject({ code: "key_reused" });
});

test("a user's second request waits for the first result", async () => {
  const { shop, customer } = await keyed();
  const asked = { customerId: customer.id, branchId: shop.branch.id, points: 5, idempotencyKey: "k" };
  const owner = contextOf(db, shop.owner);
  const both = await Promise.all([topUp(owner, asked), topUp(owner, asked)]);
  expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
});

test("a repeat is answered after the key was revoked; a new request posts nothing", async () => {
  const { shop, customer, ctx, apiKey, outcome } = await keyed();
  const asked = { customerId: customer.id, branchId: shop.branch.id, points: 5, idempotencyKey: "k" };
  const { movement } = await topUp(ctx, asked);
  await db.apiKey.update({ where: { id: apiKey }, data: { revokedAt: new Date() } });
  expect(await topUp(ctx, asked)).toMatchObject({ replayed: true, movement: { id: movement.id } });
  await expect(topUp(ctx, { ...asked, idempotencyKey: "new" })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  for (const type of ["TOP_UP", "REDEEM", "BONUS"] as const) {
    expect((await outcome({ type, points: 1 }))?.outcome).toBe("key_revoked");
  }
  expect(await balanceOf(customer)).toBe(5);
});

test("the most of one posting bounds top-ups, bonus and redemptions", async () => {
  const { outcome } = await keyed({ maxPointsOne: 30 });
  for (const type of ["TOP_UP", "BONUS"] as const) {
    expect(await outcome({ type, points: 31 })).toMatchObject({ outcome: "key_limit", limit: 30 });
    expect((await outcome({ type, points: 30 }))?.outcome).toBe("posted");
  }
  expect(await outcome({ type: "REDEEM", points: 31 })).toMatchObject({ outcome: "key_limit", limit: 30 });
  expect((await outcome({ type: "REDEEM", points: 30 }))?.outcome).toBe("posted");
});

test("the limit of a day spans cards, bonus and 64 requests at once; a reversal gives its part back", async () => {
  const { shop, ctx, row, outcome, added } = await keyed({ maxPointsDay: 100 });
  const cards = await Promise.all(Array.from({ length: 8 }, () => makeCustomer(db, shop)));
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      post(db, row({ customer: cards[n % 8]?.id, type: n % 2 ? "BONUS" : "TOP_UP" })),
    ),
  );
  expect(outcomes.filter((one) => one.outcome === "posted")).toHaveLength(10);
  expect(outcomes.find((one) => one.outcome !== "posted")).toMatchObject({
    outcome: "key_limit",
    limit: 100,
  });
  expect(await added()).toBe(100);
  expect((await outcome({ type: "REDEEM", points: 1 }))?.outcome).toBe("insufficient_balance");
  // Of a card that has spent nothing.
  const movementId = idOf(outcomes.find((one, n) => n % 8 !== 0 && one.outcome === "posted"));
  await reverse(contextOf(db, shop.owner), { movementId, reason: "Wrong" });
  expect(await added()).toBe(90);
  expect((await outcome({ points: 11 }))?.outcome).toBe("key_limit");
  expect((await outcome({ points: 10 }))?.outcome).toBe("posted");
  expect(await db.apiKeyDay.findMany({ where: { apiKeyId: ctx.actor.keyId } })).toMatchObject([
    { day: new Date(qatarDay(new Date())) },
  ]);
});

test("without a limit of its own a key adds 20,000 points a day", async () => {
  const { shop, row } = await keyed();
  const cards = await Promise.all(Array.from({ length: 5 }, () => makeCustomer(db, shop)));
  const rows = cards.map(({ id }, n) => row({ customer: id, points: n < 4 ? 5000 : 1 }));
  const refused = (await postBatch(db, rows)).filter((one) => one.outcome !== "posted");
  expect(refused).toMatchObject([{ outcome: "key_limit", limit: 20_000 }]);
});

test("a card that staff hold takes redemptions only, unless the owner allows more", async () => {
  for (const staffCards of [false, true]) {
    const { shop, ctx, outcome, row } = await keyed({ staffCards });
    const worker = await makeWorker(db, shop);
    const card = await makeCustomer(db, shop, { phone: worker.phone });
    const at = { customerId: card.id, branchId: shop.branch.id };
    await topUp(contextOf(db, shop.owner), { ...at, points: 50 });
    const expected = staffCards ? "posted" : "own_card";
    expect((await outcome({ customer: card.id }))?.outcome).toBe(expected);
    expect((await outcome({ customer: card.id, type: "BONUS" }))?.outcome).toBe(expected);
    const { movement } = await redeem(ctx, { ...at, points: 20, idempotencyKey: "spent" });
    const back = { customer: undefined, branch: undefined, points: undefined, refunds: movement.id };
    expect((await postBatch(db, [row({ ...back, type: "REFUND", reason: "Returned" })]))[0]?.outcome).toBe(
      expected,
    );
    const marked = await listMovements(contextOf(db, shop.owner), { staffCards: "true", type: "REDEEM" });
    expect(marked.results.map(({ id }) => id)).toEqual([movement.id]);
  }
});

test("a key of one branch posts at no other, and a key of another merchant finds nothing", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const elsewhere = await makeBranch(db, shop);
  const { actor } = await apiKeyContext(db, shop, { branchId: elsewhere.id });
  const { actor: stranger } = await apiKeyContext(db, await makeMerchant(db));
  const row = (apiKey: string, branch: string): Posting => ({
    ...{ actorType: "api_key", apiKey, type: "TOP_UP", customer: customer.id, branch, points: 5 },
    ...{ scope: "merchant", scopeMerchant: shop.merchant.id, key: randomUUID(), hash: "h" },
  });
  const outcomes = await postBatch(db, [
    row(actor.keyId, shop.branch.id),
    row(actor.keyId, elsewhere.id),
    row(stranger.keyId, elsewhere.id),
    row(randomUUID(), elsewhere.id),
  ]);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    "branch_mismatch",
    "posted",
    "not_found",
    "not_found",
  ]);
});

test("its name stands in the movement, as it was, at no till; the ledger verifies", async () => {
  const { shop, ctx, apiKey, outcome } = await keyed();
  const made = await outcome();
  await outcome({ type: "REDEEM", points: 4 });
  await db.apiKey.update({ where: { id: apiKey }, data: { name: "New name" } });
  const owner = contextOf(db, shop.owner);
  const { results } = await listMovements(owner, {});
  expect(results.map(({ actor, till }) => ({ actor, till }))).toEqual(
    [1, 2].map(() => ({ actor: { type: "apiKey", id: null, name: ctx.actor.name }, till: null })),
  );
  expect(made).toMatchObject({ movement: { actor: { type: "apiKey", name: ctx.actor.name } } });
  const { keyId: another } = (await apiKeyContext(db, shop)).actor;
  for (const [keyId, count, net] of [
    [apiKey, 2, 6],
    [another, 0, 0],
  ] as const) {
    expect((await listMovements(owner, { keyId })).results).toHaveLength(count);
    expect(await movementTotals(owner, { keyId })).toMatchObject({ count, net });
    // The log offers the key as a filter, also once it is revoked.
    expect((await filterOptions(owner, {})).keys).toContainEqual(expect.objectContaining({ id: keyId }));
  }
  expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toBeNull();
});

test("a key counts in no drawer: the cash that it takes is in the shop's report and in no till's shift", async () => {
  const { shop, at, place, ctx } = await shopWithTill(db);
  const key = await apiKeyContext(db, shop);
  const { id } = await openShift(ctx, { tillId: at.till.id, float: 10_000 });
  await topUp(ctx, { ...place, points: 30 });
  const { movement } = await topUp(key, {
    ...place,
    points: 70,
    tender: "cash",
    idempotencyKey: randomUUID(),
  });
  const closed = await closeShift(ctx, { id, counted: { cash: 13_000 } });
  expect(cashOf(closed)).toMatchObject({ expected: 13_000, counted: 13_000, difference: 0 });
  const owner = contextOf(db, shop.owner);
  expect((await ownerHome(owner, { period: "today" })).now).toMatchObject({ taken: 10_000, cash: 10_000 });
  const receipt = await viewReceipt(owner, { movementId: movement.id });
  expect(JSON.stringify(receipt)).toContain(key.actor.name);
});

test("the largest limit of a day that a key can have is a limit, too", async () => {
  const most = 2_147_483_647;
  const { shop, outcome, added } = await keyed({ maxPointsDay: most });
  const points = 1_000_000_000;
  const rules = {
    version: 1,
    dirhamsPerPoint: 1,
    minTopUp: 1,
    maxTopUp: points,
    maxBalance: points,
    undoMinutes: 15,
  };
  await db.pointsConfig.create({ data: { merchantId: shop.merchant.id, ...rules } });
  const names: unknown[] = [];
  for (let n = 0; n < 3; n++) {
    const customer = (await makeCustomer(db, shop)).id;
    const { outcome: name, ...more } = (await outcome({ customer, points })) ?? { outcome: null };
    names.push([name, "limit" in more ? more.limit : null]);
  }
  expect(names).toEqual([
    ["posted", null],
    ["posted", null],
    ["key_limit", most],
  ]);
  expect(await added()).toBe(2 * points);
});

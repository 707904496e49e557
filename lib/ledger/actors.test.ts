import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { qatarDay } from "@/lib/domain/time";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import {
  apiKeyContext,
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { type Posting, type PostingRow, postBatch } from "./batch";
import { reverse, topUp } from "./move-points";
import { movementTotals } from "./movement-totals";
import { listMovements, statement, viewMovement } from "./read-movements";

const db = await testDb();

/** A card with 80 points, its merchant, and what its holder posts to give some up. */
async function heldCard() {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, shop.owner);
  await topUp(ctx, { customerId: customer.id, branchId: shop.branch.id, points: 80 });
  const giveUp = (points: number, more: Partial<PostingRow> = {}): Posting => ({
    actorType: "card_holder",
    type: "ADJUSTMENT",
    customer: customer.id,
    scope: "merchant",
    scopeMerchant: shop.merchant.id,
    points: -points,
    key: randomUUID(),
    hash: `give up ${points}`,
    ...more,
  });
  return { shop, customer, ctx, giveUp };
}

const balanceOf = async ({ id }: { id: string }) =>
  (await db.customer.findUniqueOrThrow({ where: { id }, select: { balance: true } })).balance;

test("a card holder posts at no branch, and every reader of the log sees it", async () => {
  const { shop, customer, ctx, giveUp } = await heldCard();
  const [posted] = await postBatch(db, [giveUp(30)]);
  expect(posted).toMatchObject({
    outcome: "posted",
    movement: { points: -30, balanceAfter: 50, branch: null, actor: { type: "cardHolder", id: null } },
  });
  const shown = { points: -30, branch: null, actor: { type: "cardHolder", id: null, name: null } };
  const { results } = await listMovements(ctx, {});
  expect(results).toHaveLength(2);
  expect(results[0]).toMatchObject(shown);
  expect(results[1]).toMatchObject({
    branch: { id: shop.branch.id },
    actor: { type: "user", id: shop.owner.id },
  });
  const everything = await listMovements(contextOf(db, await makeAdmin(db)), {
    merchantId: shop.merchant.id,
  });
  expect(everything.results).toEqual(results.map((one) => ({ ...one, undoUntil: null })));
  expect(await viewMovement(ctx, { movementId: results[0]?.id ?? "" })).toMatchObject(shown);
  expect((await statement(ctx, { customerId: customer.id })).results[0]).toMatchObject(shown);
  const ofBranch = await listMovements(ctx, { branchId: shop.branch.id });
  expect(ofBranch.results).toHaveLength(1);
  const worker = contextOf(db, await makeWorker(db, shop));
  expect((await listMovements(worker, {})).results).toEqual([]);
  expect(await movementTotals(ctx, {})).toMatchObject({ count: 2, net: 50 });
});

test("sums of the days gone by hold what moved at no branch, also when the job runs again", async () => {
  const { shop, ctx, giveUp } = await heldCard();
  // Another card: time never runs back on one that was served today.
  const customer = await makeCustomer(db, shop);
  const at = new Date(Date.now() - 3 * 86_400_000);
  const gone = { at, customer: customer.id };
  const add: Posting = {
    type: "TOP_UP",
    customer: customer.id,
    branch: shop.branch.id,
    actor: shop.owner.id,
    scope: "any",
    points: 40,
    key: randomUUID(),
    hash: "h",
    at,
  };
  await postBatch(db, [add, giveUp(10, gone), giveUp(5, gone)]);
  await waitForOpenTransactions(db);
  for (let turn = 0; turn < 2; turn++) await fillDailySums(db);
  const sums = await db.dailySum.findMany({
    where: { merchantId: shop.merchant.id, day: new Date(qatarDay(at)) },
    select: { branchId: true, type: true, movements: true, points: true },
    orderBy: { type: "asc" },
  });
  expect(sums).toEqual([
    { branchId: shop.branch.id, type: "TOP_UP", movements: 1, points: 40n },
    { branchId: null, type: "ADJUSTMENT", movements: 2, points: -15n },
  ]);
  expect(await movementTotals(ctx, {})).toMatchObject({ count: 4, toppedUp: 120, redeemed: 0, net: 105 });
});

test("of many give-ups of the whole balance at once one is posted, and a repeat answers the first", async () => {
  const { customer, giveUp } = await heldCard();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => postBatch(db, [giveUp(80)])));
  const names = outcomes.flat().map(({ outcome }) => outcome);
  expect(names.filter((name) => name === "posted")).toHaveLength(1);
  expect(new Set(names)).toEqual(new Set(["posted", "insufficient_balance"]));
  expect(await balanceOf(customer)).toBe(0);
});

test("a key without a user is the customer's: the same request is posted once, another one is refused", async () => {
  const { customer, giveUp } = await heldCard();
  const key = "one key";
  const same = await Promise.all(Array.from({ length: 20 }, () => postBatch(db, [giveUp(10, { key })])));
  const names = same.flat().map(({ outcome }) => outcome);
  expect(names.filter((name) => name === "posted")).toHaveLength(1);
  expect(names.filter((name) => name === "replayed")).toHaveLength(19);
  const [other] = await postBatch(db, [giveUp(20, { key })]);
  expect(other?.outcome).toBe("key_reused");
  expect(await balanceOf(customer)).toBe(70);
  // Another customer's holder may use the same key.
  const next = await heldCard();
  expect((await postBatch(db, [next.giveUp(10, { key })]))[0]?.outcome).toBe("posted");
});

test("an API key posts at a branch of its merchant only, and never gets what another one posted", async () => {
  const { shop, customer } = await heldCard();
  const other = await makeMerchant(db);
  const row = (more: Partial<PostingRow> = {}, apiKey: string = mine): Posting => ({
    actorType: "api_key",
    apiKey,
    type: "TOP_UP",
    customer: customer.id,
    branch: shop.branch.id,
    scope: "merchant",
    scopeMerchant: shop.merchant.id,
    points: 10,
    key: "k",
    hash: "h",
    ...more,
  });
  const { keyId: mine } = (await apiKeyContext(db, shop)).actor;
  const { keyId: another } = (await apiKeyContext(db, shop)).actor;
  const outcomeOf = async (posting: Posting) => (await postBatch(db, [posting]))[0]?.outcome;
  expect(await outcomeOf(row({ branch: undefined }))).toBe("branch_mismatch");
  expect(await outcomeOf(row({ branch: other.branch.id }))).toBe("branch_mismatch");
  expect(await outcomeOf(row({ scopeMerchant: other.merchant.id }))).toBe("not_found");
  expect(await outcomeOf(row())).toBe("posted");
  expect(await outcomeOf(row())).toBe("replayed");
  // Another record has its own keys.
  expect(await outcomeOf(row({}, another))).toBe("posted");
  const [posted] = await db.movement.findMany({ where: { customerId: customer.id, apiKeyId: mine } });
  expect(posted).toMatchObject({ actorType: "api_key", actorId: null, branchId: shop.branch.id });
  const { results } = await listMovements(contextOf(db, shop.owner), { customerId: customer.id });
  expect(results[0]).toMatchObject({ actor: { type: "apiKey", id: null } });
});

test("the system may post at no branch; a card holder never stands at one", async () => {
  const { shop, customer, ctx, giveUp } = await heldCard();
  const [atBranch] = await postBatch(db, [giveUp(5, { branch: shop.branch.id })]);
  expect(atBranch?.outcome).toBe("branch_mismatch");
  const system: Posting = { ...giveUp(5), actorType: "system", actor: undefined, apiKey: undefined };
  const [posted] = await postBatch(db, [system]);
  expect(posted).toMatchObject({
    outcome: "posted",
    movement: { branch: null, actor: { type: "system", id: null } },
  });
  // A user stands at a branch, so what was posted at none is not theirs to reverse.
  const movementId = posted && "movement" in posted ? posted.movement.id : "";
  await expect(reverse(ctx, { movementId, reason: "Wrong amount" })).rejects.toMatchObject({
    code: "not_reversible",
  });
  expect(await balanceOf(customer)).toBe(75);
});

test("the database itself holds what each kind of actor needs", async () => {
  const { shop, customer } = await heldCard();
  const insert = (type: string, ids: { actor?: string; key?: string; branch?: string }) =>
    db.$transaction([
      db.$executeRaw`select set_config('wallet.posting', 'on', true)`,
      db.$executeRaw`
        insert into movements (customer_id, merchant_id, actor_type, actor_id, api_key_id, branch_id, type, points,
          paid_points, balance_after, rate, balance_rate, seq, idempotency_key, request_hash, occurred_at)
        values (${customer.id}::uuid, ${shop.merchant.id}::uuid, ${type}::"ActorType", ${ids.actor ?? null}::uuid,
          ${ids.key ?? null}::uuid, ${ids.branch ?? null}::uuid, 'ADJUSTMENT', 1, 1, 81, 100, 100, 2, ${randomUUID()}, 'h', now())`,
    ]);
  const [actor, branch, key] = [shop.owner.id, shop.branch.id, randomUUID()];
  const wrong: [string, { actor?: string; key?: string; branch?: string }][] = [
    ["user", { branch }],
    ["user", { actor }],
    ["user", { actor, branch, key }],
    ["api_key", { key }],
    ["api_key", { branch }],
    ["api_key", { key, branch, actor }],
    ["card_holder", { branch }],
    ["card_holder", { actor }],
    ["card_holder", { key }],
    ["system", { actor, branch }],
    ["system", { key }],
  ];
  for (const [type, ids] of wrong) {
    await expect(insert(type, ids), JSON.stringify([type, ids])).rejects.toThrow(/movements_actor/);
  }
});

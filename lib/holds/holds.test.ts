import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { revokeApiKey } from "@/lib/api-keys/api-keys";
import { sendRedeemCode, viewCustomer } from "@/lib/counter/serve-customer";
import type { Context } from "@/lib/db/context";
import type { StaffActor } from "@/lib/domain/actor";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { giveBonus, redeem, reverse, topUp } from "@/lib/ledger/move-points";
import { liveCode } from "@/lib/ledger/proof";
import { verifyMerchant } from "@/lib/ledger/verify";
import { suspendMerchant } from "@/lib/merchants/decide-merchant";
import { handlePostedMovements } from "@/lib/tasks/movement-posted";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { endLots } from "@/lib/testing/end-lots";
import {
  apiKeyContext,
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postRow } from "@/lib/testing/post-rows";
import { eventSchema } from "@/lib/webhooks/names";
import { eventBodies } from "@/lib/webhooks/read-events";
import {
  alertHeld,
  captureHold,
  extendHold,
  listHolds,
  openHold,
  readHold,
  releaseHold,
  voidHold,
} from "./holds";
import { reverseLost } from "./reverse-lost";

const db = await testDb();

const code = (name: string, more: object = {}) =>
  expect.objectContaining({ name: "DomainError", code: name, ...more });

/** A shop with an API key and a card of 100 points; a hold of 40 for ten minutes unless the test says otherwise. */
async function till(shopData: object = {}, keyData: object = {}) {
  const shop = await makeMerchant(db, { redeemAllowance: 5000, ...shopData });
  const customer = await makeCustomer(db, shop);
  const key = await apiKeyContext(db, shop, keyData);
  const owner = contextOf(db, shop.owner);
  const worker = contextOf(db, await makeWorker(db, shop));
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(owner, { ...at, points: 100 });
  const open = (more: object = {}, ctx: Context<StaffActor> = key) =>
    openHold(ctx, { ...at, points: 40, seconds: 600, idempotencyKey: randomUUID(), ...more });
  const take = (holdId: string, more: object = {}, ctx: Context<StaffActor> = key) =>
    captureHold(ctx, { holdId, idempotencyKey: randomUUID(), ...more });
  const drop = (holdId: string, more: object = {}, ctx: Context<StaffActor> = key) =>
    voidHold(ctx, { holdId, idempotencyKey: randomUUID(), ...more });
  const card = () =>
    db.customer.findUniqueOrThrow({
      where: { id: customer.id },
      select: { balance: true, held: true, bonus: true, unproved: true },
    });
  /** As if the hold's time were over. */
  const lapse = (holdId: string) =>
    db.$transaction([
      db.$executeRaw`set local wallet.posting = 'on'`,
      db.$executeRaw`update holds set expires_at = now() - interval '1 second' where id = ${holdId}::uuid`,
    ]);
  return { shop, customer, key, owner, worker, at, open, take, drop, card, lapse };
}

test("a hold reserves points, and its capture redeems them; the rest is free", async () => {
  const { open, take, card, shop, key } = await till();
  const { hold, balance, held } = await open({ saleRef: "B-1" });
  expect({ balance, held }).toEqual({ balance: 100, held: 40 });
  expect(hold).toMatchObject({
    state: "open",
    points: 40,
    captured: 0,
    remaining: 40,
    drawn: { paid: 40, bonus: 0 },
  });
  expect(hold.expiresAt.getTime() - hold.createdAt.getTime()).toBe(600_000);
  expect(await card()).toMatchObject({ balance: 100, held: 40 });
  const first = await take(hold.id, { points: 10, final: false });
  expect(first).toMatchObject({
    movement: { type: "REDEEM", points: -10, balanceAfter: 90, saleRef: "B-1" },
    held: 30,
    hold: { state: "open", captured: 10, remaining: 30 },
  });
  expect(await take(hold.id, { points: 15 })).toMatchObject({
    movement: { points: -15, balanceAfter: 75 },
    held: 0,
    hold: { state: "captured", captured: 25, remaining: 0, closedAt: expect.any(Date) },
  });
  expect(await card()).toMatchObject({ balance: 75, held: 0 });
  expect(await readHold(key, { holdId: hold.id })).toMatchObject({ state: "captured", captured: 25 });
  expect(await db.movement.count({ where: { holdId: hold.id } })).toBe(2);
  expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toBeNull();
});

test("a card of the past shows what was reserved then", async () => {
  const { open, take, customer, owner } = await till();
  const at = async () => {
    const [row] = await db.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
    // The next call is of another millisecond.
    await db.$queryRaw`select pg_sleep(0.005)::text`;
    return row?.now ?? new Date(0);
  };
  const before = await at();
  const { hold } = await open();
  const opened = await at();
  await take(hold.id, { points: 15, final: false });
  const partly = await at();
  await open({ points: 5 });
  const both = await at();
  await take(hold.id);
  const taken = await at();
  const seen = await Promise.all(
    [before, opened, partly, both, taken].map((moment) =>
      viewCustomer(owner, { customerId: customer.id, at: moment.toISOString() }),
    ),
  );
  expect(seen.map(({ balance, held }) => [balance, held])).toEqual([
    [100, 0],
    [100, 40],
    [85, 25],
    [85, 30],
    [60, 5],
  ]);
});

test("a card of the past shows a bonus that ended while it was held", async () => {
  const { take, open, customer, owner, at, shop } = await till();
  const held = await giveBonus(owner, { ...at, points: 12, reason: "Eid", endsOn: "2099-12-31" }).then(() =>
    open({ points: 12 }),
  );
  await take(held.hold.id, { points: 3, final: false });
  await endLots(db, customer.id);
  const figures = async (more: object = {}) => {
    const card = await viewCustomer(owner, { customerId: customer.id, ...more });
    return { balance: card.balance, held: card.held, pockets: card.pockets };
  };
  const seenAt = async () => {
    const [row] = await db.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
    await db.$queryRaw`select pg_sleep(0.005)::text`;
    return (row?.now ?? new Date(0)).toISOString();
  };
  const first = await seenAt();
  expect(await figures()).toEqual({
    balance: 109,
    held: 9,
    pockets: { paid: 100, bonus: 9, endsNext: null },
  });
  expect(await figures({ at: first })).toEqual(await figures());
  // A hold whose end comes while the merchant is suspended counts as open, then and later.
  const admin = contextOf(db, await makeAdmin(db));
  await suspendMerchant(admin, { id: shop.merchant.id, suspended: true, reason: "x" });
  await db.$transaction([
    db.$executeRaw`set local wallet.posting = 'on'`,
    db.$executeRaw`update holds set expires_at = clock_timestamp() where id = ${held.hold.id}::uuid`,
  ]);
  await db.$queryRaw`select pg_sleep(0.005)::text`;
  const second = await seenAt();
  expect(await figures()).toMatchObject({ balance: 109, held: 9 });
  expect(await figures({ at: second })).toEqual(await figures());
});

test("every other debit uses only what is not held", async () => {
  const { open, owner, key, at, card } = await till();
  const { hold } = await open();
  await expect(redeem(owner, { ...at, points: 61 })).rejects.toEqual(code("insufficient_balance"));
  await expect(open({ points: 61 })).rejects.toEqual(code("insufficient_balance"));
  expect(await redeem(owner, { ...at, points: 60 })).toMatchObject({
    held: 40,
    movement: { balanceAfter: 40 },
  });
  await expect(open({ points: 1, upTo: true })).rejects.toEqual(code("insufficient_balance"));
  const { movement } = await topUp(owner, { ...at, points: 10 });
  expect(await open({ points: 50, upTo: true }, key)).toMatchObject({ hold: { points: 10 } });
  const refused = await reverse(owner, { movementId: movement.id, reason: "x" }).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ code: "already_spent", hold: { state: "open", points: 10 } });
  expect(await card()).toMatchObject({ balance: 50, held: 50 });
  expect(hold.id).toEqual(expect.any(String));
});

test("bonus and paid points are held in the spend order, lot by lot, and a capture takes the hold's own lots", async () => {
  const { open, take, shop, customer, at, owner, card } = await till();
  const day = 86_400_000;
  for (const [points, days] of [
    [30, 5],
    [20, 2],
  ] as const) {
    await postRow(db, shop, {
      type: "BONUS",
      customer: customer.id,
      points,
      reason: "x",
      ends_at: new Date(Date.now() + days * day),
    });
  }
  const { hold } = await open({ points: 60 });
  expect(hold.drawn).toEqual({ paid: 10, bonus: 50 });
  expect(
    await db.lot.findMany({
      where: { customerId: customer.id },
      orderBy: { points: "desc" },
      select: { remaining: true, held: true },
    }),
  ).toEqual([
    { remaining: 30, held: 30 },
    { remaining: 20, held: 20 },
  ]);
  expect(await redeem(owner, { ...at, points: 90 })).toMatchObject({
    movement: { paidPoints: -90, bonusPoints: 0 },
  });
  expect(await take(hold.id, { points: 25, final: false })).toMatchObject({
    movement: { paidPoints: 0, bonusPoints: -25 },
  });
  expect(await take(hold.id)).toMatchObject({ movement: { paidPoints: -10, bonusPoints: -25 } });
  expect(await card()).toMatchObject({ balance: 0, held: 0, bonus: 0 });
  expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toBeNull();
});

test("a hold whose time is over is free in every statement, without a job", async () => {
  const { open, take, drop, lapse, owner, key, at, card, shop, customer } = await till();
  const { hold } = await open({ points: 80 });
  await lapse(hold.id);
  expect(await readHold(key, { holdId: hold.id })).toMatchObject({ state: "lapsed", remaining: 0 });
  expect((await listHolds(key, { state: "lapsed" })).results).toHaveLength(1);
  expect((await listHolds(key, { state: "open" })).results).toHaveLength(0);
  const refused = await take(hold.id).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "hold_closed", hold: { id: hold.id, state: "lapsed" } });
  await expect(drop(hold.id)).rejects.toEqual(code("hold_closed"));
  const next = await open({ points: 80 });
  await lapse(next.hold.id);
  expect(await redeem(owner, { ...at, points: 100 })).toMatchObject({
    held: 0,
    movement: { balanceAfter: 0 },
  });
  expect(await card()).toMatchObject({ balance: 0, held: 0 });
  expect((await auditsOf(db, customer.id)).filter(({ action }) => action === "hold.lapsed")).toHaveLength(2);
  expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toBeNull();
});

test("a bonus that ended while it was held is captured, or expires when the hold ends", async () => {
  for (const end of ["capture", "void", "lapse"] as const) {
    const { open, take, drop, lapse, customer, shop, card, at, owner } = await till();
    const ends_at = new Date(Date.now() + 86_400_000);
    await postRow(db, shop, { type: "BONUS", customer: customer.id, points: 50, reason: "x", ends_at });
    const { hold } = await open({ points: 30 });
    await endLots(db, customer.id);
    await topUp(owner, { ...at, points: 1 });
    // What no hold reserves has expired.
    expect(await card()).toMatchObject({ balance: 131, bonus: 30, held: 30 });
    if (end === "capture") await take(hold.id, { points: 10 });
    if (end === "void") await drop(hold.id);
    if (end === "lapse") {
      await lapse(hold.id);
      await topUp(owner, { ...at, points: 1 });
    }
    expect(await card()).toMatchObject({ balance: end === "lapse" ? 102 : 101, bonus: 0, held: 0 });
    const expired = await db.movement.aggregate({
      where: { customerId: customer.id, type: "EXPIRY" },
      _sum: { points: true },
    });
    expect(expired._sum.points).toBe(end === "capture" ? -40 : -50);
    expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toBeNull();
  }
});

test("a hold without confirmation counts in the limits of its day, and gives back what is not captured", async () => {
  const { open, take, drop, card, worker, at, lapse } = await till({
    redeemAllowance: 50,
    unprovedWorkerDaily: 45,
  });
  const { hold } = await open();
  await expect(open({ points: 11 })).rejects.toEqual(code("proof_required"));
  await take(hold.id, { points: 25 });
  expect(await card()).toMatchObject({ unproved: 25 });
  const second = await open({ points: 25 });
  await drop(second.hold.id);
  expect(await card()).toMatchObject({ unproved: 25 });
  const third = await open({ points: 25 }, worker);
  await lapse(third.hold.id);
  // The worker's day has it back too.
  await redeem(worker, { ...at, points: 25 });
  expect(await card()).toMatchObject({ unproved: 50 });
});

test("a reversed capture gives the limit back to the day of its hold", async () => {
  const { open, take, card, owner, worker } = await till({ redeemAllowance: 50, unprovedWorkerDaily: 45 });
  const { hold } = await open({}, worker);
  const { movement } = await take(hold.id, {}, worker);
  expect(await card()).toMatchObject({ unproved: 40, held: 0, balance: 60 });
  await reverse(owner, { movementId: movement.id, reason: "x" });
  expect(await card()).toMatchObject({ unproved: 0, balance: 100 });
  const [day] = await db.workerDay.findMany({ where: { userId: worker.actor.userId } });
  expect(day?.unproved).toBe(0);
});

test("a confirmation is judged for the whole amount, spent by the hold, and asked of no capture", async () => {
  const { open, take, customer } = await till({ redeemAllowance: 10 });
  await expect(open()).rejects.toEqual(code("proof_required"));
  await expect(open({ points: 101, proof: "nonsense" })).rejects.toEqual(code("insufficient_balance"));
  await expect(open({ proof: "nonsense" })).rejects.toEqual(code("proof_invalid"));
  const proof = liveCode(customer.id, new Date());
  const { hold } = await open({ proof });
  await expect(open({ proof })).rejects.toEqual(code("proof_invalid"));
  const { movement } = await take(hold.id);
  expect(await db.movement.findUniqueOrThrow({ where: { id: movement.id } })).toMatchObject({
    proof: "live_code",
  });
});

test("states: what repeats is answered, what the state does not allow is 409", async () => {
  const { open, take, drop, key } = await till();
  const asked = { seconds: 300, idempotencyKey: randomUUID() };
  const { hold } = await open();
  const extended = await extendHold(key, { holdId: hold.id, ...asked });
  expect(extended.hold.extended).toBe(true);
  expect(extended.hold.expiresAt.getTime()).toBeLessThan(hold.expiresAt.getTime());
  expect(await extendHold(key, { holdId: hold.id, ...asked })).toMatchObject({ replayed: true });
  await expect(
    extendHold(key, { holdId: hold.id, seconds: 60, idempotencyKey: randomUUID() }),
  ).rejects.toEqual(code("hold_extended"));
  for (const points of [41, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    await expect(take(hold.id, { points })).rejects.toEqual(code("hold_exceeded"));
  }
  const once = { idempotencyKey: randomUUID() };
  const captured = await take(hold.id, once);
  expect(await take(hold.id, once)).toMatchObject({ replayed: true, movement: { id: captured.movement.id } });
  expect(await take(hold.id)).toMatchObject({ replayed: true, movement: { id: captured.movement.id } });
  expect(await take(hold.id, { points: 40 })).toMatchObject({ movement: { id: captured.movement.id } });
  await expect(take(hold.id, { points: 1 })).rejects.toEqual(code("hold_closed"));
  await expect(take(hold.id, { ...once, points: 1 })).rejects.toEqual(code("key_reused"));
  await expect(drop(hold.id)).rejects.toEqual(code("hold_closed"));

  const other = await open({ points: 30 });
  const [one, two] = [await drop(other.hold.id, { note: "left" }), await drop(other.hold.id)];
  expect(one.hold).toMatchObject({ state: "voided", note: "left" });
  expect(two.hold).toEqual(one.hold);
  await expect(take(other.hold.id)).rejects.toEqual(code("hold_closed"));
});

test("the same Idempotency-Key answers the same hold; another body is refused", async () => {
  const { open, card } = await till();
  const idempotencyKey = randomUUID();
  const first = await open({ idempotencyKey });
  const again = await open({ idempotencyKey });
  expect(again).toMatchObject({ replayed: true, hold: { id: first.hold.id } });
  await expect(open({ idempotencyKey, points: 41 })).rejects.toEqual(code("key_reused"));
  expect(await card()).toMatchObject({ held: 40 });
});

test("a repeat after a hold's time is over says that nothing is held, though nothing has ended it", async () => {
  const { open, take, lapse, owner, at } = await till();
  const once = { idempotencyKey: randomUUID() };
  const { hold } = await open(once);
  const part = { points: 10, final: false, idempotencyKey: randomUUID() };
  await take(hold.id, part);
  const paid = { ...at, points: 5, idempotencyKey: randomUUID() };
  expect(await topUp(owner, paid)).toMatchObject({ held: 30 });
  await lapse(hold.id);
  expect(await open(once)).toMatchObject({ replayed: true, held: 0, balance: 95, hold: { state: "lapsed" } });
  expect(await take(hold.id, part)).toMatchObject({ replayed: true, held: 0, hold: { state: "lapsed" } });
  expect(await topUp(owner, paid)).toMatchObject({ replayed: true, held: 0 });
});

test("a mailed code for what is available confirms a hold of up to more, and never more than its own amount", async () => {
  const { open, owner, at, card, customer } = await till({ redeemAllowance: 0 });
  const mailed = async (points: number) => {
    await sendRedeemCode(owner, { customerId: customer.id, points });
    const { text } = await db.email.findFirstOrThrow({
      where: { recipient: customer.email ?? "" },
      orderBy: { createdAt: "desc" },
    });
    return /\b\d{6}\b/.exec(text)?.[0];
  };
  const less = await mailed(99);
  await expect(open({ points: 150, upTo: true, proof: less })).rejects.toEqual(code("proof_amount"));
  const proof = await mailed(100);
  await expect(open({ points: 150, proof })).rejects.toEqual(code("proof_amount"));
  await topUp(owner, { ...at, points: 1 });
  await expect(open({ points: 150, upTo: true, proof })).rejects.toEqual(code("proof_amount"));
  await redeem(owner, { ...at, points: 1, proof: liveCode(customer.id, new Date()) });
  const once = { points: 150, upTo: true, proof, idempotencyKey: randomUUID() };
  expect(await open(once)).toMatchObject({ hold: { points: 100 }, held: 100 });
  expect(await open(once)).toMatchObject({ replayed: true, hold: { points: 100 } });
  expect(await card()).toMatchObject({ balance: 100, held: 100 });
});

test("64 captures at once never take more than the hold", async () => {
  const { open, take, card, shop } = await till();
  const { hold } = await open();
  const answers = await Promise.allSettled(
    Array.from({ length: 64 }, () => take(hold.id, { points: 3, final: false })),
  );
  const taken = answers.filter(({ status }) => status === "fulfilled");
  expect(taken).toHaveLength(13);
  for (const answer of answers) {
    if (answer.status === "rejected") expect(answer.reason).toEqual(code("hold_exceeded"));
  }
  expect(await card()).toMatchObject({ balance: 61, held: 1 });
  expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toBeNull();
});

test("two API keys at once: one hold above what is left is refused", async () => {
  const { open, shop, card } = await till();
  const other = await apiKeyContext(db, shop);
  const answers = await Promise.allSettled([open({ points: 60 }), open({ points: 60 }, other)]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await card()).toMatchObject({ held: 60 });
});

test("any key of the merchant finishes a hold; no other merchant's, and no user", async () => {
  const { open, take, shop, owner, worker, drop } = await till();
  const { hold } = await open();
  const stranger = await till();
  await expect(stranger.take(hold.id)).rejects.toEqual(code("hold_not_found"));
  await expect(readHold(stranger.owner, { holdId: hold.id })).rejects.toEqual(code("hold_not_found"));
  await expect(take(hold.id, {}, owner)).rejects.toEqual(code("forbidden"));
  await expect(drop(hold.id, {}, worker)).rejects.toEqual(code("forbidden"));
  const branch = await makeBranch(db, shop);
  await expect(take(hold.id, {}, await apiKeyContext(db, shop, { branchId: branch.id }))).rejects.toEqual(
    code("branch_mismatch"),
  );
  const narrow = await apiKeyContext(db, shop, { scopes: ["topup"] });
  narrow.actor.scopes = ["topup"];
  await expect(take(hold.id, {}, narrow)).rejects.toEqual(code("forbidden"));
  expect(await take(hold.id, {}, await apiKeyContext(db, shop))).toMatchObject({
    hold: { state: "captured" },
  });
});

test("the counter releases a key's hold with the card's live code, once", async () => {
  const { open, worker, customer, card } = await till();
  const { hold } = await open();
  await expect(releaseHold(worker, { holdId: hold.id, proof: "123.abc" })).rejects.toEqual(
    code("proof_invalid"),
  );
  const proof = liveCode(customer.id, new Date());
  expect(await releaseHold(worker, { holdId: hold.id, proof })).toMatchObject({
    held: 0,
    hold: { state: "voided", reason: "taken_at_counter" },
  });
  const next = await open();
  await expect(releaseHold(worker, { holdId: next.hold.id, proof })).rejects.toEqual(code("proof_invalid"));
  const own = await open({ points: 5 }, worker);
  await expect(releaseHold(worker, { holdId: own.hold.id, proof })).rejects.toEqual(code("forbidden"));
  expect(await card()).toMatchObject({ held: 45 });
  expect((await auditsOf(db, customer.id)).filter(({ action }) => action === "hold.released")).toHaveLength(
    1,
  );
});

test("a card that is frozen or blocked meanwhile: the capture is honoured, a new hold is refused", async () => {
  for (const status of ["frozen", "blocked"] as const) {
    const { open, take, customer } = await till();
    const { hold } = await open();
    await db.customer.update({ where: { id: customer.id }, data: { status } });
    await expect(open({ points: 1 })).rejects.toEqual(code(`customer_${status}`));
    expect(await take(hold.id)).toMatchObject({ movement: { points: -40 } });
  }
});

test("a suspension stops captures and the clock of the holds that were open when it began", async () => {
  const { open, take, lapse, shop, key } = await till();
  const { hold } = await open();
  const over = await open({ points: 5 });
  await lapse(over.hold.id);
  const admin = contextOf(db, await makeAdmin(db));
  const past = new Date(Date.now() - 3_600_000);
  await suspendMerchant(admin, { id: shop.merchant.id, suspended: true, reason: "x" });
  await expect(take(hold.id)).rejects.toEqual(code("merchant_unavailable"));
  // An hour goes by: the hold would have lapsed.
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { suspendedAt: past } });
  await db.$transaction([
    db.$executeRaw`set local wallet.posting = 'on'`,
    db.$executeRaw`update holds set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
      where id = ${hold.id}::uuid`,
    db.$executeRaw`update holds set expires_at = ${past}::timestamptz where id = ${over.hold.id}::uuid`,
  ]);
  expect(await readHold(key, { holdId: hold.id })).toMatchObject({ state: "open" });
  expect(await readHold(key, { holdId: over.hold.id })).toMatchObject({ state: "lapsed" });
  await suspendMerchant(admin, { id: shop.merchant.id, suspended: false });
  const after = await readHold(key, { holdId: hold.id });
  expect(Math.abs(after.expiresAt.getTime() - hold.expiresAt.getTime())).toBeLessThan(10_000);
  expect(await readHold(key, { holdId: over.hold.id })).toMatchObject({ state: "lapsed" });
  expect(await take(hold.id)).toMatchObject({ movement: { points: -40 } });
});

test("at most five open holds a card, of so many points and so long", async () => {
  const { open, drop, key } = await till({}, { maxPointsOne: 50, maxHoldSeconds: 3600 });
  await expect(open({ points: 51 })).rejects.toEqual(code("key_limit"));
  await expect(open({ seconds: 3601 })).rejects.toEqual(code("validation"));
  await expect(open({ seconds: 29 })).rejects.toEqual(code("validation"));
  const holds = await Promise.allSettled(Array.from({ length: 8 }, () => open({ points: 1, seconds: 3600 })));
  expect(holds.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  await expect(open({ points: 1 })).rejects.toEqual(code("too_many_holds"));
  const { results } = await listHolds(key, { state: "open", limit: 2 });
  expect(results).toHaveLength(2);
  await drop(results[0]?.id ?? "");
  await open({ points: 1 });
});

test("a merchant has at most a thousand open holds", async () => {
  const { open, drop, shop, key, owner, at } = await till();
  const { hold } = await open({ points: 1 });
  const other = await makeCustomer(db, shop);
  await topUp(owner, { ...at, customerId: other.id, points: 10 });
  // As if a thousand sales were under way: 999 holds beside the one.
  await db.$transaction([
    db.$executeRaw`set local wallet.posting = 'on'`,
    db.$executeRaw`
      insert into holds select (jsonb_populate_record(h, jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', n))).*
      from holds h, generate_series(1, 999) n where h.id = ${hold.id}::uuid`,
  ]);
  const more = { customerId: other.id, points: 1 };
  await expect(open(more)).rejects.toEqual(
    code("too_many_holds", { params: expect.objectContaining({ limit: 1000 }) }),
  );
  await drop((await listHolds(key, { state: "open", limit: 1 })).results[0]?.id ?? "");
  await open(more);
});

test("a lost answer: an open hold is voided, a captured one reversed, one that comes later refused", async () => {
  const { open, take, key, card, drop } = await till();
  const lost = (lostKey: string) => reverseLost(key, { lostKey });
  const [opened, partly, late] = [randomUUID(), randomUUID(), randomUUID()];
  await open({ idempotencyKey: opened });
  for (let n = 0; n < 2; n++) {
    expect(await lost(opened)).toMatchObject({
      result: "voided",
      movement: null,
      hold: { state: "voided", reason: "lost_answer" },
    });
  }
  const { hold } = await open({ idempotencyKey: partly });
  await take(hold.id, { points: 10, final: false });
  await take(hold.id, { points: 5, final: false });
  const first = await lost(partly);
  expect(first).toMatchObject({ result: "reversed", hold: { state: "voided", captured: 15 } });
  expect(await lost(partly)).toMatchObject({ movement: { id: first.movement?.id } });
  expect(await card()).toMatchObject({ balance: 100, held: 0 });
  expect(await lost(late)).toMatchObject({ result: "tombstone", hold: null });
  await expect(open({ idempotencyKey: late })).rejects.toEqual(code("reversed_before_arrival"));

  const sale = await open({ saleRef: "S-9" });
  await take(sale.hold.id);
  const asked = { saleRef: "S-9", type: "HOLD" } as const;
  expect(await reverseLost(key, asked)).toMatchObject({ result: "reversed" });
  await drop((await open({ saleRef: "S-9" })).hold.id);
  await expect(reverseLost(key, asked)).rejects.toEqual(code("ambiguous"));
  await expect(reverseLost(key, { ...asked, saleRef: "none" })).rejects.toEqual(code("hold_not_found"));
  expect(await card()).toMatchObject({ balance: 100, held: 0 });
});

test("a hold that lapsed on another card no longer counts in its worker's limit", async () => {
  const { shop, open, worker, at, lapse } = await till({ unprovedWorkerDaily: 45 });
  const { hold } = await open({}, worker);
  const other = await makeCustomer(db, shop);
  const there = { ...at, customerId: other.id };
  await topUp(contextOf(db, shop.owner), { ...there, points: 50 });
  const unconfirmed = async () => (await viewCustomer(worker, { customerId: other.id })).limits.unconfirmed;
  await expect(redeem(worker, { ...there, points: 6 })).rejects.toEqual(code("worker_proof_required"));
  expect(await unconfirmed()).toBe(5);
  await lapse(hold.id);
  expect(await unconfirmed()).toBe(45);
  await redeem(worker, { ...there, points: 40 });
  expect(await unconfirmed()).toBe(5);
  await expect(redeem(worker, { ...there, points: 6 })).rejects.toEqual(code("worker_proof_required"));
});

test("revoking a key shortens its open holds to ten minutes; another key finishes them", async () => {
  const { open, take, owner, key, shop } = await till({}, { maxHoldSeconds: 86_400 });
  const { hold } = await open({ seconds: 80_000 });
  const soon = await open({ points: 5, seconds: 60 });
  await revokeApiKey(owner, { id: key.actor.keyId });
  const next = await apiKeyContext(db, shop);
  const shortened = await readHold(next, { holdId: hold.id });
  expect(shortened.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 600_000);
  expect(await readHold(next, { holdId: soon.hold.id })).toMatchObject({ expiresAt: soon.hold.expiresAt });
  await expect(open()).rejects.toEqual(code("unauthenticated"));
  expect(await take(hold.id, {}, next)).toMatchObject({ movement: { points: -40 } });
});

test("a capture does not wait for the revocation of its key, which waits for a hold; a new hold does", async () => {
  const { open, take, owner, key, card } = await till();
  const first = await open({ points: 5, seconds: 900 });
  const { hold } = await open({ seconds: 900 });
  const waiting = async () => {
    const [row] = await db.$queryRaw<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    return row?.n ?? 0;
  };
  const { revoking, opening } = await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`select 1 from holds where id = ${first.hold.id}::uuid for update`;
      const revoking = revokeApiKey(owner, { id: key.actor.keyId });
      await expect.poll(waiting).toBe(1);
      expect(await take(hold.id)).toMatchObject({ movement: { points: -40 }, hold: { state: "captured" } });
      const opening = open().then(
        () => "opened",
        (refused: { code?: string }) => refused.code,
      );
      await expect.poll(waiting).toBe(2);
      return { revoking, opening };
    },
    { timeout: 60_000 },
  );
  expect(await revoking).toMatchObject({ state: "revoked" });
  expect(await opening).toBe("unauthenticated");
  expect(await card()).toMatchObject({ balance: 60, held: 5 });
});

test("the sweeper ends what lapsed, once, and leaves the rest", async () => {
  const { open, card, lapse, customer } = await till();
  const { hold } = await open();
  await open({ points: 7 });
  await lapse(hold.id);
  for (let n = 0; n < 2; n++) await db.$queryRaw`select lapse_holds(10000::int)::text`;
  expect(await card()).toMatchObject({ held: 7, balance: 100 });
  const told = await db.event.findMany({
    where: { subjectId: customer.id, holdId: hold.id },
    orderBy: { iSeq: "asc" },
  });
  expect(told.map(({ type }) => type)).toEqual(["hold.opened", "hold.lapsed"]);
  const { expiresAt } = await db.hold.findUniqueOrThrow({ where: { id: hold.id } });
  expect(told.at(-1)?.createdAt).toEqual(expiresAt);
});

test("each step of a hold is an event of its transaction", async () => {
  const { open, take, key, customer, drop } = await till();
  const { hold } = await open();
  await extendHold(key, { holdId: hold.id, seconds: 60, idempotencyKey: randomUUID() });
  const { movement } = await take(hold.id, { points: 10, final: false });
  await drop(hold.id);
  const told = await db.event.findMany({ where: { subjectId: customer.id }, orderBy: { iSeq: "asc" } });
  const types = told.map(({ type }) => type).filter((type) => !type.startsWith("customer."));
  expect(types).toEqual([
    "topup.posted",
    "hold.opened",
    "hold.extended",
    "hold.captured",
    "redeem.posted",
    "hold.voided",
  ]);
  expect(new Set(told.map(({ iSeq }) => iSeq)).size).toBe(told.length);
  expect(told.find(({ type }) => type === "hold.captured")).toMatchObject({
    movementId: movement.id,
    details: { eState: "open", iCaptured: 10, iRemaining: 30, iHeld: 30, iAvailable: 60 },
  });
});

test("owners read of captures on a stopped card, and of held points above a fifth of what they owe", async () => {
  const { open, take, customer, shop } = await till();
  const { hold } = await open();
  await db.$queryRaw`select keep_sums()::text`;
  await db.customer.update({ where: { id: customer.id }, data: { status: "frozen" } });
  const { movement } = await take(hold.id, { points: 5, final: false });
  await db.$transaction((tx) => handlePostedMovements(tx, [movement.id]));
  await waitForOpenTransactions(db);
  await fillDailySums(db);
  await alertHeld(db);
  await alertHeld(db);
  const notices = await db.notice.findMany({
    where: { merchantId: shop.merchant.id },
    orderBy: { createdAt: "asc" },
  });
  expect(notices.map(({ kind, amount }) => [kind, Number(amount)])).toEqual([
    ["frozen_capture", 500],
    ["held_share", 37],
  ]);
});

test("verify finds each wrong figure of a hold", async () => {
  for (const [table, change] of [
    ["customers", "held = held - 1"],
    ["lots", "held = held - 1"],
    ["holds", "captured = captured + 1, captured_paid = captured_paid + 1"],
    ["hold_lots", "captured = captured + 1"],
  ] as const) {
    const { open, shop, customer } = await till();
    const ends_at = new Date(Date.now() + 86_400_000);
    await postRow(db, shop, { type: "BONUS", customer: customer.id, points: 20, reason: "x", ends_at });
    const { hold } = await open();
    const where = {
      customers: `id = '${customer.id}'`,
      lots: `customer_id = '${customer.id}'`,
      holds: `id = '${hold.id}'`,
      hold_lots: `hold_id = '${hold.id}'`,
    }[table];
    await db.$transaction([
      db.$executeRaw`set local wallet.posting = 'on'`,
      db.$executeRawUnsafe(`update ${table} set ${change} where ${where}`),
    ]);
    expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toMatchObject({ what: "holds" });
  }
});

test("the body of each event of a hold is as openapi.json says", async () => {
  const { open, take, key, drop, lapse, at, owner, shop } = await till();
  const { hold } = await open({ saleRef: "S-2" });
  await extendHold(key, { holdId: hold.id, seconds: 60, idempotencyKey: randomUUID() });
  await take(hold.id, { points: 10, final: false });
  await drop(hold.id);
  const second = await open();
  await lapse(second.hold.id);
  await topUp(owner, { ...at, points: 1 });
  const rows = await db.event.findMany({ where: { merchantId: shop.merchant.id, holdId: { not: null } } });
  const bodies = await eventBodies(
    db,
    rows.map(({ id }) => id),
  );
  for (const body of bodies.values())
    expect(eventSchema(body.type).strict().safeParse(body).error).toBeUndefined();
  expect(new Set([...bodies.values()].map(({ type }) => type)).size).toBe(5);
});

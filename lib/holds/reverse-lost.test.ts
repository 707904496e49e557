import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import type { Context } from "@/lib/db/context";
import { isDatabaseUnavailable } from "@/lib/db/faults";
import type { Actor, StaffActor } from "@/lib/domain/actor";
import { KEY_SCOPES } from "@/lib/domain/key-scopes";
import { type Posting, postBatch } from "@/lib/ledger/batch";
import { redeem, topUp } from "@/lib/ledger/move-points";
import { verifyMerchant } from "@/lib/ledger/verify";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { apiKeyContext, contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { random } from "@/lib/testing/ledger-world";
import { captureHold, extendHold, openHold } from "./holds";
import type { LostResult } from "./names";
import { reverseLost } from "./reverse-lost";

// Random orders of a request, its repeats and its reversals. LONG=1: 10,000; or ORDERS. SEED repeats a run.
const ORDERS = Number(process.env.ORDERS ?? (process.env.LONG ? 10_000 : 200));
const SEED = Number(process.env.SEED ?? 20261124);

const db = await testDb();
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
afterAll(() => client.end());

const code = (name: string) => expect.objectContaining({ name: "DomainError", code: name });

/** A shop whose API key and worker may lose an answer, each with a card of 50 points. */
async function counter() {
  const shop = await makeMerchant(db, { redeemAllowance: 5000 });
  const customer = await makeCustomer(db, shop);
  const key = await apiKeyContext(db, shop);
  const worker = contextOf(db, await makeWorker(db, shop));
  const owner = contextOf(db, shop.owner);
  const at = { customerId: customer.id, branchId: shop.branch.id };
  const { movement: given } = await topUp(owner, { ...at, points: 50 });
  const balance = async () =>
    (await db.customer.findUniqueOrThrow({ where: { id: customer.id }, select: { balance: true } })).balance;
  const lost = (ctx: Context<Actor>, lostKey: string) => reverseLost(ctx, { lostKey });
  return { shop, customer, key, worker, owner, at, given, balance, lost };
}

const reversalOf = (result: LostResult) => result.movement?.id;

test("a key that was answered with what others posted undoes nothing of theirs", async () => {
  const { shop, key, worker, at, balance, lost } = await counter();
  const colleague = contextOf(db, await makeWorker(db, shop));
  const other = await apiKeyContext(db, shop);
  for (const [ctx, next] of [
    [worker, colleague],
    [key, other],
  ] as Context<StaffActor>[][]) {
    if (!ctx || !next) continue;
    const idempotencyKey = randomUUID();
    const opened = { ...at, points: 10, seconds: 600 };
    const { hold } = await openHold(ctx, { ...opened, idempotencyKey: randomUUID() });
    await captureHold(ctx, { holdId: hold.id, idempotencyKey: randomUUID() });
    const before = await balance();
    // A full capture of a captured hold is answered with the first one, whoever asks.
    const answered = { holdId: hold.id, idempotencyKey };
    expect(await captureHold(next, answered)).toMatchObject({ replayed: true });
    await expect(lost(next, idempotencyKey)).rejects.toEqual(code("not_reversible"));
    // Their key may read like the one that opened a hold.
    const second = await openHold(ctx, { ...opened, idempotencyKey: `${idempotencyKey}-2` });
    await extendHold(next, { holdId: second.hold.id, seconds: 60, idempotencyKey: `${idempotencyKey}-2` });
    await expect(lost(next, `${idempotencyKey}-2`)).rejects.toEqual(code("not_reversible"));
    expect(await balance()).toBe(before);
    expect(await lost(ctx, `${idempotencyKey}-2`)).toMatchObject({ result: "voided" });
  }
});

test("what was posted is reversed once, whatever came after it; repeats answer the same reversal", async () => {
  const { key, worker, owner, at, balance, lost, shop } = await counter();
  for (const ctx of [key, worker] as Context<Actor>[]) {
    for (const post of [topUp, redeem]) {
      const idempotencyKey = randomUUID();
      const before = await balance();
      const asked = { ...at, points: 20, idempotencyKey };
      const { movement } = await post(ctx as never, asked);
      await topUp(owner, { ...at, points: 1 });
      const first = await lost(ctx, idempotencyKey);
      expect(first).toMatchObject({
        result: "reversed",
        movement: {
          type: "REVERSAL",
          points: -movement.points,
          reversesId: movement.id,
          reason: expect.any(String),
        },
      });
      expect(reversalOf(await lost(ctx, `"${idempotencyKey}"`))).toBe(reversalOf(first));
      expect(await balance()).toBe(before + 1);
      // The request that comes again is answered with what it posted, and posts nothing.
      expect(await post(ctx as never, asked)).toMatchObject({
        replayed: true,
        movement: { id: movement.id },
      });
    }
  }
  expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toBeNull();
});

test("a key that posted nothing gets a tombstone: its request posts nothing when it arrives, and is audited", async () => {
  const { key, worker, at, balance, lost, shop } = await counter();
  for (const ctx of [key, worker] as Context<Actor>[]) {
    const idempotencyKey = randomUUID();
    expect(await lost(ctx, idempotencyKey)).toEqual({ result: "tombstone", movement: null, hold: null });
    expect(await lost(ctx, idempotencyKey)).toEqual({ result: "tombstone", movement: null, hold: null });
    for (const post of [topUp, redeem]) {
      await expect(post(ctx as never, { ...at, points: 5, idempotencyKey })).rejects.toEqual(
        code("reversed_before_arrival"),
      );
    }
  }
  expect(await balance()).toBe(50);
  const audits = (await auditsOf(db, shop.merchant.id)).filter(({ kind }) => kind === "posting");
  expect(audits.map(({ actorType }) => actorType).sort()).toEqual(["api_key", "user"]);
});

test("another key's request stays as it is: a tombstone stands in its own namespace", async () => {
  const { shop, key, worker, at, balance, lost } = await counter();
  const idempotencyKey = "shared";
  await topUp(key as never, { ...at, points: 7, idempotencyKey });
  const strangers = [worker, await apiKeyContext(db, shop), await apiKeyContext(db, await makeMerchant(db))];
  for (const ctx of strangers as Context<Actor>[]) {
    expect(await lost(ctx, idempotencyKey)).toEqual({ result: "tombstone", movement: null, hold: null });
  }
  expect(await balance()).toBe(57);
  expect(await topUp(key as never, { ...at, points: 7, idempotencyKey })).toMatchObject({ replayed: true });
});

test("points that are spent are not taken back: 409, and nothing moves", async () => {
  const { key, at, given, owner, balance, lost } = await counter();
  await topUp(key as never, { ...at, points: 30, idempotencyKey: "k" });
  await redeem(owner, { ...at, points: 60 });
  await expect(lost(key, "k")).rejects.toEqual(code("already_spent"));
  expect(await balance()).toBe(20);
  expect(await db.movement.count({ where: { reversesId: given.id } })).toBe(0);
});

test("after 24 hours it is too late, and what was undone is still answered", async () => {
  const { key, worker, at, lost } = await counter();
  for (const ctx of [key, worker] as Context<Actor>[]) {
    const [undone, left] = [randomUUID(), randomUUID()];
    for (const idempotencyKey of [undone, left])
      await topUp(ctx as never, { ...at, points: 5, idempotencyKey });
    const reversal = reversalOf(await lost(ctx, undone));
    const later = { ...ctx, clock: () => new Date(Date.now() + 24 * 3_600_000 + 60_000) };
    expect(reversalOf(await lost(later, undone))).toBe(reversal);
    await expect(lost(later, left)).rejects.toEqual(code("undo_expired"));
  }
});

test("by bill number and type: none, one, several, and only what the same key posted in the last day", async () => {
  const { key, owner, at, balance } = await counter();
  const ask = (saleRef: string, type: "TOP_UP" | "REDEEM" = "REDEEM", ctx: Context<Actor> = key) =>
    reverseLost(ctx, { saleRef, type });
  await redeem(owner, { ...at, points: 1, saleRef: "B1" });
  await expect(ask("B1")).rejects.toEqual(code("movement_not_found"));
  await redeem(key as never, { ...at, points: 10, saleRef: "B1", idempotencyKey: randomUUID() });
  await expect(ask("B1", "TOP_UP")).rejects.toEqual(code("movement_not_found"));
  const later = { ...key, clock: () => new Date(Date.now() + 24 * 3_600_000 + 60_000) };
  await expect(ask("B1", "REDEEM", later)).rejects.toEqual(code("movement_not_found"));
  const first = await ask("B1");
  expect(first).toMatchObject({ result: "reversed", movement: { points: 10 } });
  expect(reversalOf(await ask("B1"))).toBe(reversalOf(first));
  await redeem(key as never, { ...at, points: 10, saleRef: "B1", idempotencyKey: randomUUID() });
  await expect(ask("B1")).rejects.toMatchObject({
    code: "ambiguous",
    params: { ids: expect.stringMatching(/^\S{36} \S{36}$/) },
  });
  expect(await balance()).toBe(39);
  for (const input of [{}, { saleRef: "B1" }, { type: "REDEEM" }, { lostKey: "k", saleRef: "B1" }] as const) {
    await expect(reverseLost(key, input)).rejects.toEqual(code("validation"));
  }
});

test("an API key needs the scope of what it undoes, and any of them for a tombstone", async () => {
  const { shop, key, at, given, lost } = await counter();
  const made = ["TOP_UP", "BONUS", "REDEEM"] as const;
  const rows = made.map(
    (type): Posting => ({
      ...{
        actorType: "api_key",
        apiKey: key.actor.keyId,
        type,
        customer: at.customerId,
        branch: at.branchId,
      },
      ...{ points: 5, scope: "merchant", scopeMerchant: shop.merchant.id, key: type, hash: "h" },
    }),
  );
  expect((await postBatch(db, rows)).map(({ outcome }) => outcome)).toEqual(["posted", "posted", "posted"]);
  const scope = { TOP_UP: "topup", BONUS: "bonus", REDEEM: "redeem" } as const;
  const as = (scopes: readonly (typeof KEY_SCOPES)[number][]) => ({
    ...key,
    actor: { ...key.actor, scopes },
  });
  for (const type of [...made].reverse()) {
    const others = KEY_SCOPES.filter((one) => one !== scope[type]);
    await expect(lost(as(others), type)).rejects.toEqual(code("forbidden"));
    expect(await lost(as([scope[type]]), type)).toMatchObject({ result: "reversed" });
  }
  await expect(lost(as(["customers.read"]), "none")).rejects.toEqual(code("forbidden"));
  expect(await lost(as(["refund"]), "none")).toMatchObject({ result: "tombstone" });
  expect(await db.movement.count({ where: { reversesId: given.id } })).toBe(0);
});

test("64 reversals at once post one, and answer it", async () => {
  const { key, worker, at, balance, lost } = await counter();
  for (const ctx of [key, worker] as Context<Actor>[]) {
    await topUp(ctx as never, { ...at, points: 8, idempotencyKey: "k" });
    const answers = await Promise.all(Array.from({ length: 64 }, () => lost(ctx, "k")));
    expect(new Set(answers.map(reversalOf)).size).toBe(1);
    expect(await balance()).toBe(50);
  }
});

test("a reversal waits for its original under way, and an original for a tombstone under way", async () => {
  const { shop, key, worker, at, balance, lost } = await counter();
  for (const ctx of [key, worker] as Context<Actor>[]) {
    const { actor } = ctx;
    const by =
      actor.type === "apiKey"
        ? ({ actorType: "api_key", apiKey: actor.keyId } as const)
        : { actor: actor.type === "user" ? actor.userId : "" };
    const row: Posting = {
      ...{ ...by, type: "TOP_UP", customer: at.customerId, branch: at.branchId, points: 9 },
      ...{ scope: "merchant", scopeMerchant: shop.merchant.id, key: "during", hash: "h" },
    };
    await client.query("begin");
    await client.query("select * from post_movements($1::jsonb, false)", [
      JSON.stringify([
        {
          ...row,
          idx: 0,
          proof: "none",
          api_key: by.apiKey,
          actor_type: by.actorType,
          scope_merchant: shop.merchant.id,
        },
      ]),
    ]);
    const waiting = lost(ctx, "during");
    const held = () => db.$queryRaw<unknown[]>`
      select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await held()).length).toBeGreaterThan(0);
    await client.query("commit");
    expect(await waiting).toMatchObject({ result: "reversed" });

    await client.query("begin");
    await client.query("select * from give_up_key($1, $2, 'before')", [by.actor ?? null, by.apiKey ?? null]);
    const original = postBatch(db, [{ ...row, key: "before" }]);
    if (by.apiKey) expect((await original)[0]?.outcome).toBe("in_progress");
    await client.query("commit");
    if (by.actor) expect((await original)[0]?.outcome).toBe("reversed_before_arrival");
    expect((await postBatch(db, [{ ...row, key: "before" }]))[0]?.outcome).toBe("reversed_before_arrival");
    expect(await balance()).toBe(50);
  }
});

/** Ends some of the connections that post or reverse now. */
const killSome = () => db.$queryRaw`
  select pg_terminate_backend(pid)::text from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
    and (query like '%post_movements%' or query like '%give_up_key%') and query not like '%terminate%'`;

const MAYBE = ["unavailable", "outcome_unknown", "in_progress"];
/** Until it is answered for good: a client whose answer was lost repeats. */
async function insist<T>(send: () => Promise<T>): Promise<T | string> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const { code: name } = error as { code?: string };
      if (!isDatabaseUnavailable(error) && !MAYBE.includes(name ?? "")) return String(name ?? error);
      await setImmediate();
    }
  }
}

test(`${ORDERS} orders of a request, its repeats and its reversals, with killed connections (seed ${SEED})`, {
  timeout: Math.max(180_000, ORDERS * 1_000),
}, async () => {
  const dice = random(SEED);
  const { shop, key, worker } = await counter();
  const one = async () => {
    const customer = await makeCustomer(db, shop);
    const at = { customerId: customer.id, branchId: shop.branch.id };
    const ctx: Context<Actor> = dice.chance(0.5) ? key : worker;
    const idempotencyKey = randomUUID();
    const isRedeem = dice.chance(0.5);
    const first = randomUUID();
    await insist(() => topUp(contextOf(db, shop.owner), { ...at, points: 10, idempotencyKey: first }));
    const request = () => (isRedeem ? redeem : topUp)(ctx as never, { ...at, points: 5, idempotencyKey });
    const reversal = () => reverseLost(ctx, { lostKey: idempotencyKey });
    // At least one reversal, somewhere among the requests.
    const calls = [
      reversal,
      ...Array.from({ length: 1 + dice.below(4) }, () => dice.pick([request, reversal])),
    ];
    calls.sort(() => dice.below(3) - 1);
    const answers: unknown[] = [];
    for (const call of calls) {
      const answer = insist<unknown>(call);
      if (dice.chance(0.01)) await killSome();
      answers.push(dice.chance(0.5) ? await answer : answer);
    }
    await Promise.all(answers);
    const moves = await db.movement.findMany({ where: { customerId: customer.id }, orderBy: { seq: "asc" } });
    const [, posted, undone] = moves;
    const { balance } = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
    const text = `${calls.map((call) => (call === request ? "request" : "reversal")).join()}: ${moves.length}`;
    expect([1, 3], text).toContain(moves.length);
    expect(balance, text).toBe(10);
    expect(undone?.reversesId ?? null, text).toBe(posted?.id ?? null);
    // Whatever comes later posts nothing.
    await insist<unknown>(request);
    expect(await db.movement.count({ where: { customerId: customer.id } }), text).toBe(moves.length);
  };
  for (let done = 0; done < ORDERS; done += 8) {
    await Promise.all(Array.from({ length: Math.min(8, ORDERS - done) }, one));
  }
  expect((await verifyMerchant(db, shop.merchant.id)).firstWrong).toBeNull();
});

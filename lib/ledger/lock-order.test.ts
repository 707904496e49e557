import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { sqlState } from "@/lib/db/faults";
import { testDb } from "@/lib/testing/database";
import { apiKeyContext, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { type Posting, postOver } from "./batch";

const db = await testDb();
const clients = [0, 1, 2, 3, 4].map(() => new pg.Client({ connectionString: process.env.DATABASE_URL }));
await Promise.all(clients.map((client) => client.connect()));
afterAll(() => Promise.all(clients.map((client) => client.end())));

const gate = clients[3] as pg.Client;
const waiting = async (): Promise<number> => {
  const { rows } = await gate.query(
    `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return (rows as { n: number }[])[0]?.n ?? 0;
};

/**
 * Sends one batch a connection, again and again: all of them hold their cards, and then go on at the same moment. Answers
 * the SQLSTATEs of those that failed.
 */
async function collide(rounds: number, batchesOf: (round: number) => Posting[][]): Promise<string[]> {
  const failed: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const batches = batchesOf(round);
    await gate.query("select pg_advisory_lock(posting_lock())");
    const sent = Promise.all(
      clients.slice(0, batches.length).map((client, nth) =>
        postOver(client, batches[nth] ?? [], { skip: false }).catch((error: unknown) => {
          failed.push(sqlState(error) || String(error));
        }),
      ),
    );
    await expect.poll(waiting).toBe(batches.length);
    await gate.query("select pg_advisory_unlock(posting_lock())");
    await sent;
  }
  return failed;
}

/** A shop whose one worker topped up cards and undid it, so that undoing it again answers the reversal that stands. */
async function shopWithReversals(cards: number) {
  const shop = await makeMerchant(db, { workerDailyCap: 1_000_000 });
  const worker = await makeWorker(db, shop);
  const asked = { scope: "merchant", scopeMerchant: shop.merchant.id, branch: shop.branch.id } as const;
  const made = await Promise.all(
    Array.from({ length: cards }, async () => {
      const [reversed, other] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
      const original = await move(db, shop, reversed, { points: 40, actor: worker });
      await move(db, shop, reversed, { reverses: original.id, actor: worker });
      return { original, other };
    }),
  );
  const topUp = (nth: number, key: string = randomUUID()): Posting => ({
    ...asked,
    actor: worker.id,
    type: "TOP_UP",
    customer: made[nth]?.other.id ?? "",
    points: 1,
    key,
    hash: `top-up ${nth}`,
  });
  const undo = (nth: number, key: string): Posting => ({
    ...asked,
    actor: worker.id,
    type: "REVERSAL",
    reverses: made[nth]?.original.id ?? "",
    key,
    hash: `undo ${nth}`,
  });
  return { shop, worker, topUp, undo };
}

test("who undoes again what is undone, under one key from several counters, stops no posting", async () => {
  const { topUp, undo } = await shopWithReversals(3);
  const failed = await collide(12, () => {
    const key = randomUUID();
    return [0, 1, 2].map((nth) => [undo(nth, key), topUp(nth)]);
  });
  expect(failed).toEqual([]);
});

test("two that undo the same movement in one batch, and their neighbours, end without a deadlock", async () => {
  const { topUp, undo, shop, worker } = await shopWithReversals(3);
  const fresh = async () => {
    const customer = await makeCustomer(db, shop);
    return (await move(db, shop, customer, { points: 5, actor: worker })).id;
  };
  for (let round = 0; round < 6; round++) {
    const key = randomUUID();
    const again = (reverses: string, used: string): Posting => ({ ...undo(0, used), reverses });
    const originals = [await fresh(), await fresh()];
    const failed = await collide(1, () =>
      originals.map((original, nth) => [again(original, randomUUID()), again(original, key), topUp(nth)]),
    );
    expect(failed).toEqual([]);
  }
});

test("batches of two API keys, and of those who undo what they posted, end without a deadlock", async () => {
  const { shop, topUp } = await shopWithReversals(3);
  const keys = [await apiKeyContext(db, shop), await apiKeyContext(db, shop)].map(({ actor }) => actor.keyId);
  const byKey = (row: Posting, apiKey = ""): Posting => ({
    ...row,
    actorType: "api_key",
    apiKey,
    actor: undefined,
  });
  const posted = async (apiKey = "") => {
    const customer = (await makeCustomer(db, shop)).id;
    const [outcome] = await postOver(gate, [byKey({ ...topUp(0), customer }, apiKey)], { skip: false });
    return outcome && "movement" in outcome ? outcome.movement.id : "";
  };
  const [early = "", late = ""] = keys;
  for (let round = 0; round < 6; round++) {
    const undone = [await posted(early), await posted(late), await posted(early)];
    const undo = (nth: number): Posting => ({
      ...{ ...topUp(nth), type: "REVERSAL", customer: undefined, points: undefined, reverses: undone[nth] },
      reason: "Wrong",
    });
    const failed = await collide(1, () => [
      [byKey(topUp(0), early), undo(1)],
      [byKey(topUp(1), late), byKey(undo(0), early)],
      [undo(2), byKey(topUp(2), late)],
    ]);
    expect(failed).toEqual([]);
  }
});

test("a card that gets free while its batch waits for days stays with the slow lane, and nobody is stopped", async () => {
  const { topUp, undo, shop, worker } = await shopWithReversals(3);
  // Days are locked by id: the batch holds the first employee's, and waits for the second's.
  const pair = [worker, await makeWorker(db, shop)].sort((a, b) => (a.id < b.id ? -1 : 1));
  const [early, late] = pair as [typeof worker, typeof worker];
  const customer = await makeCustomer(db, shop);
  const original = await move(db, shop, customer, { points: 5, actor: early });
  await move(db, shop, customer, { points: 5, actor: late });
  const key = randomUUID();
  const by = (posting: Posting, { id }: { id: string }) => Object.assign(posting, { actor: id });
  const again = (used: string): Posting => ({ ...by(undo(0, used), early), reverses: original.id });
  const [undoing, batch, other, , busy] = clients as [pg.Client, pg.Client, pg.Client, pg.Client, pg.Client];
  const held = async (client: pg.Client): Promise<() => Promise<number>> => {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    const waiters = "select count(*)::int as n from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
    return async () => Number((await gate.query(waiters, [rows[0].pid])).rows[0].n);
  };
  const [byUndoing, byBusy, byBatch] = [await held(undoing), await held(busy), await held(batch)];

  await busy.query("begin");
  await postOver(busy, [by(topUp(2), late)], { skip: false });
  await undoing.query("begin");
  await postOver(undoing, [again(randomUUID())], { skip: false });
  const rows = [again(key), by(topUp(0), early), by(topUp(0), late)];
  const sent = postOver(batch, rows, { skip: true }).catch((error: unknown) => error);
  await expect.poll(byUndoing).toBe(1);
  await undoing.query("commit");
  await expect.poll(byBusy).toBe(1);
  const beside = postOver(other, [by(topUp(1, key), early)], { skip: false }).catch(
    (error: unknown) => error,
  );
  await expect.poll(byBatch).toBe(1);
  await busy.query("commit");
  expect(await Promise.all([sent, beside])).toMatchObject([
    [{ outcome: "busy" }, { outcome: "posted" }, { outcome: "posted" }],
    [{ outcome: "posted" }],
  ]);
});

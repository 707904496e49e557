import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Db } from "@/lib/db/client";
import { tokenOf } from "@/lib/testing/calls";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { random } from "@/lib/testing/ledger-world";
import { withDb } from "@/scripts/lib/with-db";
import type { Fault, Scene } from "./faults";
import { openShop, postJson } from "./load";

/** Milliseconds of each of the two measurements, and the connections of the employee and of the neighbour. */
const SPAN = process.env.LONG === "1" ? 60_000 : 6_000;
const [SPITEFUL, NEIGHBOURS] = [12, 4];
const CARDS = 12;
/** So many calls in a row may use one new key, so that it is asked for at several counters at once. */
const SAME_KEY = 8;
/** The neighbour's p95 at most: Postgres looks for a deadlock after a second, and postings wait until then. */
const LATEST = 900;

/** The employee's answers, by status. Without both of these the trial tries nothing: undone again, and a key refused. */
const NEEDED = [200, 422];

type Call = { path: string; key: string; body: object };

/** An employee's cards, each with a top-up that was undone, and what may be repeated of them. */
async function openSpite(db: Db, url: string) {
  const shop = await makeMerchant(db, { workerDailyCap: null });
  const worker = await makeWorker(db, shop);
  const tokens = await Promise.all(Array.from({ length: SPITEFUL }, () => tokenOf(db, worker)));
  const authorization = tokens[0] ?? "";
  const calls: { used: Call; undo: string }[] = [];
  for (let nth = 0; nth < CARDS; nth++) {
    const customer = await makeCustomer(db, shop);
    const body = { customerId: customer.id, sPoints: 3, iBranchId: shop.branch.id };
    const used = { path: "/api/top-up-points", key: randomUUID(), body };
    const answer = await postJson(url + used.path, body, { authorization, "idempotency-key": used.key });
    const id = (JSON.parse(answer.text) as { data?: { _id?: string } }).data?._id;
    const undo = `/api/transactions/${id}/reverse`;
    const undone = await postJson(url + undo, {}, { authorization, "idempotency-key": randomUUID() });
    if (undone.status !== 200) throw new Error(`nothing was undone: ${undone.text}`);
    calls.push({ used, undo });
  }
  let [key, sent] = ["", 0];
  const next = (pick: (below: number) => number): Call => {
    if (sent++ % SAME_KEY === 0) key = randomUUID();
    const [one, other] = [calls[pick(CARDS)], calls[pick(CARDS)]];
    if (!one || !other) throw new Error("no cards");
    const topUp = { ...one.used, body: { ...one.used.body, sPoints: 1 + pick(3) } };
    const way = pick(7);
    // Most calls: a key that a reversal answers, beside top-ups that hold the employee's day.
    if (way < 2) return { path: one.undo, key, body: {} };
    if (way < 4) return { ...topUp, key: randomUUID() };
    if (way === 4) return { ...topUp, key };
    if (way === 5) return one.used;
    return { path: one.undo, key: other.used.key, body: {} };
  };
  return { tokens, next };
}

/** A share of sorted times, in milliseconds: 0.95 for the p95. */
const at = (sorted: number[], share: number) =>
  Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);

async function deadlocks(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ n: number }[]>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`;
  return row?.n ?? 0;
}

type Send = (nth: number, authorization: string) => Promise<void>;

/** Each of these sessions sends again and again until the time is over, with a pause after each answer. */
async function sendAll(tokens: string[], apart: number, send: Send): Promise<void> {
  const until = performance.now() + SPAN;
  const session = async (authorization: string, nth: number) => {
    for (; performance.now() < until; await pause(apart)) await send(nth, authorization);
  };
  await Promise.all(tokens.map(session));
}

async function play(db: Db, { program, load }: Scene): Promise<string> {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
  const pick = random(seed).below;
  const [url = ""] = program.urls;
  const [spite, before] = [await openSpite(db, url), await deadlocks(db)];
  const { customers, tokens, branchId } = await openShop(program.ownerUrl, NEIGHBOURS, 1);
  const answers = new Map<number, number>();

  /** The neighbour's times, sorted. */
  const measure = async (spiteful: string[]) => {
    const times: number[] = [];
    const topUp: Send = async (nth, authorization) => {
      const customerId = customers[(nth * 3 + times.length) % customers.length];
      const body = { customerId, sPoints: 1, iBranchId: branchId };
      const headers = { authorization, "idempotency-key": randomUUID() };
      const began = performance.now();
      const answer = await postJson(`${url}/api/top-up-points`, body, headers);
      if (answer.status !== 200) load.countSenseless(answer.status, answer.text);
      times.push(performance.now() - began);
    };
    const repeat: Send = async (nth, authorization) => {
      const server = program.urls[nth % program.urls.length] ?? url;
      const { path, key, body } = spite.next(pick);
      const answer = await postJson(server + path, body, { authorization, "idempotency-key": key });
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500) load.countSenseless(answer.status, answer.text);
    };
    await Promise.all([sendAll(tokens, 20, topUp), sendAll(spiteful, 5, repeat)]);
    return times.sort((a, b) => a - b);
  };

  let [calm, spited]: number[][] = [[], []];
  await load.run(1, async () => {
    calm = await measure([]);
    spited = await measure(spite.tokens);
  });
  // Postgres counts a deadlock a moment after it ended one.
  await pause(1_500);
  const ended = (await deadlocks(db)) - before;
  expect.soft(ended, `deadlocks, seed ${seed}`).toBe(0);
  expect.soft(at(spited ?? [], 0.95), `p95 of top-ups, in ms, seed ${seed}`).toBeLessThanOrEqual(LATEST);
  expect.soft([...answers.keys()], `seed ${seed}`).toEqual(expect.arrayContaining(NEEDED));
  const repeats = [...answers].sort().map(([status, times]) => `${times} × ${status}`);
  const shown = (times: number[] = []) => `p95 ${at(times, 0.95)} ms, longest ${at(times, 1)} ms`;
  return `seed ${seed}; alone ${shown(calm)}; beside it ${shown(spited)}; repeats ${repeats.join(", ")}; ${ended} deadlocks`;
}

/** One employee repeats used keys and undoes reversed movements as fast as allowed; a neighbour is measured. */
export const usedKeysFault: Fault = {
  name: "one employee repeats used keys, a neighbour tops up",
  patience: 5_000,
  run: (scene) => withDb(scene.program.ownerUrl, (db) => play(db, scene)),
};

import { randomInt, randomUUID } from "node:crypto";
import type { Db } from "@/lib/db/client";
import { tokenOf } from "@/lib/testing/calls";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { random } from "@/lib/testing/ledger-world";
import { postJson } from "./ask";
import type { Fault } from "./faults";
import { openShop, withDb } from "./load";

/** Milliseconds of each of the two measurements, and the connections of the employee and of the neighbour. */
const SPAN = process.env.LONG === "1" ? 60_000 : 6_000;
const [SPITEFUL, NEIGHBOURS] = [12, 4];
const CARDS = 12;
/** So many calls in a row may use one new key, so that it is asked for at several counters at once. */
const SAME_KEY = 8;
/**
 * The limit for the neighbour's p95. Postgres looks for a deadlock after a second, and postings of the whole
 * process wait until then.
 */
const LATEST = 900;

/** The employee's answers, by status. Without both of these the trial tries nothing: undone again, and a key refused. */
const NEEDED = [200, 422];

type Call = { path: string; key: string; body: object };

/** An employee's cards, each with a top-up that was undone, and what may be repeated of them. */
async function openSpite(db: Db, url: string) {
  const shop = await makeMerchant(db, { workerDailyCap: null });
  const worker = await makeWorker(db, shop);
  const tokens = await Promise.all(Array.from({ length: SPITEFUL }, () => tokenOf(db, worker)));
  const calls: { used: Call; undo: string }[] = [];
  for (let nth = 0; nth < CARDS; nth++) {
    const customer = await makeCustomer(db, shop);
    const body = { customerId: customer.id, sPoints: 3, iBranchId: shop.branch.id };
    const used = { path: "/api/top-up-points", key: randomUUID(), body };
    const authorization = tokens[0] ?? "";
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
    const one = calls[pick(CARDS)];
    const other = calls[pick(CARDS)];
    if (!one || !other) throw new Error("no cards");
    const topUp = { ...one.used, body: { ...one.used.body, sPoints: 1 + pick(3) } };
    // The first two are most: a key that a reversal answers, beside top-ups that hold the employee's day.
    const ways: (() => Call)[] = [
      () => ({ path: one.undo, key, body: {} }),
      () => ({ path: one.undo, key, body: {} }),
      () => ({ ...topUp, key: randomUUID() }),
      () => ({ ...topUp, key: randomUUID() }),
      () => ({ ...topUp, key }),
      () => one.used,
      () => ({ path: one.undo, key: other.used.key, body: {} }),
    ];
    return (ways[pick(ways.length)] as () => Call)();
  };
  return { tokens, next };
}

const at = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

async function deadlocks(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ n: number }[]>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`;
  return row?.n ?? 0;
}

/**
 * One employee repeats used keys and undoes reversed movements, as fast as the limits allow. A neighbour's
 * top-ups are measured.
 */
export const usedKeysFault: Fault = {
  name: "one employee repeats used keys, a neighbour tops up",
  patience: 5_000,
  async run({ program, load }) {
    const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
    const pick = random(seed).below;
    const url = program.urls[0] ?? "";
    return withDb(program.ownerUrl, async (db) => {
      const [spite, before] = [await openSpite(db, url), await deadlocks(db)];
      const neighbour = await openShop(program.ownerUrl, NEIGHBOURS, 1);
      const answers = new Map<number, number>();
      const measure = async (isSpited: boolean) => {
        const until = performance.now() + SPAN;
        const times: number[] = [];
        const neighbours = (neighbour.tokens ?? []).map(async (authorization, nth) => {
          while (performance.now() < until) {
            const customerId = neighbour.customers[(nth * 3 + times.length) % neighbour.customers.length];
            const body = { customerId, sPoints: 1, iBranchId: neighbour.branchId };
            const began = performance.now();
            const answer = await postJson(`${url}/api/top-up-points`, body, {
              authorization,
              "idempotency-key": randomUUID(),
            });
            if (answer.status !== 200) load.countSenseless(answer.status, answer.text);
            times.push(performance.now() - began);
            await new Promise((done) => setTimeout(done, 20));
          }
        });
        const spiteful = isSpited
          ? spite.tokens.map(async (authorization, nth) => {
              const server = program.urls[nth % program.urls.length] ?? url;
              while (performance.now() < until) {
                const { path, key, body } = spite.next(pick);
                const answer = await postJson(server + path, body, { authorization, "idempotency-key": key });
                answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
                if (answer.status >= 500) load.countSenseless(answer.status, answer.text);
                await new Promise((done) => setTimeout(done, 5));
              }
            })
          : [];
        await Promise.all([...neighbours, ...spiteful]);
        return times.sort((a, b) => a - b);
      };
      let [calm, spited]: number[][] = [[], []];
      await load.run(1, async () => {
        calm = await measure(false);
        spited = await measure(true);
      });
      // Postgres counts a deadlock a moment after it ended one.
      await new Promise((done) => setTimeout(done, 1_500));
      const ended = (await deadlocks(db)) - before;
      const late = at(spited ?? [], 0.95);
      if (ended > 0) load.countSenseless(0, `deadlocks: ${ended}, seed ${seed}`);
      if (late > LATEST) load.countSenseless(0, `p95 of top-ups was ${Math.round(late)} ms, seed ${seed}`);
      for (const status of NEEDED)
        if (!answers.has(status)) load.countSenseless(0, `no repeat was answered ${status}, seed ${seed}`);
      const repeats = [...answers].sort().map(([status, times]) => `${times} × ${status}`);
      const shown = (times: number[] | undefined) =>
        `p95 ${Math.round(at(times ?? [], 0.95))} ms, longest ${Math.round(at(times ?? [], 1))} ms`;
      return `seed ${seed}; alone ${shown(calm)}; beside it ${shown(spited)}; repeats ${repeats.join(", ")}; ${ended} deadlocks`;
    });
  },
};

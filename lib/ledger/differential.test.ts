import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeAdmin, makeBranch, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import {
  balanceOf,
  type Card,
  type Expected,
  LedgerModel,
  type Move,
  type Shop,
  type Staff,
} from "@/lib/testing/ledger-model";
import { type Outcome, type Posting, type PostingRow, postOver } from "./batch";

// The function in the database against the plain model, on the same random rows. LONG=1: a million rows.
const ROWS = process.env.LONG ? 1_000_000 : 20_000;
const ROWS_A_WORLD = 5_000;
const SEED = Number(process.env.SEED ?? 20261122);

const db = await testDb();
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
afterAll(() => client.end());

/** mulberry32: the same rows for the same seed. */
function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (most: number) => Math.floor(next() * most);
  const chance = (share: number) => next() < share;
  function pick<T>(list: readonly T[]): T {
    return list[below(list.length)] as T;
  }
  return { below, chance, pick };
}

type World = {
  model: LedgerModel;
  shops: Shop[];
  owners: Staff[];
  workers: Staff[];
  admin: Staff;
  cards: Card[];
  /** Rows carry their moment, minutes to days apart; else the database's clock decides. */
  timed: boolean;
  clock: number;
  keys: { key: string; row: Posting }[];
  posted: Move[];
};

async function makeWorld(timed: boolean): Promise<World> {
  const model = new LedgerModel();
  const shops: Shop[] = [];
  const [owners, workers, cards]: [Staff[], Staff[], Card[]] = [[], [], []];
  const known = (user: { id: string; email: string; phone: string | null }, worker: boolean): Staff => {
    const staff = { id: user.id, worker, email: user.email, phone: user.phone ?? "" };
    model.staff.set(user.id, staff);
    return staff;
  };
  for (let n = 0; n < 2; n++) {
    const fixture = await makeMerchant(db, { redeemAllowance: 400 });
    const rules = { rate: 100, min: 1, max: 5000, maxBalance: 20_000, undo: 15, cap: null };
    const shop: Shop = {
      ...{ id: fixture.merchant.id, approved: true, suspended: false, allowance: 400, paidFirst: false },
      ...{ refundDays: 0, rules },
    };
    shops.push(shop);
    owners.push(known(fixture.owner, false));
    for (const { id } of [fixture.branch, await makeBranch(db, fixture)])
      model.branches.set(id, { id, shop, archived: false });
    for (let worker = 0; worker < 2; worker++) workers.push(known(await makeWorker(db, fixture), true));
    for (let card = 0; card < 12; card++) {
      // One of them is a worker's own.
      const mine = card === 0 ? { email: workers.at(-1)?.email } : {};
      const made = await makeCustomer(db, fixture, mine);
      cards.push({
        ...{ id: made.id, publicId: made.publicId, shop, status: "active", email: made.email ?? "" },
        ...{ phone: made.phone ?? "", paid: 0, lots: [], moves: [], last: 0, unprovedDay: -1, unproved: 0 },
        proofs: new Set(),
      });
    }
  }
  for (const card of cards) for (const id of [card.id, card.publicId]) model.cards.set(id, card);
  const admin = known(await makeAdmin(db), false);
  const clock = Date.now() - (timed ? 2 * 365 * 86_400_000 : 0);
  return { model, shops, owners, workers, admin, cards, timed, clock, keys: [], posted: [] };
}

type Random = ReturnType<typeof random>;

function someRow(world: World, dice: Random): Posting {
  const { below, chance, pick } = dice;
  if (chance(0.06) && world.keys.length > 0) {
    const { row } = pick(world.keys.slice(-30));
    // The same request again, or another under its key.
    return chance(0.7) ? row : { ...row, hash: randomUUID() };
  }
  const card = chance(0.25) ? (world.cards[1] as Card) : pick(world.cards);
  const shop = world.shops.indexOf(card.shop);
  const [worker, owner] = [pick(world.workers.slice(shop * 2, shop * 2 + 2)), world.owners[shop] as Staff];
  const branches = [...world.model.branches.values()].filter(
    (branch) => branch.shop === card.shop || chance(0.02),
  );
  const amount = chance(0.9) ? 1 + below(120) : pick([0, 1, 500, 4999, 5000, 5001, 19_000]);
  const row: PostingRow = {
    type: "TOP_UP",
    customer: chance(0.99) ? (chance(0.2) ? card.publicId : card.id) : randomUUID(),
    branch: pick(branches).id,
    scope: "merchant",
    scopeMerchant: chance(0.99) ? card.shop.id : pick(world.shops).id,
    namedMerchant: chance(0.02) ? pick(world.shops).id : undefined,
    points: amount,
    key: randomUUID(),
    hash: randomUUID(),
    occurred: chance(0.05) ? new Date(world.clock - 60_000) : undefined,
  };
  const by = chance(0.7) ? worker : chance(0.8) ? owner : world.admin;
  const asUser = {
    ...row,
    actor: by.id,
    ...(by === world.admin ? { scope: "any" as const, scopeMerchant: null } : {}),
  };
  const kind = below(100);
  if (kind < 38)
    return {
      ...asUser,
      tender: chance(0.5) ? pick(["cash", "card", "online"]) : undefined,
      saleRef: chance(0.2) ? "Bill 7" : undefined,
    };
  if (kind < 66) {
    const proof = chance(0.3) ? ({ proof: "live_code", proofRef: `live:${below(4000)}` } as const) : {};
    return { ...asUser, type: "REDEEM", ...(chance(0.01) ? { proof: "invalid" as const } : proof) };
  }
  if (kind < 74) {
    const soon = new Date(world.clock + (world.timed ? pick([0, 1, 3, 20]) : 400) * 86_400_000);
    return {
      ...asUser,
      actor: owner.id,
      type: "BONUS",
      reason: chance(0.5) ? "A gift" : undefined,
      endsAt: chance(0.7) ? soon : undefined,
    };
  }
  const recent = world.posted.slice(chance(0.6) ? -15 : -300);
  const original = recent.length > 0 ? pick(recent)?.id : undefined;
  if (kind < 86) {
    const own = by === worker && chance(0.8);
    return {
      ...asUser,
      type: "REVERSAL",
      customer: undefined,
      branch: undefined,
      points: undefined,
      reverses: original ?? randomUUID(),
      reason: chance(0.5) ? "Wrong" : undefined,
      ...(own ? { scope: "own" as const } : {}),
    };
  }
  if (kind < 96) {
    const redeemed = recent.filter((move) => move.type === "REDEEM");
    const refunds = (redeemed.length > 0 && chance(0.95) ? pick(redeemed).id : original) ?? randomUUID();
    return {
      ...asUser,
      type: "REFUND",
      customer: undefined,
      branch: undefined,
      refunds,
      points: chance(0.3) ? undefined : 1 + below(40),
      reason: "Returned",
    };
  }
  if (kind < 98)
    return { ...asUser, type: chance(0.5) ? "IMPORT" : "ADJUSTMENT", points: chance(0.5) ? amount : -amount };
  const nobody = {
    ...row,
    branch: chance(0.9) ? undefined : row.branch,
    type: "ADJUSTMENT" as const,
    points: -amount,
  };
  return { ...nobody, actorType: chance(0.5) ? "card_holder" : "system" };
}

/** Changes something that posting reads, in the database and in the model. */
async function change(world: World, dice: Random): Promise<void> {
  const { chance, pick, below } = dice;
  const shop = pick(world.shops);
  const where = { where: { id: shop.id } };
  const what = below(9);
  if (what === 0) {
    shop.rules = {
      ...{ rate: pick([100, 100, 120, 90]), min: pick([1, 1, 5]), max: pick([5000, 300]) },
      ...{ maxBalance: pick([20_000, 5_000]), undo: pick([15, 15, 0]), cap: pick([null, null, 3_000]) },
    };
    const { rate, min, max, maxBalance, undo, cap } = shop.rules;
    await client.query(
      `INSERT INTO points_configs (merchant_id, version, dirhams_per_point, min_top_up, max_top_up, max_balance, undo_minutes, worker_daily_cap)
       SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $4, $5, $6, $7 FROM points_configs WHERE merchant_id = $1`,
      [shop.id, rate, min, max, maxBalance, undo, cap],
    );
  } else if (what === 1) {
    shop.paidFirst = chance(0.4);
    await db.merchant.update({
      ...where,
      data: { spendOrder: shop.paidFirst ? "paid_first" : "bonus_first" },
    });
  } else if (what === 2) {
    shop.refundDays = pick([0, 1, 30]);
    await db.merchant.update({ ...where, data: { refundDays: shop.refundDays } });
  } else if (what === 3) {
    shop.suspended = chance(0.15);
    await db.merchant.update({ ...where, data: { suspendedAt: shop.suspended ? new Date() : null } });
  } else if (what === 4) {
    shop.approved = chance(0.9);
    await db.merchant.update({ ...where, data: { status: shop.approved ? "approved" : "rejected" } });
  } else if (what === 5) {
    const card = pick(world.cards);
    card.status = chance(0.7) ? "active" : pick(["blocked", "frozen"]);
    await db.customer.update({ where: { id: card.id }, data: { status: card.status } });
  } else if (what === 6) {
    const branch = pick([...world.model.branches.values()]);
    branch.archived = chance(0.2);
    await db.branch.update({
      where: { id: branch.id },
      data: { archivedAt: branch.archived ? new Date() : null },
    });
  } else if (what === 7) {
    shop.allowance = pick([400, 5_000, 50]);
    await db.merchant.update({ ...where, data: { redeemAllowance: shop.allowance } });
  } else if (!world.timed) await endLot(world, dice);
}

/** A lot ends: without waiting for it, by another end in both. */
async function endLot(world: World, { pick }: Random): Promise<void> {
  const lots = world.cards.flatMap((card) => card.lots).filter((lot) => lot.ends !== null && lot.move.id);
  if (lots.length === 0) return;
  const lot = pick(lots);
  lot.ends = Date.now() - 3_600_000;
  const { id } = lot.move;
  const end = new Date(lot.ends);
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL wallet.posting = 'on'`;
    await tx.$executeRaw`UPDATE lots SET ends_at = ${end}, granted_ends_at = ${end} WHERE id = ${id}::uuid`;
  });
}

const shown = (expected: Expected) =>
  "move" in expected
    ? {
        outcome: expected.outcome,
        ...{ id: expected.outcome === "replayed" ? expected.move.id : null, type: expected.move.type },
        ...{ paid: expected.move.paid, bonus: expected.move.bonus, balance: expected.move.balance },
        ...{ bonusAfter: expected.move.bonusAfter, rate: expected.move.rate, seq: expected.move.seq },
        balanceRate: expected.move.balanceRate,
      }
    : expected;

const seen = (outcome: Outcome | undefined) => {
  if (!outcome || !("movement" in outcome)) return outcome;
  const { movement } = outcome;
  return {
    outcome: outcome.outcome,
    ...{ id: outcome.outcome === "replayed" ? movement.id : null, type: movement.type },
    ...{ paid: movement.paidPoints, bonus: movement.bonusPoints, balance: movement.balanceAfter },
    ...{ bonusAfter: movement.bonusAfter, rate: movement.rate, seq: movement.seq },
    balanceRate: movement.balanceRate,
  };
};

async function postBatchInBoth(world: World, dice: Random): Promise<number> {
  const size = dice.chance(0.2) ? 1 : 1 + dice.below(90);
  world.clock = world.timed
    ? world.clock + dice.pick([1_000, 60_000, 600_000, 7_200_000, 40_000_000])
    : Date.now();
  const at = world.timed ? new Date(world.clock) : undefined;
  const rows = Array.from({ length: size }, () => ({ ...someRow(world, dice), at }));
  const outcomes = await postOver(client, rows, { skip: dice.chance(0.5) });
  // Customer by customer, as the function does it: keys and a worker's limit span customers.
  const order = rows
    .map((row, index) => ({ row, index, card: world.model.cardOf(row)?.id ?? "~" }))
    .sort((a, b) => (a.card < b.card ? -1 : a.card > b.card ? 1 : a.index - b.index));
  const expected = new Map<number, Expected>();
  let tick = world.clock;
  for (const { row, index } of order) {
    tick += world.timed ? 0 : 0.001;
    expected.set(index, world.model.post(row, tick));
  }
  // Ids first: what one row posted another of the batch may answer again.
  for (const [index, answer] of expected) {
    const outcome = outcomes[index];
    if (answer.outcome !== "posted" || !("move" in answer) || !outcome || !("movement" in outcome)) continue;
    answer.move.id = outcome.movement.id;
    world.model.moves.set(outcome.movement.id, answer.move);
    world.posted.push(answer.move);
  }
  for (const [index, row] of rows.entries()) {
    const answer = expected.get(index);
    const difference = JSON.stringify(row);
    expect(seen(outcomes[index]), difference).toEqual(answer && shown(answer));
    world.keys.push({ key: row.key, row });
  }
  return size;
}

async function expectSameState(world: World): Promise<void> {
  const ids = world.cards.map(({ id }) => id);
  const customers = await client.query(
    `SELECT c.id, c.balance, c.bonus, c.movement_count, c.unproved,
      (SELECT coalesce(json_agg(json_build_object('id', l.id, 'left', l.remaining, 'extended', l.extended) ORDER BY l.id), '[]')
       FROM lots l WHERE l.customer_id = c.id) AS lots,
      (SELECT coalesce(sum(paid_points), 0)::int FROM movements m WHERE m.customer_id = c.id) AS paid,
      (SELECT count(*)::int FROM lots l WHERE l.customer_id = c.id AND l.remaining <>
        (SELECT sum(x.points) FROM lot_moves x WHERE x.lot_id = l.id)) AS crooked
     FROM customers c WHERE c.id = ANY ($1::uuid[])`,
    [ids],
  );
  for (const row of customers.rows) {
    const card = world.model.cards.get(row.id) as Card;
    const lots = card.lots.map(({ move, left, extended }) => ({ id: move.id, left, extended }));
    expect(row).toEqual({
      ...{
        id: card.id,
        balance: balanceOf(card),
        bonus: balanceOf(card) - card.paid,
        paid: card.paid,
        crooked: 0,
      },
      ...{ movement_count: card.moves.length, unproved: card.unproved },
      lots: lots.sort((a, b) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1)),
    });
  }
}

test(`${ROWS} random rows are answered as the model answers them`, { timeout: ROWS * 60 }, async () => {
  const seen = new Set<string>();
  for (let done = 0, n = 0; done < ROWS; n++) {
    const dice = random(SEED + n);
    const world = await makeWorld(n % 2 === 1);
    for (let here = 0; here < ROWS_A_WORLD && done < ROWS; ) {
      const size = await postBatchInBoth(world, dice);
      here += size;
      done += size;
      if (dice.chance(0.3)) await change(world, dice);
    }
    await expectSameState(world);
    for (const { type } of world.cards.flatMap(({ moves }) => moves)) seen.add(type);
  }
  expect([...seen].sort()).toEqual([
    "ADJUSTMENT",
    "BONUS",
    "EXPIRY",
    "IMPORT",
    "REDEEM",
    "REFUND",
    "REVERSAL",
    "TOP_UP",
  ]);
});

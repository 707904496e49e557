import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { pointsAt } from "@/lib/testing/ledger-holds";
import { balanceOf, type Expected, heldOf, type ModelCard } from "@/lib/testing/ledger-model-types";
import { type LedgerWorld, makeLedgerWorld, type Random, random } from "@/lib/testing/ledger-world";
import { change } from "@/lib/testing/random-changes";
import { someRow } from "@/lib/testing/random-rows";
import { type Outcome, postOver } from "./batch";
import { availableOf, pocketsAt, pocketsOf } from "./pockets";
import { verifyMerchant } from "./verify";

// The function in the database against the plain model, on the same random rows. LONG=1: a million rows; or ROWS.
const ROWS = Number(process.env.ROWS ?? (process.env.LONG ? 1_000_000 : 20_000));
const ROWS_A_WORLD = 5_000;
const SEED = Number(process.env.SEED ?? 20261122);

const db = await testDb();
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
afterAll(() => client.end());

/** `timed`: whether the row carries its moment; the database's clock is another. */
const shown = (expected: Expected, timed: boolean) =>
  expected.outcome === "held" && "hold" in expected
    ? {
        outcome: "held",
        replayed: expected.replayed,
        id: expected.replayed ? expected.hold.id : null,
        // A hold whose time is over is lapsed, which its card's next posting writes down.
        points: expected.hold.points,
        paid: expected.hold.paid,
        captured: expected.hold.captured,
        expiresAt: expected.replayed || !timed ? null : expected.hold.expiresAt,
        ...(expected.replayed ? {} : { state: expected.hold.state }),
      }
    : "move" in expected
      ? {
          outcome: expected.outcome,
          id: expected.outcome === "replayed" ? expected.move.id : null,
          type: expected.move.type,
          paid: expected.move.paid,
          bonus: expected.move.bonus,
          balance: expected.move.balance,
          bonusAfter: expected.move.bonusAfter,
          rate: expected.move.rate,
          seq: expected.move.seq,
          balanceRate: expected.move.balanceRate,
        }
      : expected;

const seen = (outcome: Outcome | undefined, timed: boolean) => {
  if (outcome?.outcome === "held") {
    const { hold, replayed } = outcome;
    return {
      outcome: "held",
      replayed,
      id: replayed ? hold.id : null,
      points: hold.points,
      paid: hold.drawn.paid,
      captured: hold.captured,
      expiresAt: replayed || !timed ? null : hold.expiresAt.getTime(),
      ...(replayed ? {} : { state: hold.state }),
    };
  }
  if (!outcome || !("movement" in outcome)) {
    if (!outcome) return outcome;
    const { hold: _, ...refusal } = outcome;
    return refusal;
  }
  const { movement } = outcome;
  return {
    outcome: outcome.outcome,
    id: outcome.outcome === "replayed" ? movement.id : null,
    type: movement.type,
    paid: movement.paidPoints,
    bonus: movement.bonusPoints,
    balance: movement.balanceAfter,
    bonusAfter: movement.bonusAfter,
    rate: movement.rate,
    seq: movement.seq,
    balanceRate: movement.balanceRate,
  };
};

async function postBatchInBoth(world: LedgerWorld, dice: Random): Promise<number> {
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
  // As they are now: a later row may change the hold.
  const shownThen = new Map<number, object>();
  let tick = world.clock;
  for (const { row, index } of order) {
    tick += world.timed ? 0 : 0.001;
    const answer = world.model.post(row, tick);
    expected.set(index, answer);
    if (answer.outcome === "held") shownThen.set(index, { ...shown(answer, world.timed) });
  }
  // Ids first: what one row posted another of the batch may answer again.
  for (const [index, answer] of expected) {
    const outcome = outcomes[index];
    if (answer.outcome === "held" && "hold" in answer && outcome?.outcome === "held") {
      answer.hold.id = outcome.hold.id;
      world.model.holds.set(outcome.hold.id, answer.hold);
      continue;
    }
    if (answer.outcome !== "posted" || !("move" in answer) || !outcome || !("movement" in outcome)) continue;
    answer.move.id = outcome.movement.id;
    world.model.moves.set(outcome.movement.id, answer.move);
    world.posted.push(answer.move);
  }
  for (const [index, row] of rows.entries()) {
    const answer = expected.get(index);
    const difference = JSON.stringify(row);
    const then = shownThen.get(index);
    const wanted = answer && { ...shown(answer, world.timed), ...then };
    if (answer?.outcome === "held" && "hold" in answer && answer.replayed && wanted)
      Object.assign(wanted, { id: answer.hold.id });
    expect(seen(outcomes[index], world.timed), difference).toEqual(wanted);
    world.keys.push({ key: row.key, row });
  }
  return size;
}

type Remembered = { id: string; at: Date; points: ReturnType<typeof pointsAt> };

/** Reads a card as it will be, though nothing has written what ends until then. Answers how it is now. */
async function expectReads({ cards, clock }: LedgerWorld, dice: Random): Promise<Remembered> {
  const card = dice.pick(cards);
  const now = Math.max(clock, card.last);
  const at = new Date(now + dice.pick([0, 31_000, 700_000, 100_000_000, 700_000_000]));
  const { paid, bonus, held } = pointsAt(card, at.getTime());
  expect(await pocketsOf(db, card.id, at), card.id).toMatchObject({ paid, bonus });
  expect(await availableOf(db, card.id, at), card.id).toBe(paid + bonus - held);
  return { id: card.id, at: new Date(now), points: pointsAt(card, now) };
}

async function expectSameState(world: LedgerWorld): Promise<void> {
  const ids = world.cards.map(({ id }) => id);
  const customers = await client.query(
    `SELECT c.id, c.balance, c.bonus, c.held, c.movement_count, c.unproved,
      (SELECT coalesce(json_agg(json_build_object('id', l.movement_id, 'left', l.remaining, 'held', l.held,
        'extended', l.extended) ORDER BY l.movement_id), '[]')
       FROM lots l WHERE l.customer_id = c.id) AS lots,
      (SELECT coalesce(sum(paid_points), 0)::int FROM movements m WHERE m.customer_id = c.id) AS paid,
      (SELECT count(*)::int FROM lots l WHERE l.customer_id = c.id AND l.remaining <>
        (SELECT sum(x.points) FROM lot_moves x WHERE x.lot_id = l.id)) AS crooked
     FROM customers c WHERE c.id = ANY ($1::uuid[])`,
    [ids],
  );
  for (const row of customers.rows) {
    const card = world.model.cards.get(row.id) as ModelCard;
    const lots = card.lots.map(({ move, left, held, extended }) => ({ id: move.id, left, held, extended }));
    expect(row).toEqual({
      ...{
        id: card.id,
        balance: balanceOf(card),
        held: heldOf(card),
        bonus: balanceOf(card) - card.paid,
        paid: card.paid,
        crooked: 0,
      },
      movement_count: card.moves.length,
      unproved: card.unproved,
      lots: lots.sort((a, b) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1)),
    });
  }
}

test(`${ROWS} random rows are answered as the model answers them`, { timeout: ROWS * 60 }, async () => {
  const seen = new Set<string>();
  const states = new Set<string>();
  for (let done = 0, n = 0; done < ROWS; n++) {
    const dice = random(SEED + n);
    const world = await makeLedgerWorld(db, client, n % 2 === 1);
    const past: Remembered[] = [];
    for (let here = 0; here < ROWS_A_WORLD && done < ROWS; ) {
      const size = await postBatchInBoth(world, dice);
      here += size;
      done += size;
      if (dice.chance(0.3)) await change(world, dice);
      if (world.timed && dice.chance(0.5)) past.push(await expectReads(world, dice));
    }
    await expectSameState(world);
    for (const { id, at, points } of past) {
      const { pockets, held } = await pocketsAt(db, id, at);
      expect({ paid: pockets.paid, bonus: pockets.bonus, held }, `${id} ${at.toISOString()}`).toEqual(points);
    }
    for (const { id } of world.shops) expect((await verifyMerchant(db, id)).firstWrong).toBeNull();
    for (const { state } of world.cards.flatMap(({ holds }) => holds)) states.add(state);
    for (const { type } of world.cards.flatMap(({ moves }) => moves)) seen.add(type);
  }
  expect([...states].sort()).toEqual(["captured", "lapsed", "open", "voided"]);
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

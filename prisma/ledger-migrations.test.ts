import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createDb } from "@/lib/db/client";
import { fillDailySums, sealMovements } from "@/lib/jobs/daily-sums";
import { verifyMerchant } from "@/lib/ledger/verify";
import { databaseBefore, loadDump, totalsOf } from "@/lib/testing/old-database";
import { fillOldLedger, oldLedgerTotals } from "@/lib/testing/old-ledger";
import { day, GIVEN_UP, oldShop, sumDays } from "@/lib/testing/old-shop";
import { migrate } from "@/scripts/lib/migrate";

test("the demo of the release before keeps every balance, movement and row", async () => {
  const { url, client } = await databaseBefore("20261121230000_actors");
  await loadDump(client, "demo-2026-11-21.json.gz");
  const before = await totalsOf(client);
  expect(before).toMatchObject({ counts: { customers: 57, movements: 1690 }, wrong: [] });
  const { rows: given } = await client.query("select id from movements where reason = $1 order by id", [
    GIVEN_UP,
  ]);
  expect(given).toHaveLength(2);

  await migrate(url);

  const { counts, ...after } = await totalsOf(client);
  expect(after).toEqual({ ...before, counts: undefined, days: after.days });
  // A table that was renamed or added since is no loss; none of the others has a row less.
  for (const [table, rows] of Object.entries(before.counts as Record<string, number>)) {
    expect({ table, rows: (counts as Record<string, number>)[table] ?? rows }).toEqual({ table, rows });
  }
  const holders = await client.query("select id from movements where actor_type = 'card_holder' order by id");
  expect(holders.rows).toEqual(given);
});

test("pockets: what stands is paid, its top-ups cash; reasons and names are kept, sums and keys stay", async () => {
  const { url, client } = await databaseBefore("20261122000000_movement_types");
  const shop = await oldShop(client, "karak");
  const [one, two] = [await shop.customer("one@customer.test"), await shop.customer("two@customer.test")];
  const key = randomUUID();
  const first = await shop.post(one, { type: "TOP_UP", points: 80, key, at: day(1) });
  const spent = await shop.post(one, { type: "REDEEM", points: 30, at: day(2) });
  const undone = await shop.post(one, {
    type: "REVERSAL",
    reverses: spent,
    reason: "Wrong bill",
    at: day(2),
  });
  await shop.post(two, { type: "IMPORT", points: 500, at: day(1) });
  await shop.post(two, { type: "REDEEM", points: 20, at: day(3) });
  await sumDays(client);
  const before = await totalsOf(client);

  expect(await migrate(url)).toContain("20261122000200_posting");

  expect(await totalsOf(client)).toMatchObject(before);
  const { rows } = await client.query(
    `select m.id, tender, paid_points, bonus_points, bonus_after, balance_rate, reverses_type, actor_name, branch_name,
      occurred_at = m.created_at as posted, text_hash = sha256(salt || convert_to(t.reason, 'UTF8')) as proved
     from movements m left join movement_texts t on t.movement_id = m.id where customer_id = $1 order by seq`,
    [one],
  );
  const same = {
    ...{
      bonus_points: 0,
      bonus_after: 0,
      balance_rate: 100,
      actor_name: "Noor Al Thani",
      branch_name: "Souq",
    },
    ...{ posted: true, tender: null, reverses_type: null, proved: null },
  };
  expect(rows).toEqual([
    { ...same, id: first, tender: "cash", paid_points: 80 },
    { ...same, id: spent, paid_points: -30 },
    { ...same, id: undone, paid_points: 30, reverses_type: "REDEEM", proved: true },
  ]);
  const { rows: customers } = await client.query(
    "select bonus, last_posted_at, unproved_on::text, unproved from customers where id = any ($1) order by balance",
    [[one, two]],
  );
  expect(customers).toEqual([
    { bonus: 0, last_posted_at: new Date(day(2)), unproved_on: "2026-10-02", unproved: 0 },
    { bonus: 0, last_posted_at: new Date(day(3)), unproved_on: "2026-10-03", unproved: 20 },
  ]);
  // A request of before is known; the old signature posts on.
  const row = { idx: 0, type: "TOP_UP", customer: one, branch: shop.branch, actor: shop.owner, scope: "any" };
  const post = async (given: object) =>
    (
      await client.query("select outcome, balance_after from post_movements($1::jsonb)", [
        JSON.stringify([{ ...row, points: 80, proof: "none", ...given }]),
      ])
    ).rows;
  expect(await post({ key, hash: key })).toEqual([{ outcome: "replayed", balance_after: 80 }]);
  expect(await post({ key: "new", hash: "new" })).toEqual([{ outcome: "posted", balance_after: 160 }]);
  const { rows: keys } = await client.query(
    `select conname from pg_constraint where contype = 'f' and (confdeltype in ('n', 'c', 'd') or confupdtype in ('n', 'c', 'd'))
     and conrelid::regclass::text in ('movements', 'movement_texts', 'lots', 'lot_moves', 'seals', 'answered_keys', 'daily_sums', 'merchant_days', 'proof_uses')`,
  );
  expect(keys).toEqual([]);
  await expect(client.query("delete from branches where id = $1", [shop.branch])).rejects.toThrow(
    /a movement names/,
  );
  await client.query("delete from branches where id = $1", [shop.other]);
});

// LARGE_TEST=full: a million. Migrations that go on in parts take 2,000 customers at a time, and this has 3,000.
const LARGE = process.env.LARGE_TEST === "full" ? 1_000_000 : 30_000;

test("a large ledger of before is paid and cash, keeps each balance, movement and sum, is sealed and verifies", async () => {
  const { url, client } = await databaseBefore("20261121230000_actors");
  const shops = [await oldShop(client, "karak"), await oldShop(client, "oryx")];
  for (const shop of shops) await fillOldLedger(client, shop, LARGE / 2);
  await sumDays(client);
  const before = await oldLedgerTotals(client);
  expect(before).toMatchObject({ movements: LARGE, customers: LARGE / 10, wrong: 0 });

  await migrate(url);

  expect(await oldLedgerTotals(client)).toEqual(before);
  const { rows: changed } = await client.query(
    `select id from movements where paid_points <> points or bonus_points <> 0 or bonus_after <> 0
      or tender is distinct from case when type = 'TOP_UP' then 'cash'::"Tender" end limit 1`,
  );
  expect(changed).toEqual([]);
  const db = createDb(url, 3);
  try {
    // All of it: what was posted before the migration is below every horizon.
    expect(await sealMovements(db)).toBe(LARGE);
    await fillDailySums(db);
    for (const { merchant = "" } of shops) {
      const seal = await db.seal.findFirstOrThrow({ where: { merchantId: merchant } });
      const verdict = await verifyMerchant(db, merchant);
      expect(verdict).toEqual({
        ...{ movements: LARGE / 2, firstWrong: null, sealedTo: seal.sealedAt },
        head: seal.head,
      });
    }
  } finally {
    await db.$disconnect();
  }
}, 1_800_000);

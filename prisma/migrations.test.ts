import { randomUUID } from "node:crypto";
import type pg from "pg";
import { expect, test } from "vitest";
import { verifyAudits } from "@/lib/audit/check-audits";
import { createDb } from "@/lib/db/client";
import { fillDailySums, sealAudits } from "@/lib/jobs/daily-sums";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { databaseBefore, loadDump, totalsOf } from "@/lib/testing/old-database";
import { migrate } from "@/scripts/lib/migrate";

const GIVEN_UP = "Given up by the customer, who deleted the card";

type Post = { type: string; points?: number; reverses?: string; reason?: string; key?: string; at: string };

/** A merchant of before, with an owner, two branches and a way to post to a customer. */
async function oldShop(client: pg.Client, name: string) {
  const [merchant, owner, branch, other] = Array.from({ length: 4 }, () => randomUUID());
  await client.query(
    `insert into merchants (id, business_name, first_name, last_name, email, phone, status)
     values ($1, $2, 'Noor', 'Al Thani', $3, '+97433000000', 'approved')`,
    [merchant, name, `${name}@shop.test`],
  );
  await client.query(
    `insert into users (id, role, email, first_name, last_name, merchant_id)
     values ($1, 'merchant_owner', $2, 'Noor', 'Al Thani', $3)`,
    [owner, `${name}@owner.test`, merchant],
  );
  await client.query(
    `insert into branches (id, merchant_id, name, city) values ($1, $3, 'Souq', 'Doha'), ($2, $3, 'Pearl', 'Doha')`,
    [branch, other, merchant],
  );
  const customer = async (email: string) => {
    const id = randomUUID();
    await client.query(
      `insert into customers (id, public_id, merchant_id, full_name, email) values ($1, $2, $3, 'Layla', $4)`,
      [id, randomUUID(), merchant, email],
    );
    return id;
  };
  const post = async (to: string, { key = randomUUID(), ...row }: Post, at = branch) => {
    const given = {
      idx: 0,
      customer: to,
      branch: at,
      actor: owner,
      scope: "any",
      key,
      hash: key,
      proof: "none",
    };
    const { rows } = await client.query("select * from post_movements($1::jsonb, true)", [
      JSON.stringify([{ ...given, ...row }]),
    ]);
    expect(rows[0].outcome).toBe("posted");
    return rows[0].movement_id as string;
  };
  return { merchant, owner, branch, other, customer, post };
}

const day = (n: number) => `2026-10-${String(n).padStart(2, "0")}T09:00:00Z`;

/** The sums of the days gone by, as the job of before wrote them. */
const sumDays = (client: pg.Client) =>
  client.query(`insert into daily_sums (day, merchant_id, branch_id, type, movements, points)
    select (created_at at time zone 'Asia/Qatar')::date, merchant_id, branch_id, case when type <> 'REVERSAL' then type
      when points < 0 then 'TOP_UP' else 'REDEEM' end, count(*) filter (where type <> 'REVERSAL'), sum(points)
    from movements group by 1, 2, 3, 4`);

test("actors: what erased customers gave up becomes the card holder's, and nothing else changes", async () => {
  const { url, client } = await databaseBefore("20261121230000_actors");
  const shop = await oldShop(client, "karak");
  const next = await oldShop(client, "oryx");
  const gone = await shop.customer("gone@customer.test");
  const left = await next.customer("left@customer.test");
  const stays = await shop.customer("stays@customer.test");
  const key = randomUUID();
  await shop.post(gone, { type: "TOP_UP", points: 80, at: day(1) });
  await shop.post(stays, { type: "TOP_UP", points: 50, key, at: day(1) });
  await next.post(left, { type: "TOP_UP", points: 30, at: day(2) });
  const givenUp = [
    await shop.post(gone, { type: "ADJUSTMENT", points: -80, reason: GIVEN_UP, at: day(3) }, shop.other),
    await next.post(left, { type: "ADJUSTMENT", points: -30, reason: GIVEN_UP, at: day(3) }),
  ];
  const alike = [
    await shop.post(
      stays,
      { type: "ADJUSTMENT", points: -5, reason: `${GIVEN_UP}.`, at: day(3) },
      shop.other,
    ),
    await shop.post(stays, { type: "TOP_UP", points: 7, reason: GIVEN_UP, at: day(4) }),
  ];
  await sumDays(client);
  await client.query(
    `insert into audits (actor_id, action, entity, entity_id) values
       ($1, 'customer.blocked', 'customer', $2), (null, 'customer.erased', 'customer', $2),
       (null, 'merchant.received', 'merchant', $3)`,
    [shop.owner, gone, shop.merchant],
  );
  const before = await totalsOf(client);

  expect(await migrate(url)).toContain("20261121230000_actors");

  // Later migrations may add tables and columns; what there was is still there.
  expect(await totalsOf(client)).toMatchObject(before);
  const actors = async (ids: string[]) =>
    (
      await client.query(
        "select actor_type, actor_id, branch_id, api_key_id from movements where id = any ($1) order by seq, id",
        [ids],
      )
    ).rows;
  const holder = { actor_type: "card_holder", actor_id: null, branch_id: null, api_key_id: null };
  expect(await actors(givenUp)).toEqual([holder, holder]);
  for (const row of await actors(alike))
    expect(row).toMatchObject({ actor_type: "user", actor_id: shop.owner });
  const { rows: audits } = await client.query(
    "select actor_type, actor_id, customer_id from audits order by action",
  );
  expect(audits).toEqual([
    { actor_type: "user", actor_id: shop.owner, customer_id: null },
    { actor_type: "card_holder", actor_id: null, customer_id: gone },
    { actor_type: null, actor_id: null, customer_id: null },
  ]);
  // The ledger is append-only again, and a request of before is still known.
  await expect(client.query("update movements set points = 1")).rejects.toThrow(/append-only/);
  const repeat = [
    {
      idx: 0,
      type: "TOP_UP",
      customer: stays,
      branch: shop.branch,
      actor: shop.owner,
      scope: "any",
      points: 50,
    },
  ].map((row) => ({ ...row, key, hash: key, proof: "none" }));
  const { rows: again } = await client.query("select outcome from post_movements($1::jsonb, true)", [
    JSON.stringify(repeat),
  ]);
  expect(again).toEqual([{ outcome: "replayed" }]);
  // The job finds the sums as it would write them.
  const sums = () => client.query("select * from daily_sums order by day, merchant_id, branch_id, type");
  const { rows: moved } = await sums();
  const db = createDb(url, 2);
  await fillDailySums(db);
  await db.$disconnect();
  expect((await sums()).rows).toEqual(moved);
  expect(moved.filter(({ branch_id }) => branch_id === null)).toMatchObject([
    { type: "ADJUSTMENT", movements: 1 },
    { type: "ADJUSTMENT", movements: 1 },
  ]);
});

test("card devices: the renamed table keeps every row, and no name contains the old one", async () => {
  const { url, client } = await databaseBefore("20261121233000_card_devices");
  const shop = await oldShop(client, "karak");
  const customer = await shop.customer("holder@customer.test");
  await client.query("insert into card_holders (customer_id, token_hash) values ($1, 'one'), ($1, 'two')", [
    customer,
  ]);
  const { rows: before } = await client.query("select * from card_holders order by id");

  expect(await migrate(url)).toContain("20261121233000_card_devices");

  const { rows: after } = await client.query("select * from card_devices order by id");
  expect(after).toEqual(before);
  expect(after).toHaveLength(2);
  const { rows: names } = await client.query(
    `select conname as name from pg_constraint where conname like 'card\\_holders%'
     union all select relname from pg_class where relname like 'card\\_holders%'`,
  );
  expect(names).toEqual([]);
  const { rows: indexes } = await client.query(
    "select indexname from pg_indexes where tablename = 'card_devices' order by 1",
  );
  expect(indexes.map(({ indexname }) => indexname)).toEqual([
    "card_devices_customer_id_idx",
    "card_devices_pkey",
    "card_devices_token_hash_key",
  ]);
});

test("an empty database gets every migration", async () => {
  const { url, client } = await databaseBefore("20261121000000_init");
  await client.query("drop table _prisma_migrations");
  expect((await migrate(url)).at(0)).toBe("20261121000000_init");
  expect(await migrate(url)).toEqual([]);
});

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

test("audit chain: every entry stays, its values move beside it, and the chain seals all of them", async () => {
  const { url, client } = await databaseBefore("20261121230000_actors");
  await loadDump(client, "demo-2026-11-21.json.gz");
  await migrate(url, { before: "20261122130000_audit_chain" });
  const { rows: merchants } = await client.query("select id from merchants limit 1");
  const values = {
    before: { name: "Souq", city: null },
    after: { name: "Pearl", nested: { list: [1, "ليلى"] } },
  };
  await client.query(
    `insert into audits (merchant_id, action, entity, entity_id, before, after, created_at) values
       ($1, 'branch.changed', 'branch', gen_random_uuid()::text, $2, $3, '2025-01-01'),
       ($1, 'customer.email', 'customer', gen_random_uuid()::text, null, null, '2025-01-02')`,
    [merchants[0].id, values.before, values.after],
  );
  const { rows: before } = await client.query("select * from audits order by id");

  expect(await migrate(url)).toContain("20261122130000_audit_chain");

  const { rows: after } = await client.query(
    `select a.id, a.actor_type, a.actor_id, a.api_key_id, a.customer_id, a.job, a.merchant_id, a.action, a.entity,
       a.entity_id, t.content->'before' as before, t.content->'after' as after, a.created_at
     from audits a left join audit_texts t on t.audit_id = a.id order by a.id`,
  );
  expect(after).toEqual(before.map((row) => expect.objectContaining(row)));
  expect(before.length).toBeGreaterThanOrEqual(2);
  const db = createDb(url, 2);
  await waitForOpenTransactions(db);
  expect(await sealAudits(db)).toBe(before.length);
  expect(await verifyAudits(db)).toMatchObject({ entries: before.length, wrong: null });
  await db.$disconnect();
});

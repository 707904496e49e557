import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createDb } from "@/lib/db/client";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { databaseBefore, totalsOf } from "@/lib/testing/old-database";
import { day, GIVEN_UP, oldShop, sumDays } from "@/lib/testing/old-shop";
import { migrate } from "@/scripts/lib/migrate";

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

test("folded search: every card there is gets its folded text, and nothing else of it changes", async () => {
  const { url, client } = await databaseBefore("20261122230000_folded_search");
  const shop = await oldShop(client, "karak");
  const layla = await shop.customer("layla@customer.test");
  await client.query("update customers set full_name = 'ليلى آل-ثاني' where id = $1", [layla]);
  await client.query(
    `insert into customers (id, public_id, merchant_id, full_name, email)
     select gen_random_uuid(), gen_random_uuid(), $1, 'Twin ' || n, 'twin' || n || '@customer.test'
     from generate_series(1, 2100) n`,
    [shop.merchant],
  );
  await shop.post(layla, { type: "TOP_UP", points: 80, at: day(1) });
  const before = await totalsOf(client);

  expect(await migrate(url)).toContain("20261122230000_folded_search");

  expect(await totalsOf(client)).toMatchObject(before);
  const count = async (term: string) =>
    (
      await client.query(
        "select count(*)::int as n from customers where search_text like search_pattern($1)",
        [term],
      )
    ).rows[0].n;
  expect([await count("ليلي ال ثانى"), await count("TWIN "), await count("twin2100@")]).toEqual([1, 2100, 1]);
  const { rows } = await client.query(
    "select indexname from pg_indexes where tablename = 'customers' and indexname like '%search%' order by 1",
  );
  expect(rows.map(({ indexname }) => indexname)).toEqual(["customers_merchant_search", "customers_search"]);
  await client.query("update customers set full_name = 'Noura' where id = $1", [layla]);
  expect([await count("ليلى"), await count("noura")]).toEqual([0, 1]);
});

test("an empty database gets every migration", async () => {
  const { url, client } = await databaseBefore("20261121000000_init");
  await client.query("drop table _prisma_migrations");
  expect((await migrate(url)).at(0)).toBe("20261121000000_init");
  expect(await migrate(url)).toEqual([]);
});

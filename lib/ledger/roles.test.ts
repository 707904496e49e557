import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { sealMovements } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import { type MerchantFixture, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postRow } from "@/lib/testing/post-rows";
import { FORBIDDEN_STATEMENTS, REFUSALS, WRITING_RIGHTS } from "@/lib/testing/role-attacks";

const db = await testDb();
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
let shop: MerchantFixture;
let customer: string;

beforeAll(async () => {
  shop = await makeMerchant(db);
  customer = (await makeCustomer(db, shop)).id;
  await postRow(db, shop, { type: "TOP_UP", customer, points: 10 });
  await postRow(db, shop, { type: "BONUS", customer, points: 10, reason: "Opening" });
  await waitForOpenTransactions(db);
  await sealMovements(db);
  await client.connect();
});
afterAll(() => client.end());

test("the application's role is granted no right to write what functions alone write", async () => {
  expect((await client.query(WRITING_RIGHTS)).rows).toEqual([]);
});

test.each(FORBIDDEN_STATEMENTS)("as the application's role: %s", async (statement) => {
  // Whatever it sets first.
  for (const setting of ["wallet.posting = 'on'", "wallet.posting = 'post'"]) {
    await client.query("begin");
    await client.query(`set local ${setting}`);
    const refused = await client.query(statement).then(
      () => "it was done",
      (error: pg.DatabaseError) => error.code,
    );
    await client.query("rollback");
    expect(REFUSALS, `${statement}: ${refused}`).toContain(refused);
  }
});

test("what stands is as before, and the application posts, seals, counts and reads", async () => {
  const app = getDb();
  const before = await app.movement.count();
  await postRow(app, shop, { type: "TOP_UP", customer, points: 7 });
  expect(await app.movement.count()).toBe(before + 1);
  await waitForOpenTransactions(app);
  expect(await sealMovements(app)).toBe(1);
  await app.$queryRaw`select keep_sums()`;
  const made = await makeCustomer(app, shop);
  expect(made).toMatchObject({ balance: 0, bonus: 0, movementCount: 0 });
  await app.customer.update({ where: { id: made.id }, data: { fullName: "Another name" } });
  await app.$queryRaw`select graphile_worker.add_job('nothing', json_build_object('id', ${randomUUID()}::text))::text as job`;
  expect(await app.$queryRaw`select task_identifier from graphile_worker.jobs`).toEqual([
    { task_identifier: "nothing" },
  ]);
});

test("functions that write in the owner's name look nowhere but in the product's schema, and are closed to others", async () => {
  const open = await db.$queryRaw<{ name: string }[]>`
    select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      and (has_function_privilege('public', p.oid, 'execute')
        or (p.prosecdef and not coalesce(p.proconfig @> array['search_path=pg_catalog, public, pg_temp'], false)))`;
  expect(open).toEqual([]);
  const doors = await db.$queryRaw<{ name: string }[]>`
    select distinct proname as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace order by 1`;
  expect(doors.map(({ name }) => name)).toEqual([
    ...["add_event", "add_test_event", "age_events"],
    ...[
      "age_posting_guards",
      "chain_config",
      "close_shift",
      "erase_audit_texts",
      "erase_customer_texts",
      "erase_movement_texts",
      "expire_bonus",
      "expire_bonus_of",
      "give_up_key",
      "keep_merchant_days",
    ],
    ...[
      "keep_staff_contacts",
      "keep_sums",
      "lapse_holds",
      "lengthen_holds",
      "mark_staff_card",
      "mend_sums",
      "move_drawer",
      "open_shift",
      "post_movements",
    ],
    ...["seal_audits", "seal_movements", "shorten_holds", "write_audit"],
  ]);
});

import { beforeAll, expect, test } from "vitest";
import type { Customer } from "@/lib/db/generated/client";
import { qatarDay } from "@/lib/domain/time";
import { fillDailySums, fillMerchantDays, sealMovements } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import { apiKeyContext, type MerchantFixture, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postAtRandom, postRow } from "@/lib/testing/post-rows";
import { verifyMerchant } from "./verify";

const db = await testDb();
let shop: MerchantFixture;
let customers: Customer[];
let movements = 0;

beforeAll(async () => {
  // The owner of the tables can take these away as well.
  await db.$executeRaw`alter table movements drop constraint movements_pockets, drop constraint movements_bonus_after`;
  await db.$executeRaw`alter table lots drop constraint lots_points, drop constraint lots_ends`;
  shop = await makeMerchant(db);
  customers = await Promise.all(Array.from({ length: 6 }, () => makeCustomer(db, shop)));
  const customer = customers[0]?.id;
  await postRow(db, shop, { type: "TOP_UP", customer, points: 200, sale_ref: "A-1" });
  await postRow(db, shop, { type: "BONUS", customer, points: 20, reason: "Opening" });
  const redeem = await postRow(db, shop, { type: "REDEEM", customer, points: 30 });
  await postRow(db, shop, { type: "REFUND", refunds: redeem, points: 15, reason: "Half of it" });
  const other = await postRow(db, shop, { type: "REDEEM", customer, points: 10 });
  await postRow(db, shop, { type: "REVERSAL", reverses: other, reason: "Wrong card" });
  await postAtRandom(db, shop, customers, { rounds: 12 });
  await waitForOpenTransactions(db);
  await sealMovements(db);
  await postAtRandom(db, shop, customers, { rounds: 6 });
  await postRow(db, shop, { type: "BONUS", customer: customers[4]?.id, points: 9, reason: "Ramadan" });
  await waitForOpenTransactions(db);
  await sealMovements(db);
  await fillDailySums(db);
  await fillMerchantDays(db, { now: new Date(Date.now() + 48 * 3_600_000) });
  movements = await db.movement.count({ where: { merchantId: shop.merchant.id } });
});

const verify = () => verifyMerchant(db, shop.merchant.id);

/** Writes as the owner can who stops the triggers. */
async function tamper(sql: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`set local session_replication_role = replica`;
    expect(await tx.$executeRawUnsafe(sql)).toBeGreaterThan(0);
  });
}

test("a ledger that is in order is found so, with its head and how far it is sealed", async () => {
  const seen: number[] = [];
  const verdict = await verifyMerchant(db, shop.merchant.id, (done) => void seen.push(done));
  const last = await db.seal.findFirst({ where: { merchantId: shop.merchant.id }, orderBy: { n: "desc" } });
  expect(verdict).toEqual({ movements, firstWrong: null, sealedTo: last?.sealedAt, head: last?.head });
  expect(seen).toEqual([0, movements]);
});

test("what is posted after the last seal is checked, too, and is not wrong for not being sealed yet", async () => {
  const customer = customers[1]?.id;
  await postRow(db, shop, { type: "TOP_UP", customer, points: 5 });
  movements += 1;
  expect(await verify()).toMatchObject({ movements, firstWrong: null });
});

const BYTE_CHANGES = [
  ["sale_ref", "overlay(sale_ref placing 'B' from 1 for 1)", "sale_ref = 'A-1'"],
  ["request_hash", "overlay(request_hash placing 'x' from 1 for 1)", "seq = 2"],
  ["actor_name", "actor_name || '.'", "seq = 1"],
  ["occurred_at", "occurred_at + interval '1 microsecond'", "seq = 3"],
  ["points", "points + 1", "seq = 1"],
  ["tender", "'online'", "type = 'TOP_UP' and tender <> 'online'"],
  ["rate", "rate + 1", "seq = 4"],
  ["proof_ref", "null", "proof_ref is not null"],
  ["text_hash", "set_byte(text_hash, 0, 255 - get_byte(text_hash, 0))", "text_hash is not null"],
  ["tx", "tx - 1", "seq = 2"],
] as const;

test.each(BYTE_CHANGES)(
  "one changed %s of one movement: that row is named",
  async (column, changed, where) => {
    const [row] = await db.$queryRawUnsafe<{ id: string; before: string | null }[]>(
      `select id::text, ${column}::text as before from movements where customer_id = '${customers[0]?.id}' and ${where}
     order by seq limit 1`,
    );
    await tamper(`update movements set ${column} = ${changed} where id = '${row?.id}'`);
    expect((await verify()).firstWrong).toEqual({ what: "chain", movementId: row?.id });
    const before = row?.before == null ? "null" : `'${row.before}'`;
    const type = { tender: '"Tender"', occurred_at: "timestamptz", text_hash: "bytea" }[column as string];
    await tamper(
      `update movements set ${column} = ${before}${type ? `::${type}` : ""} where id = '${row?.id}'`,
    );
    expect((await verify()).firstWrong).toBeNull();
  },
);

test("a movement that is not sealed yet is held to the rules of the ledger", async () => {
  const last = await db.movement.findFirstOrThrow({
    where: { customerId: customers[1]?.id },
    orderBy: { seq: "desc" },
  });
  for (const [column, what] of [
    ["balance_after", "balance"],
    ["seq", "seq"],
    ["paid_points", "pockets"],
    ["bonus_after", "bonus"],
  ]) {
    await tamper(`update movements set ${column} = ${column} + 1 where id = '${last.id}'`);
    expect((await verify()).firstWrong).toMatchObject({ what, movementId: last.id });
    await tamper(`update movements set ${column} = ${column} - 1 where id = '${last.id}'`);
  }
  expect((await verify()).firstWrong).toBeNull();
});

test("a movement taken away or put in is missed in the chain", async () => {
  const first = await db.movement.findFirstOrThrow({ where: { customerId: customers[2]?.id, seq: 2 } });
  await tamper(`create table taken as select * from movements where id = '${first.id}'`).catch(() => {});
  await db.$executeRawUnsafe(
    `create table if not exists taken as select * from movements where id = '${first.id}'`,
  );
  await tamper(`delete from movements where id = '${first.id}'`);
  expect((await verify()).firstWrong?.what).toBe("chain");
  await tamper("insert into movements select * from taken");
  expect((await verify()).firstWrong).toBeNull();
  const twin = "00000000-0000-4000-8000-000000000001";
  await tamper("update taken set id = gen_random_uuid(), seq = 1000, idempotency_key = 'twin'");
  await tamper(`update taken set id = '${twin}'`);
  await tamper("insert into movements select * from taken");
  expect((await verify()).firstWrong).toEqual({ what: "chain", movementId: twin });
  await tamper(`delete from movements where id = '${twin}'`);
  expect((await verify()).firstWrong).toBeNull();
});

test("a text that is gone is missed, unless its customer was erased", async () => {
  const { id, email, phone } = customers[4] as Customer;
  await db.$executeRaw`create table taken_texts as select t.* from movement_texts t
    join movements m on m.id = t.movement_id where m.customer_id = ${id}::uuid`;
  await tamper(`delete from movement_texts t using taken_texts k where k.movement_id = t.movement_id`);
  expect((await verify()).firstWrong).toMatchObject({ what: "text", customerId: id });
  const nobody = "email = null, phone = null, date_of_birth = null";
  await tamper(`update customers set status = 'erased', erased_at = now(), ${nobody} where id = '${id}'`);
  expect((await verify()).firstWrong).toBeNull();
  const again = `status = 'active', erased_at = null, email = '${email}', phone = '${phone}'`;
  await tamper(`update customers set ${again} where id = '${id}'`);
  await tamper("insert into movement_texts select * from taken_texts");
  expect((await verify()).firstWrong).toBeNull();
});

const OTHERS = [
  ["a balance", "customers", "balance = balance + 1", "id = $customer", "customer"],
  ["a count", "customers", "movement_count = movement_count + 1", "id = $customer", "customer"],
  [
    "what is left of a lot",
    "lots",
    "remaining = remaining - 1",
    "merchant_id = $merchant and remaining > 1",
    "lots",
  ],
  ["the end of a lot", "lots", "ends_at = now() + interval '9 days'", "customer_id = $customer", "lots"],
  ["a text", "movement_texts", "reason = reason || '!'", "true", "text"],
  ["a seal", "seals", "head = sha256(head)", "merchant_id = $merchant and n = 1", "chain"],
  ["a day's sum", "daily_sums", "points = points + 1", "merchant_id = $merchant", "sums"],
  ["a day's sum of a worker", "staff_sums", "undone = undone + 1", "merchant_id = $merchant", "sums"],
  ["a day's pockets", "pocket_days", "bonus = bonus + 1", "merchant_id = $merchant", "sums"],
] as const;

test.each(OTHERS)("%s that was changed is found", async (_name, table, change, where, what) => {
  const condition = where
    .replace("$customer", `'${customers[0]?.id}'`)
    .replace("$merchant", `'${shop.merchant.id}'`);
  const copy = `kept_${table}`;
  await db.$executeRawUnsafe(`drop table if exists ${copy}`);
  await db.$executeRawUnsafe(`create table ${copy} as select ctid as at, * from ${table}`);
  const one = `ctid = (select ctid from ${table} where ${condition} limit 1)`;
  await tamper(`update ${table} set ${change} where ${one}`);
  expect((await verify()).firstWrong?.what).toBe(what);
  await db.$executeRawUnsafe(`alter table ${copy} drop column at`);
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`set local session_replication_role = replica`;
    await tx.$executeRawUnsafe(`delete from ${table}`);
    const columns = await tx.$queryRaw<{ list: string }[]>`
      select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list
      from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'`;
    await tx.$executeRawUnsafe(
      `insert into ${table} (${columns[0]?.list}) select ${columns[0]?.list} from ${copy}`,
    );
  });
  expect((await verify()).firstWrong).toBeNull();
});

test("a seal that was taken away leaves movements that should be sealed", async () => {
  const { id } = shop.merchant;
  await db.$executeRaw`create table kept_last as select * from seals where merchant_id = ${id}::uuid order by n desc limit 1`;
  await tamper("delete from seals s using kept_last k where k.merchant_id = s.merchant_id and k.n = s.n");
  expect((await verify()).firstWrong?.what).toBe("unsealed");
  await tamper("insert into seals select * from kept_last");
  expect((await verify()).firstWrong).toBeNull();
});

test("what an API key posted is checked: its name is sealed, its keys and its days are recomputed", async () => {
  const { keyId } = (await apiKeyContext(db, shop)).actor;
  const row = { customer: customers[3]?.id, points: 6, apiKey: keyId };
  const posted = await postRow(db, shop, { ...row, type: "TOP_UP" });
  const undone = await postRow(db, shop, { ...row, type: "BONUS" });
  await postRow(db, shop, { type: "REVERSAL", reverses: undone, reason: "Wrong" });
  movements += 3;
  await waitForOpenTransactions(db);
  await sealMovements(db);
  expect(await verify()).toMatchObject({ movements, firstWrong: null });
  const day = qatarDay(new Date());
  for (const [change, back, wrong] of [
    [
      `update movements set actor_name = 'Another' where id = '${posted}'`,
      `update movements set actor_name = 'Web shop' where id = '${posted}'`,
      { what: "chain", movementId: posted },
    ],
    [
      `update used_keys set movement_id = '${undone}' where movement_id = '${posted}'`,
      `update used_keys set movement_id = '${posted}' where movement_id = '${undone}'
        and idempotency_key = (select idempotency_key from movements where id = '${posted}')`,
      { what: "key", movementId: posted },
    ],
    [
      `update api_key_days set added = added + 1 where api_key_id = '${keyId}'`,
      `update api_key_days set added = added - 1 where api_key_id = '${keyId}'`,
      { what: "sums", day },
    ],
  ] as const) {
    await tamper(change);
    expect((await verify()).firstWrong).toEqual(wrong);
    await tamper(back);
  }
  expect((await verify()).firstWrong).toBeNull();
});

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { type MerchantFixture, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { move } from "@/lib/testing/movements";
import { sealMovements } from "./daily-sums";

const db = await testDb();

/** Seals all that is committed. */
async function sealAll(merchantId?: string): Promise<number> {
  await waitForOpenTransactions(db);
  return sealMovements(db, merchantId);
}

const sealsOf = ({ merchant }: MerchantFixture) =>
  db.seal.findMany({ where: { merchantId: merchant.id }, orderBy: { n: "asc" } });

function number(value: number | bigint, bytes: 4 | 8): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 4) buffer.writeInt32BE(Number(value));
  else buffer.writeBigInt64BE(BigInt(value));
  return buffer;
}
const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

test("seals form a chain: each head is the hash of the previous head, its movements and the configuration", async () => {
  const shop = await makeMerchant(db);
  const [first, second] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
  await move(db, shop, first, { points: 100 });
  await move(db, shop, second, { points: 50 });
  expect(await sealAll()).toBe(2);
  const redeemed = await move(db, shop, first, { type: "REDEEM", points: 30 });
  await move(db, shop, first, { reverses: redeemed.id });
  await move(db, shop, second, { points: 5 });
  expect(await sealAll()).toBe(3);
  expect(await sealMovements(db)).toBe(0);
  const seals = await sealsOf(shop);
  expect(seals.map(({ n, movements, total }) => [n, movements, Number(total)])).toEqual([
    [1, 2, 2],
    [2, 3, 5],
  ]);
  expect(seals[1]?.fromTx).toBe(seals[0]?.toTx);
  const platform = await db.configSeal.findFirstOrThrow({ where: { merchantId: null, version: 1 } });
  let head: Uint8Array = Buffer.alloc(32);
  for (const seal of seals) {
    const rows = await db.$queryRaw<{ digest: Uint8Array }[]>`
      select digest from sealed_movements where merchant_id = ${shop.merchant.id}::uuid
        and tx >= ${seal.fromTx} and tx < ${seal.toTx} order by tx, customer_id, seq`;
    const merchant = Buffer.from(shop.merchant.id.replaceAll("-", ""), "hex");
    const { n, fromTx, toTx, movements } = seal;
    head = sha256(
      ...[head, merchant, number(n, 4), number(fromTx, 8), number(toTx, 8), number(movements, 4)],
      sha256(...rows.map(({ digest }) => digest)),
      // The merchant has no configuration of its own.
      ...[Buffer.alloc(32), platform.head],
    );
    expect(Buffer.from(seal.head)).toEqual(Buffer.from(head));
    expect(Buffer.from(seal.marks)).toEqual(Buffer.concat(rows.map(({ digest }) => digest.subarray(0, 4))));
  }
});

test("a movement that is committed late is sealed after its commit, without changing earlier seals", async () => {
  const shop = await makeMerchant(db);
  const [slow, quick] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let posted = () => {};
  const isPosted = new Promise<void>((done) => {
    posted = done;
  });
  const late = db.$transaction(async (tx) => {
    await move(tx as typeof db, shop, slow, { points: 10 });
    posted();
    await held;
  });
  await isPosted;
  await move(db, shop, quick, { points: 20 });
  expect(await sealMovements(db)).toBe(0);
  release();
  await late;
  expect(await sealAll()).toBe(2);
  const [seal, ...more] = await sealsOf(shop);
  expect(more).toEqual([]);
  expect(seal?.movements).toBe(2);
});

test("concurrent seals and postings seal each movement once", async () => {
  const shop = await makeMerchant(db);
  const customers = await Promise.all(Array.from({ length: 4 }, () => makeCustomer(db, shop)));
  const posting = customers.map(async (customer) => {
    for (let n = 0; n < 10; n++) await move(db, shop, customer, { points: 1 + n });
  });
  const sealing = Array.from({ length: 3 }, async () => {
    for (let n = 0; n < 8; n++) await sealMovements(db, n % 2 ? shop.merchant.id : null);
  });
  await Promise.all([...posting, ...sealing]);
  await sealAll(shop.merchant.id);
  const seals = await sealsOf(shop);
  expect(seals.at(-1)?.total).toBe(40n);
  expect(seals.reduce((sum, { movements }) => sum + movements, 0)).toBe(40);
  expect(seals.map(({ n }) => n)).toEqual(seals.map((_, index) => index + 1));
  expect(seals.slice(1).map(({ fromTx }) => fromTx)).toEqual(seals.slice(0, -1).map(({ toTx }) => toTx));
});

test("a cluster with restarted transaction ids is not sealed until the base is raised", async () => {
  await db.$executeRaw`update ledger_progress set to_tx = 9000000000 where what = 'seals'`;
  await expect(sealMovements(db)).rejects.toThrow(/began anew .*npm run migrate/);
});

test("without the marks of what is sealed and summed, no job goes on as if nothing were left to do", async () => {
  await db.$transaction([
    db.$executeRaw`set local session_replication_role = replica`,
    db.$executeRaw`delete from ledger_progress`,
  ]);
  for (const job of ["seal_movements()", "seal_audits()", "keep_sums()"])
    await expect(db.$queryRawUnsafe(`select ${job}`)).rejects.toThrow(/no rows/);
});

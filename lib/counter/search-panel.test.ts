import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { formatPhone } from "@/lib/domain/contact";
import { type Posting, postBatch } from "@/lib/ledger/batch";
import { explainStatements, testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { searchPanel } from "./find";

const db = await testDb();
const NOTHING = { customers: [], transactions: [], branches: [], workers: [], merchants: [] };

/** Two shops where everything carries the same word. */
async function twoShops() {
  const word = `Zafaran${randomUUID().slice(0, 6)}`;
  const shops = await Promise.all(
    ["A", "B"].map(async (letter) => {
      const shop = await makeMerchant(db, { businessName: `${word} ${letter}` });
      const [customer, worker, branch] = await Promise.all([
        makeCustomer(db, shop, { fullName: `${word} Haddad` }),
        makeWorker(db, shop, { firstName: word }),
        makeBranch(db, shop, { name: `${word} Souq` }),
      ]);
      const movement = await move(db, shop, customer, { points: 40 });
      return { ...shop, customer, worker, branch, movement };
    }),
  );
  const [own, other] = shops;
  if (!own || !other) throw new Error("two shops");
  return { word, own, other };
}

test("each role finds what it may read, of its own merchant alone", async () => {
  const { word, own, other } = await twoShops();
  const owner = contextOf(getDb(), own.owner);
  expect(await searchPanel(owner, { search: word.toLowerCase() })).toMatchObject({
    customers: [{ id: own.customer.id, publicId: own.customer.publicId, detail: own.customer.email }],
    branches: [{ id: own.branch.id }],
    workers: [{ id: own.worker.id }],
    merchants: [],
    transactions: [],
  });
  const shown = formatPhone(own.worker.phone ?? "");
  expect((await searchPanel(owner, { search: shown })).workers).toMatchObject([{ id: own.worker.id }]);
  const worker = contextOf(getDb(), own.worker);
  expect(await searchPanel(worker, { search: word })).toMatchObject({
    ...NOTHING,
    customers: [{ id: own.customer.publicId, detail: expect.stringContaining("•••") }],
  });
  const admin = contextOf(getDb(), await makeAdmin(db, { role: "admin" }));
  const seen = await searchPanel(admin, { search: word });
  expect(seen).toMatchObject({ ...NOTHING, merchants: [{ id: own.merchant.id }, { id: other.merchant.id }] });
  const all = await searchPanel(contextOf(getDb(), await makeAdmin(db)), { search: word });
  expect(Object.values(all).map(({ length }) => length)).toEqual([2, 0, 2, 2, 2]);
});

test("a transaction is found by its reference within the reach, and a short term finds nothing", async () => {
  const { own, other } = await twoShops();
  const owner = contextOf(getDb(), own.owner);
  const mine = await searchPanel(owner, { search: own.movement.id });
  expect(mine.transactions).toMatchObject([{ id: own.movement.id, points: 40, type: "TOP_UP" }]);
  expect(await searchPanel(owner, { search: other.movement.id })).toEqual(NOTHING);
  // A worker reads their own transactions only.
  expect(
    (await searchPanel(contextOf(getDb(), own.worker), { search: own.movement.id })).transactions,
  ).toEqual([]);
  expect(await searchPanel(owner, { search: "Za" })).toEqual(NOTHING);
  const explained = explainStatements(getDb());
  await searchPanel(contextOf(explained.db, own.owner), { search: "Zafaran" });
  expect(explained.statements.length).toBeLessThanOrEqual(3);
});

test("a transaction of a deleted customer is found without a name of theirs", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const movement = await move(db, shop, customer, { points: 40 });
  const gone = { email: null, phone: null, dateOfBirth: null, erasedAt: new Date(), fullName: "–" } as const;
  await db.customer.update({ where: { id: customer.id }, data: { ...gone, status: "erased" } });
  const { transactions } = await searchPanel(contextOf(getDb(), shop.owner), { search: movement.id });
  expect(transactions).toMatchObject([{ id: movement.id, name: "Deleted customer" }]);
});

test("of a bill number that counts from one each day the newest transactions are found", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const days = Array.from({ length: 30 }, (_, back) => new Date(Date.now() - (30 - back) * 86_400_000));
  const rows = days.map(
    (at): Posting => ({
      type: "TOP_UP",
      customer: customer.id,
      actor: shop.owner.id,
      branch: shop.branch.id,
      scope: "any",
      hash: "h",
      points: 5,
      key: randomUUID(),
      saleRef: "117",
      at,
    }),
  );
  await postBatch(db, rows, { quiet: true });
  const { transactions } = await searchPanel(contextOf(getDb(), shop.owner), { search: "١١٧" });
  expect(transactions.map(({ createdAt }) => createdAt.getTime())).toEqual(
    days
      .slice(-5)
      .toReversed()
      .map((at) => at.getTime()),
  );
});

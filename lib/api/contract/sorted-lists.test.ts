import { expect, test } from "vitest";
import { listBranches, listOutlets } from "@/lib/branches/branches";
import { branchesSchema } from "@/lib/branches/model";
import { listCustomers } from "@/lib/customers/list-customers";
import { listCustomersSchema } from "@/lib/customers/model/customers";
import { movementsSchema } from "@/lib/ledger/model/movement-queries";
import type { Page } from "@/lib/ledger/model/movements";
import { listMovements } from "@/lib/ledger/read-movements";
import { merchantsSchema } from "@/lib/merchants/model/merchant";
import { listMerchants } from "@/lib/merchants/read-merchants";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { makeTill } from "@/lib/testing/tills";
import { tillsSchema } from "@/lib/tills/model/till";
import { listTills } from "@/lib/tills/tills";
import { workersFilterSchema, workersSchema } from "@/lib/workers/model";
import { exportWorkers, listWorkers } from "@/lib/workers/workers";

const db = await testDb();
const admin = contextOf(db, await makeAdmin(db));
/** Equal names, lower and upper case, two alphabets, an Alif with and without Hamza. */
const NAMES = ["zaid", "Amal", "ليلى", "amal", "أحمد", "Amal", "Zaid", "احمد", "Amal", "Émile", "بدر"];
const AT = new Date("2026-05-05T10:00:00Z");
const { compare } = new Intl.Collator("und");

/** Every row of a list, read in pages of two. */
async function readAll<Row extends { id: string }>(
  page: (query: { cursor?: string; limit: number }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const { results, nextCursor } = await page({ cursor, limit: 2 });
    rows.push(...results);
    cursor = nextCursor ?? undefined;
  } while (cursor);
  return rows;
}

/** Expects `count` different rows in the given order, and the same rows in reverse for the other direction. */
function expectSorted<Row extends { id: string }>(
  up: Row[],
  down: Row[],
  count: number,
  order: (a: Row, b: Row) => number,
): void {
  expect(new Set(up.map(({ id }) => id)).size).toBe(count);
  expect(up).toHaveLength(count);
  for (const [index, row] of up.slice(1).entries()) {
    const before = up[index];
    if (before) expect(order(before, row)).toBeLessThanOrEqual(0);
  }
  expect(down.map(({ id }) => id)).toEqual(up.map(({ id }) => id).reverse());
}

test("customers by name and by the day they joined, for an owner and for an administrator", async () => {
  const shop = await makeMerchant(db);
  for (const fullName of NAMES) await makeCustomer(db, shop, { fullName, registeredAt: AT });
  await db.$executeRaw`update customers set registered_at = registered_at + interval '3 microseconds'
    where merchant_id = ${shop.merchant.id}::uuid and full_name = 'Amal'`;
  for (const [ctx, filter] of [
    [contextOf(db, shop.owner), {}],
    [admin, { merchantId: shop.merchant.id }],
  ] as const) {
    const by = (sort: string) =>
      readAll(async (query) => {
        const { customers, nextCursor } = await listCustomers(
          ctx,
          listCustomersSchema.parse({ ...filter, ...query, sort }),
        );
        return { results: customers, nextCursor };
      });
    const named = await by("name");
    expectSorted(named, await by("-name"), NAMES.length, (a, b) => compare(a.fullName, b.fullName));
    const joined = await by("joined");
    expectSorted(joined, await by("-joined"), NAMES.length, (a, b) => +a.registeredAt - +b.registeredAt);
    expect(joined.slice(-3).map(({ fullName }) => fullName)).toEqual(["Amal", "Amal", "Amal"]);
  }
  const { customers } = await listCustomers(
    contextOf(db, shop.owner),
    listCustomersSchema.parse({ sort: "name", page: 2, limit: 4 }),
  );
  expect(customers.map(({ fullName }) => fullName)).toEqual([...NAMES].sort(compare).slice(4, 8));
});

test("merchants by name and by the day they applied", async () => {
  for (const businessName of NAMES) {
    await makeMerchant(db, { businessName, createdAt: AT, status: "rejected" });
  }
  const by = (sort: string) =>
    readAll((query) => listMerchants(admin, merchantsSchema.parse({ status: "rejected", ...query, sort })));
  const named = await by("name");
  expectSorted(named, await by("-name"), NAMES.length, (a, b) => compare(a.businessName, b.businessName));
  expectSorted(await by("received"), await by("-received"), NAMES.length, () => 0);
});

test("branches by name, by merchant and by the day they were added", async () => {
  const search = "Sorted City";
  const shops = [
    await makeMerchant(db, { businessName: "Same Name" }),
    await makeMerchant(db, { businessName: "Same Name" }),
    await makeMerchant(db, { businessName: "another" }),
  ];
  for (const shop of shops) {
    for (const name of new Set(NAMES.map((name) => name.toLowerCase()))) {
      await makeBranch(db, shop, { name, city: search, createdAt: AT });
    }
  }
  const outlets = (sort: string) =>
    readAll((query) => listOutlets(admin, branchesSchema.parse({ search, ...query, sort })));
  const count = shops.length * new Set(NAMES.map((name) => name.toLowerCase())).size;
  const branches = await outlets("merchant");
  expectSorted(
    branches,
    await outlets("-merchant"),
    count,
    (a, b) => compare(a.merchant.businessName, b.merchant.businessName) || compare(a.name, b.name),
  );
  expectSorted(await outlets("name"), await outlets("-name"), count, (a, b) => compare(a.name, b.name));
  expectSorted(await outlets("added"), await outlets("-added"), count, () => 0);
  const [shop] = shops;
  if (!shop) throw new Error("a shop is missing");
  const own = (sort: string) =>
    readAll((query) =>
      listBranches(contextOf(db, shop.owner), branchesSchema.parse({ search, ...query, sort })),
    );
  expectSorted(await own("name"), await own("-name"), count / 3, (a, b) => compare(a.name, b.name));
});

test("workers by first and last name and by when they were added", async () => {
  const shop = await makeMerchant(db);
  for (const [index, firstName] of NAMES.entries()) {
    await makeWorker(db, shop, { firstName, lastName: NAMES[index % 4], createdAt: AT });
  }
  const by = (sort: string) =>
    readAll((query) => listWorkers(contextOf(db, shop.owner), workersSchema.parse({ ...query, sort })));
  const named = await by("name");
  expectSorted(
    named,
    await by("-name"),
    NAMES.length,
    (a, b) => compare(a.firstName, b.firstName) || compare(a.lastName, b.lastName),
  );
  expectSorted(await by("added"), await by("-added"), NAMES.length, () => 0);
});

test("transactions by time, also with equal times and with a search for customers", async () => {
  const shop = await makeMerchant(db);
  const person = await makeCustomer(db, shop, { fullName: "Sorted Person" });
  const other = await makeCustomer(db, shop);
  for (let nth = 0; nth < 4; nth++) {
    await move(db, shop, person, { points: 10 + nth, at: AT });
    await move(db, shop, other, { points: 10 + nth, at: AT });
  }
  const by = (sort: string | undefined, search?: string) =>
    readAll((query) =>
      listMovements(contextOf(db, shop.owner), movementsSchema.parse({ ...query, sort, search })),
    );
  expectSorted(await by("time"), await by(undefined), 8, (a, b) => +a.createdAt - +b.createdAt);
  expect(await by("-time")).toEqual(await by(undefined));
  expectSorted(await by("time", "sorted person"), await by("-time", "sorted person"), 4, () => 0);
});

test("a cursor from another list starts at the first page", async () => {
  const shop = await makeMerchant(db);
  const other = await makeMerchant(db);
  const names = ["One", "Two"];
  for (const name of names) await makeBranch(db, shop, { name });
  const query = { cursor: other.branch.id, sort: "name", search: "o" };
  const { results } = await listBranches(contextOf(db, shop.owner), branchesSchema.parse(query));
  expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});

test("a list goes on after a row that no longer matches its filter", async () => {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  const search = "Left the filter";
  const made = await Promise.all(
    [1, 2, 3, 4].map((nth) =>
      makeMerchant(db, { businessName: `${search} ${nth}`, createdAt: AT, status: "pending" }),
    ),
  );
  const applied = (cursor?: string) =>
    listMerchants(
      admin,
      merchantsSchema.parse({ status: "pending", sort: "name", limit: 2, search, cursor }),
    );
  const first = (await applied()).nextCursor ?? "";
  await db.merchant.update({ where: { id: first }, data: { status: "approved" } });
  expect((await applied(first)).results.map(({ id }) => id)).toEqual(
    made.slice(2).map(({ merchant }) => merchant.id),
  );
  for (const name of ["A", "B", "C"]) await makeBranch(db, shop, { name, city: search });
  const open = (cursor?: string) =>
    listBranches(owner, branchesSchema.parse({ search, sort: "name", limit: 1, cursor }));
  const branch = (await open()).nextCursor ?? "";
  await db.branch.update({ where: { id: branch }, data: { archivedAt: AT } });
  expect((await open(branch)).results.map(({ name }) => name)).toEqual(["B"]);
  const tills = [await makeTill(db, shop), await makeTill(db, shop), await makeTill(db, shop)];
  const inUse = (cursor?: string) => listTills(owner, tillsSchema.parse({ limit: 1, cursor }));
  const till = (await inUse()).nextCursor ?? "";
  await db.till.update({ where: { id: till }, data: { retiredAt: AT } });
  expect((await inUse(till)).results.map(({ id }) => id)).toEqual([tills[1]?.till.id]);
});

test("a file goes on after a row that no longer matches its filter", async () => {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  for (let nth = 0; nth < 101; nth++) await makeWorker(db, shop, { createdAt: AT });
  const parts = await exportWorkers(owner, workersFilterSchema.parse({ status: "active" }));
  const ids: string[] = [];
  for await (const part of parts) {
    ids.push(...part.map(({ id }) => id));
    await db.user.update({ where: { id: ids.at(-1) }, data: { status: "disabled" } });
  }
  expect([ids.length, new Set(ids).size]).toEqual([101, 101]);
  for (const fullName of ["A", "B", "C"]) await makeCustomer(db, shop, { fullName, registeredAt: AT });
  const cards = (cursor?: string) =>
    listCustomers(owner, listCustomersSchema.parse({ status: "active", sort: "name", limit: 1, cursor }));
  const card = (await cards()).nextCursor ?? "";
  await db.customer.update({ where: { id: card }, data: { status: "blocked" } });
  expect((await cards(card)).customers.map(({ fullName }) => fullName)).toEqual(["B"]);
});

import { expect, test } from "vitest";
import { addDays, dayStart, qatarDay } from "@/lib/domain/time";
import { explainStatements, testDb } from "@/lib/testing/database";
import {
  contextOf,
  type MerchantFixture,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { exportWorkers } from "@/lib/workers/workers";
import { seedLarge } from "@/prisma/seed/large";
import { customersCsv, exportCustomers, listCustomers } from "./list-customers";
import {
  customersFilterSchema,
  listCustomersSchema,
  SHOW_READS_AT_MOST,
  TOP_CUSTOMERS,
} from "./model/customers";

const db = await testDb();
const NOW = new Date("2026-07-15T07:30:00Z");
const daysAgo = (count: number) => dayStart(addDays(qatarDay(NOW), -count));

const named = (shop: MerchantFixture, fullName: string, back: number) =>
  makeCustomer(db, shop, { fullName, registeredAt: daysAgo(back) });
const ownerOf = (shop: MerchantFixture) => contextOf(db, shop.owner, { clock: () => NOW });

async function allOf<T>(parts: AsyncIterable<T[]>): Promise<T[]> {
  const rows: T[] = [];
  for await (const part of parts) rows.push(...part);
  return rows;
}

test("dormant customers had nothing on their card for 60 days; new ones are not dormant", async () => {
  const shop = await makeMerchant(db);
  const [asleep, awake] = [await named(shop, "Asleep", 200), await named(shop, "Awake", 200)];
  await named(shop, "Never came", 61);
  await named(shop, "New", 59);
  await move(db, shop, asleep, { points: 10, at: daysAgo(61) });
  await move(db, shop, awake, { points: 10, at: daysAgo(90) });
  await move(db, shop, awake, { points: 10, at: daysAgo(59) });
  const list = await listCustomers(
    ownerOf(shop),
    listCustomersSchema.parse({ show: "dormant", sort: "name" }),
  );
  expect(list.customers.map(({ fullName }) => fullName)).toEqual(["Asleep", "Never came"]);
  expect(list.total).toBe(2);
});

test("top customers stand by what they paid in within 30 days, less what was undone, page by page", async () => {
  const shop = await makeMerchant(db);
  const [some, most, undone, before] = [
    await named(shop, "Some", 80),
    await named(shop, "Most", 70),
    await named(shop, "Undone", 60),
    await named(shop, "Before", 50),
  ];
  await move(db, shop, before, { points: 900, at: daysAgo(31) });
  await move(db, shop, some, { points: 20, at: daysAgo(3) });
  await move(db, shop, most, { points: 30, at: daysAgo(3) });
  await move(db, shop, most, { points: 30, at: daysAgo(2) });
  const wrong = await move(db, shop, undone, { points: 500, at: daysAgo(2) });
  await move(db, shop, undone, { reverses: wrong.id, at: daysAgo(1) });
  const other = await makeMerchant(db);
  await move(db, other, await named(other, "Elsewhere", 10), { points: 999, at: daysAgo(1) });
  const ask = (query: object) =>
    listCustomers(ownerOf(shop), listCustomersSchema.parse({ show: "top", ...query }));
  const first = await ask({ limit: 1 });
  expect([first.customers[0]?.fullName, first.total]).toEqual(["Most", 2]);
  const second = await ask({ limit: 1, cursor: first.nextCursor });
  expect([second.customers[0]?.fullName, second.nextCursor]).toEqual(["Some", null]);
  expect((await ask({ sort: "-joined" })).customers.map(({ fullName }) => fullName)).toEqual([
    "Most",
    "Some",
  ]);
  expect((await ask({ search: "some" })).customers.map(({ fullName }) => fullName)).toEqual(["Some"]);
  // Of all merchants at once it is no filter.
  const admin = contextOf(db, await makeAdmin(db), { clock: () => NOW });
  const everyone = await listCustomers(admin, listCustomersSchema.parse({ show: "top", limit: 100 }));
  expect(everyone.total).toBeGreaterThan(2);
  const chosen = listCustomersSchema.parse({ show: "top", merchantId: shop.merchant.id });
  expect((await listCustomers(admin, chosen)).total).toBe(2);
});

test("a deleted customer takes no place among the top customers", async () => {
  const shop = await makeMerchant(db);
  const customers = await Promise.all(
    Array.from({ length: TOP_CUSTOMERS + 1 }, (_, nth) => named(shop, `Customer ${nth}`, 10)),
  );
  for (const [nth, { id }] of customers.entries())
    await move(db, shop, { id }, { points: 10 + nth, at: daysAgo(2) });
  const best = await listCustomers(ownerOf(shop), listCustomersSchema.parse({ show: "top" }));
  expect([best.total, best.customers[0]?.fullName]).toEqual([TOP_CUSTOMERS, `Customer ${TOP_CUSTOMERS}`]);
  await db.customer.update({
    where: { id: customers.at(-1)?.id },
    data: { status: "erased", erasedAt: NOW, email: null, phone: null, dateOfBirth: null },
  });
  const after = await listCustomers(ownerOf(shop), listCustomersSchema.parse({ show: "top" }));
  expect([after.total, after.customers[0]?.fullName]).toEqual([
    TOP_CUSTOMERS,
    `Customer ${TOP_CUSTOMERS - 1}`,
  ]);
});

test("customers and workers are exported within the reach and filter, and each export is written down", async () => {
  const shop = await makeMerchant(db);
  await named(shop, "=Layla", 10);
  await named(shop, "Maryam", 9);
  await makeCustomer(db, await makeMerchant(db));
  const worker = await makeWorker(db, shop);
  const ctx = ownerOf(shop);
  const customers = await exportCustomers(ctx, customersFilterSchema.parse({ sort: "name" }));
  const text = await customersCsv("en", customers, NOW).text();
  const lines = text.trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe(
    "\uFEFFCard UUID,Full name,Email,Phone,Status,Balance (points),Balance (QAR),Member since,Merchant,Customer ID".slice(
      text.startsWith("\uFEFF") ? 0 : 1,
    ),
  );
  expect(text).toContain("'=Layla");
  const one = await allOf(await exportCustomers(ctx, customersFilterSchema.parse({ search: "maryam" })));
  expect(one.map(({ fullName }) => fullName)).toEqual(["Maryam"]);
  expect((await allOf(await exportWorkers(ctx, {}))).map(({ id }) => id)).toEqual([worker.id]);
  const audits = await db.audit.findMany({
    where: { merchantId: shop.merchant.id, action: { startsWith: "export." } },
    orderBy: { createdAt: "asc" },
    select: { action: true, actorId: true },
  });
  expect(audits.map(({ action }) => action)).toEqual([
    "export.customers",
    "export.customers",
    "export.workers",
  ]);
  expect([exportCustomers.stepUp, exportWorkers.stepUp]).toEqual([true, true]);
  await expect(exportCustomers(contextOf(db, worker), {})).rejects.toThrow("forbidden");
  await expect(exportWorkers(contextOf(db, worker), {})).rejects.toThrow("forbidden");
});

test("a saved filter reads a bounded part of a large merchant, and says which", async () => {
  const size = {
    merchants: 1,
    customers: SHOW_READS_AT_MOST + 50,
    movements: SHOW_READS_AT_MOST + 900,
    days: 25,
  };
  await seedLarge(db, size);
  const owner = await db.user.findFirstOrThrow({
    where: { role: "merchant_owner", merchant: { email: "large1@large.test" } },
  });
  const ask = (show: "dormant" | "top", at: Date, sort?: "name") =>
    listCustomers(contextOf(db, owner, { clock: () => at }), listCustomersSchema.parse({ show, sort }));
  const top = await ask("top", new Date());
  const [{ since }] = (await db.$queryRaw`
    select created_at as since from movements where merchant_id = ${owner.merchantId}::uuid
    order by created_at desc offset ${SHOW_READS_AT_MOST - 1} limit 1`) as [{ since: Date }];
  expect(top.covered).toEqual({ only: "transactions", since });
  expect(top.customers.length).toBeGreaterThan(0);
  // In three months all of them are dormant.
  const later = new Date(Date.now() + 90 * 86_400_000);
  const customers = await db.customer.findMany({
    where: { merchantId: owner.merchantId ?? "", status: { not: "erased" } },
    orderBy: [{ registeredAt: "desc" }, { id: "desc" }],
    select: { registeredAt: true, fullName: true },
  });
  const dormant = await ask("dormant", later);
  expect([dormant.covered, dormant.total]).toEqual([{ only: "customers" }, 1_000]);
  expect(dormant.customers[0]?.fullName).toBe(customers[0]?.fullName);
  const watched = explainStatements(db);
  await listCustomers(
    contextOf(watched.db, owner, { clock: () => later }),
    listCustomersSchema.parse({ show: "dormant", sort: "name" }),
  );
  expect(watched.statements.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(3 * SHOW_READS_AT_MOST);
  // The export has all of them.
  const rows = await allOf(
    await exportCustomers(
      contextOf(db, owner, { clock: () => later }),
      customersFilterSchema.parse({ show: "dormant" }),
    ),
  );
  expect(rows).toHaveLength(customers.length);
  // So does that of a search with more hits than a list sorts.
  const search = { search: "customer.test", sort: "name" } as const;
  const found = await listCustomers(contextOf(db, owner), listCustomersSchema.parse(search));
  expect([found.covered, found.total]).toEqual([{ only: "hits" }, 1_000]);
  const names = (
    await allOf(await exportCustomers(contextOf(db, owner), customersFilterSchema.parse(search)))
  ).map(({ fullName }) => fullName);
  expect(names).toHaveLength(customers.length);
}, 120_000);

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addDays, qatarDay } from "@/lib/domain/time";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { type Posting, postBatch } from "./batch";
import type { MovementsQuery } from "./model/movement-queries";
import type { LoggedMovement } from "./model/movements";
import { reverse } from "./move-points";
import { movementTotals } from "./movement-totals";
import {
  exportMovements,
  listMovements,
  recentMovements,
  statement,
  statementOf,
  viewMovement,
} from "./read-movements";

const db = await testDb();
// Noon in Doha, so that "today" means the same however late this runs.
const NOON = new Date("2026-07-15T09:00:00Z");
const clock = () => NOON;
const today = qatarDay(NOON);

/** A shop with two workers and two customers: ten days of a top-up of 100 and a redeem of 10 each day, for each. */
async function setUp() {
  const shop = await makeMerchant(db, { redeemAllowance: 1000 });
  const second = await makeBranch(db, shop);
  const workers = [await makeWorker(db, shop), await makeWorker(db, shop)];
  const names = ["Layla Haddad", "ليلى حداد"];
  const customers = await Promise.all(names.map((fullName) => makeCustomer(db, shop, { fullName })));
  const rows: Posting[] = [];
  for (let day = 9; day >= 0; day--) {
    for (const [index, customer] of customers.entries()) {
      const at = new Date(NOON.getTime() - day * 86_400_000 - 60_000 + index);
      const common = {
        customer: customer.id,
        actor: workers[index]?.id ?? "",
        branch: (index ? second : shop.branch).id,
        scope: "any" as const,
        hash: "h",
        at,
      };
      rows.push({ ...common, type: "TOP_UP", points: 100, key: randomUUID() });
      rows.push({ ...common, type: "REDEEM", points: 10, key: randomUUID() });
    }
  }
  const outcomes = await postBatch(db, rows, { quiet: true });
  expect(new Set(outcomes.map((one) => one.outcome))).toEqual(new Set(["posted"]));
  const owner = contextOf(db, shop.owner, { clock });
  return { shop, second, workers, customers, owner };
}

async function everyPage(ctx: Parameters<typeof listMovements>[0], query: MovementsQuery) {
  const all: LoggedMovement[] = [];
  let cursor: string | undefined;
  do {
    const page = await listMovements(ctx, { limit: 7, ...query, cursor });
    all.push(...page.results);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return all;
}

test("pages hold every movement once, newest first", async () => {
  const { owner } = await setUp();
  const all = await everyPage(owner, {});
  expect(all).toHaveLength(40);
  expect(new Set(all.map(({ id }) => id)).size).toBe(40);
  const times = all.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual([...times].sort((a, b) => b - a));
  const exported: string[] = [];
  for await (const part of await exportMovements(owner, {})) exported.push(...part.map(({ id }) => id));
  expect(exported).toEqual(all.map(({ id }) => id));
});

test("filters narrow the list", async () => {
  const { owner, second, workers, customers, shop } = await setUp();
  const count = async (query: MovementsQuery) => (await everyPage(owner, query)).length;
  expect(await count({ type: "TOP_UP" })).toBe(20);
  expect(await count({ branchId: second.id })).toBe(20);
  expect(await count({ workerId: workers[0]?.id, type: "REDEEM" })).toBe(10);
  expect(await count({ customerId: customers[0]?.publicId })).toBe(20);
  expect(await count({ search: "AYLA had" })).toBe(20);
  expect(await count({ search: "ليلى" })).toBe(20);
  expect(await count({ search: customers[1]?.phone?.replace("+974", "+974 ") ?? "" })).toBe(20);
  expect(await count({ search: "100%_" })).toBe(0);
  expect(await count({ search: customers[0]?.publicId })).toBe(20);
  const [one] = await everyPage(owner, { type: "REDEEM" });
  expect((await everyPage(owner, { search: one?.id })).map(({ id }) => id)).toEqual([one?.id]);
  expect(await movementTotals(owner, { search: one?.id })).toMatchObject({ count: 1, redeemed: 10 });
  expect(await count({ search: one?.id, type: "TOP_UP" })).toBe(0);
  expect(await count({ from: today, to: today })).toBe(4);
  expect(await count({ from: addDays(today, -2), to: addDays(today, -1) })).toBe(8);
  expect(await count({ merchantId: randomUUID() })).toBe(0);
  expect(await count({ merchantId: shop.merchant.id, cursor: "nonsense" })).toBe(40);
});

test("a bill number is found within a customer's transactions, and on the cards of staff", async () => {
  const { owner, customers, shop, workers } = await setUp();
  const [one, other] = customers;
  const email = workers[0]?.email;
  const staff = await makeCustomer(db, shop, { fullName: "Ravi Haddad", email });
  const bill = (customer: { id: string } | undefined, saleRef: string): Posting => ({
    type: "TOP_UP",
    customer: customer?.id ?? "",
    actor: shop.owner.id,
    branch: shop.branch.id,
    scope: "any",
    hash: "h",
    points: 5,
    key: randomUUID(),
    saleRef,
  });
  const rows = [bill(one, "B-170"), bill(other, "B-170"), bill(one, "B-9"), bill(staff, "B-170")];
  await postBatch(db, rows, { quiet: true });
  const found = async (query: MovementsQuery) =>
    (await everyPage(owner, query)).map(({ customer, saleRef }) => [customer.id, saleRef]);
  for (const search of ["B-170", "b-1٧"]) {
    expect(await found({ search })).toHaveLength(3);
    expect(await found({ search, customerId: one?.publicId })).toEqual([[one?.id, "B-170"]]);
    expect(await found({ search, staffCards: "true" })).toEqual([[staff.id, "B-170"]]);
    expect(await movementTotals(owner, { search, customerId: one?.id })).toMatchObject({ count: 1 });
  }
  expect(await found({ search: "B-9", customerId: other?.id })).toEqual([]);
});

test("each role sees its own reach", async () => {
  const here = await setUp();
  const there = await setUp();
  const worker = here.workers[0];
  if (!worker) throw new Error("a worker is missing");
  const ctx = contextOf(db, worker);
  const own = await everyPage(ctx, {});
  expect(new Set(own.map(({ actor }) => actor.id))).toEqual(new Set([worker.id]));
  const foreign = (await everyPage(there.owner, {}))[0]?.id ?? "";
  await expect(viewMovement(here.owner, { movementId: foreign })).rejects.toMatchObject({
    code: "movement_not_found",
  });
  const admin = contextOf(db, await makeAdmin(db));
  expect((await viewMovement(admin, { movementId: foreign })).merchant.id).toBe(there.shop.merchant.id);
  const merchants = new Set((await everyPage(admin, { limit: 100 })).map(({ merchant }) => merchant.id));
  expect(merchants.size).toBeGreaterThan(1);
});

test("recent movements say what may still be undone", async () => {
  const { workers } = await setUp();
  const ctx = contextOf(db, workers[0] ?? (await makeAdmin(db)), { clock });
  const [latest, before] = await recentMovements(ctx, { type: "REDEEM" });
  expect(latest?.undoUntil).toBeInstanceOf(Date);
  expect(before?.undoUntil).toBeNull();
  const undone = await reverse(ctx, { movementId: latest?.id ?? "" });
  const [again] = await recentMovements(ctx, { type: "REDEEM", limit: 1 });
  expect(again).toMatchObject({ id: latest?.id, undoUntil: null, reversedBy: { id: undone.movement.id } });
  const seen = await viewMovement(ctx, { movementId: undone.movement.id });
  expect(seen.reverses).toEqual({
    id: latest?.id,
    type: "REDEEM",
    points: -10,
    createdAt: new Date(Math.floor(latest?.createdAt.getTime() ?? 0)),
  });
});

test("the statement is the customer's ledger", async () => {
  const { owner, customers } = await setUp();
  const customer = customers[0];
  if (!customer) throw new Error("a customer is missing");
  const first = await statement(owner, { customerId: customer.publicId, limit: 15 });
  const rest = await statementOf(
    db,
    customer.id,
    { cursor: first.nextCursor ?? undefined, limit: 20 },
    owner.actor,
  );
  expect([...first.results, ...rest.results].map(({ seq }) => seq)).toEqual(
    Array.from({ length: 20 }, (_, index) => 20 - index),
  );
  expect(rest.nextCursor).toBeNull();
  const stranger = contextOf(db, (await makeMerchant(db)).owner);
  await expect(statement(stranger, { customerId: customer.id })).rejects.toMatchObject({
    code: "customer_not_found",
  });
});

test("totals are the same from the movements and from the daily sums", async () => {
  const { owner, customers, workers, second } = await setUp();
  const [top] = await recentMovements(owner, { type: "TOP_UP" });
  await reverse(owner, { movementId: top?.id ?? "", reason: "wrong card" });
  const filters: MovementsQuery[] = [
    {},
    { type: "TOP_UP" },
    { type: "REDEEM", to: addDays(today, -1) },
    { type: "REVERSAL" },
    { branchId: second.id },
    { from: addDays(today, -3) },
    { from: addDays(today, -8), to: addDays(today, -4) },
    { search: "Layla Haddad" },
    { customerId: customers[1]?.id },
    { workerId: workers[0]?.id },
    { workerId: workers[1]?.id, branchId: second.id, type: "TOP_UP", from: addDays(today, -5) },
    { workerId: workers[1]?.id, type: "REVERSAL" },
  ];
  const worker = contextOf(db, workers[1] ?? expect.fail(), { clock });
  const totals = async () =>
    Promise.all([owner, worker].flatMap((who) => filters.map((filter) => movementTotals(who, filter))));
  const before = await totals();
  expect(before[0]).toMatchObject({ count: 40, toppedUp: 1900, redeemed: 200, net: 1700 });
  expect(before[0]?.value).toEqual({ toppedUp: "1900.00", redeemed: "200.00", net: "1700.00" });
  expect(before[3]).toMatchObject({ count: 1, toppedUp: -100, redeemed: 0, net: -100 });
  await waitForOpenTransactions(db);
  await fillDailySums(db);
  expect(await totals()).toEqual(before);
});

test("a search over more movements than anyone waits for is not added up", async () => {
  const { owner, customers } = await setUp();
  const found = () => movementTotals(owner, { search: customers[0]?.email ?? "" });
  const pretend = (movementCount: number) =>
    db.$transaction(async (tx) => {
      await tx.$executeRaw`select set_config('wallet.posting', 'on', true)`;
      await tx.customer.update({ where: { id: customers[0]?.id }, data: { movementCount } });
    });
  await pretend(10_000);
  expect(await found()).toMatchObject({ count: 20 });
  await pretend(10_001);
  expect(await found()).toBeNull();
});

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { explainStatements, testDb } from "@/lib/testing/database";
import {
  apiKeyContext,
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
  uniqueEmail,
} from "@/lib/testing/factories";
import { type Posting, postBatch } from "./batch";
import type { MovementsQuery } from "./model/movement-queries";
import { topUp } from "./move-points";
import { movementTotals } from "./movement-totals";
import { listMovements } from "./read-movements";

const db = await testDb();
const MANY = 130;
const NOON = new Date("2026-07-15T09:00:00Z").getTime();
const MINUTE = 60_000;

/**
 * A shop with more customers of one name than are looked up first. The older ones redeemed after their top-up; half of
 * all were served in pairs at the same moment.
 */
async function manyAlike() {
  const shop = await makeMerchant(db, { redeemAllowance: 1000 });
  const customers = await Promise.all(
    Array.from({ length: MANY }, (_, nth) => makeCustomer(db, shop, { fullName: `Alike Idle ${nth}` })),
  );
  const rows = customers.flatMap((customer, nth): Posting[] => {
    const at = new Date(NOON - (nth % 4 === 1 ? nth - 1 : nth) * MINUTE);
    const common = {
      customer: customer.id,
      actor: shop.owner.id,
      branch: shop.branch.id,
      scope: "any" as const,
      hash: "h",
      saleRef: nth === MANY - 1 ? "alike idle 7" : undefined,
      at,
    };
    const topUp: Posting = { ...common, type: "TOP_UP", points: 10, key: randomUUID() };
    if (nth < MANY - 25) return [topUp];
    return [topUp, { ...common, type: "REDEEM", points: 1, saleRef: undefined, key: randomUUID() }];
  });
  const outcomes = await postBatch(db, rows, { quiet: true });
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["posted"]));
  return { shop, ctx: contextOf(db, shop.owner) };
}

const { shop, ctx } = await manyAlike();
const ids = async (query: MovementsQuery, who = ctx) =>
  (await listMovements(who, query)).results.map(({ id }) => id);

test("the first page of a search is that of all its customers, whoever was served last", async () => {
  const from = "2026-07-01";
  const filters: MovementsQuery[] = [
    {},
    { limit: 100 },
    { type: "REDEEM" },
    { type: "REDEEM", limit: 40 },
    { type: "TOP_UP", limit: 60 },
    { to: "2026-07-15", from },
    { sort: "time" },
    { type: "REVERSAL" },
  ];
  // The shop has no other customers, so that its log without the search is the answer.
  for (const filter of filters) {
    for (const search of ["alike idle", "idle"]) {
      expect(await ids({ ...filter, search })).toEqual(await ids(filter));
    }
  }
  const admin = contextOf(db, await makeAdmin(db));
  expect(await ids({ search: "alike idle" }, admin)).toEqual(await ids({}));
});

test("the movements with a bill number are there too, and every page follows", async () => {
  const [found] = (await listMovements(ctx, { search: "alike idle 7" })).results;
  expect(found?.createdAt.getTime()).toBe(NOON - 7 * MINUTE);
  expect(await ids({ search: "alike idle 7", sort: "time" })).toHaveLength(12);
  const all: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listMovements(ctx, { search: "idle", limit: 30, cursor });
    all.push(...page.results.map(({ id }) => id));
    if (!page.nextCursor) break;
    cursor = page.nextCursor;
  }
  expect(all).toEqual([...(await ids({ limit: 100 })), ...all.slice(100)]);
  expect(new Set(all).size).toBe(MANY + 25);
});

test("a search for many customers who were idle for long reads them, not all that came since", async () => {
  const own = { merchantId: shop.merchant.id };
  const sleepers = Array.from({ length: 1_050 }, (_, nth) => ({ ...own, fullName: `Sleeper ${nth}` }));
  const asleep = await db.customer.createManyAndReturn({ data: sleepers, select: { id: true } });
  const busy = await makeCustomer(db, shop, { fullName: "Somebody Else" });
  const topUp = (customer: string, nth: number, at: number): Posting => ({
    type: "TOP_UP",
    customer,
    actor: shop.owner.id,
    branch: shop.branch.id,
    scope: "any",
    hash: "h",
    points: 1,
    key: `${customer} ${nth}`,
    at: new Date(at),
  });
  const rows = [
    ...asleep.map(({ id }, nth) => topUp(id, 0, NOON - nth * MINUTE)),
    ...Array.from({ length: 1_500 }, (_, nth) => topUp(busy.id, nth, NOON + nth * MINUTE)),
  ];
  for (let part = 0; part < rows.length; part += 500) {
    await postBatch(db, rows.slice(part, part + 500), { quiet: true });
  }
  const watched = explainStatements(db);
  const { results } = await listMovements({ ...ctx, db: watched.db }, { search: "sleeper" });
  expect(results.map(({ customer }) => customer.id)).toEqual(asleep.slice(0, 25).map(({ id }) => id));
  expect(watched.statements.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(2_500);
});

test("who sees contacts masked finds movements by a part of the name, and by a contact only as a whole", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const email = uniqueEmail("moza");
  const card = await makeCustomer(db, shop, { fullName: "Moza Saleh", email, phone: "+97455167288" });
  const place = { customerId: card.id, points: 10, branchId: shop.branch.id };
  const key = await apiKeyContext(db, shop, { scopes: ["movements.read", "topup"] });
  const [atWork, owner] = [contextOf(db, worker), contextOf(db, shop.owner)];
  const posted = await topUp(atWork, place);
  const found = async (search: string, ctx: Parameters<typeof listMovements>[0]) =>
    (await listMovements(ctx, { search })).results.length;
  for (const ctx of [atWork, key]) {
    for (const part of ["5516", "67288", email.slice(0, -3), email.slice(2, 12)])
      expect([part, await found(part, ctx)]).toEqual([part, 0]);
    const whole = [email.toUpperCase(), "5516 7288", card.publicId, card.code ?? "", "moza", "SALEH"];
    for (const term of [...whole, posted.movement.id])
      expect([term, await found(term, ctx)]).toEqual([term, 1]);
  }
  expect(await movementTotals(atWork, { search: "67288" })).toMatchObject({ count: 0 });
  expect(await movementTotals(atWork, { search: "moza" })).toMatchObject({ count: 1 });
  const reader = await apiKeyContext(db, shop, { scopes: ["movements.read", "customers.read"] });
  for (const ctx of [owner, reader]) expect(await found("67288", ctx)).toBe(1);
});

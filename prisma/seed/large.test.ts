import { beforeAll, expect, test } from "vitest";
import { findCustomers } from "@/lib/counter/find";
import { listCustomers } from "@/lib/customers/list-customers";
import { listCustomersSchema } from "@/lib/customers/model/customers";
import type { Context } from "@/lib/db/context";
import { lastDays, qatarDay } from "@/lib/domain/time";
import { checkCustomers } from "@/lib/ledger/check-customers";
import { type MovementFilter, movementsSchema } from "@/lib/ledger/model/movement-queries";
import { TENDERS } from "@/lib/ledger/model/tender";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { listMovements, recentMovements, statement } from "@/lib/ledger/read-movements";
import { configImpact, editConfig } from "@/lib/points-config/edit-config";
import { editConfigSchema } from "@/lib/points-config/model";
import { viewConfig } from "@/lib/points-config/read-config";
import { customerTotals, dashboard } from "@/lib/reports/dashboard";
import { explainStatements, testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin } from "@/lib/testing/factories";
import { usesIndexes } from "@/lib/testing/uses-indexes";
import { LARGE, seedLarge } from "./large";

const FULL = process.env.LARGE_TEST === "full";
// A tenth of what `npm run seed:large` makes: enough for the planner to choose the same plans.
const SIZE = FULL ? LARGE : { merchants: 10, customers: 10_000, movements: 100_000, days: 120 };

const db = await testDb();
let readers: Record<"everyone" | "owner" | "worker", Context>;
let customerId: string;
let branchId: string;
let workerId: string;

beforeAll(async () => {
  await seedLarge(db, SIZE);
  const shop = await db.merchant.findUniqueOrThrow({ where: { email: "large3@large.test" } });
  const person = (role: "merchant_owner" | "branch_worker") =>
    db.user.findFirstOrThrow({ where: { merchantId: shop.id, role } });
  readers = {
    everyone: contextOf(db, await makeAdmin(db)),
    owner: contextOf(db, await person("merchant_owner")),
    worker: contextOf(db, await person("branch_worker")),
  };
  customerId = (await db.customer.findFirstOrThrow({ where: { merchantId: shop.id } })).id;
  branchId = (await db.branch.findFirstOrThrow({ where: { merchantId: shop.id } })).id;
  workerId = readers.worker.actor.userId;
  await db.customer.updateMany({
    where: { merchantId: shop.id, fullName: { startsWith: "Omar" } },
    data: { status: "blocked" },
  });
}, 1_800_000);

test("balances and counts equal the sums of the movements", async () => {
  expect(await db.customer.count()).toBe(SIZE.customers);
  expect(await db.movement.count()).toBeGreaterThan(SIZE.movements * 0.95);
  const wrong = await db.$queryRaw<unknown[]>`
    select c.id from customers c left join (
      select customer_id, sum(points) as points, count(*) as many, min(balance_after) as lowest,
        count(*) filter (where seq = position and balance_after = running) as right_rows
      from (select *, row_number() over own as position, sum(points) over own as running
        from movements window own as (partition by customer_id order by seq)) m group by customer_id
    ) sums on sums.customer_id = c.id
    where c.balance <> coalesce(points, 0) or c.movement_count <> coalesce(many, 0) or lowest < 0
      or right_rows <> many`;
  expect(wrong).toEqual([]);
  await expect(seedLarge(db, SIZE)).rejects.toThrow("already");
});

test("every kind of movement, tender and bonus is there, and each keeps the ledger's rules", async () => {
  const kinds = await db.movement.groupBy({ by: ["type"], _count: true });
  expect(kinds.map(({ type }) => type).sort()).toEqual([
    "BONUS",
    "EXPIRY",
    "REDEEM",
    "REFUND",
    "REVERSAL",
    "TOP_UP",
  ]);
  const tenders = await db.movement.groupBy({ by: ["tender"], where: { type: "TOP_UP" } });
  expect(tenders).toHaveLength(TENDERS.length);
  expect(await db.movement.count({ where: { saleRef: { not: null } } })).toBeGreaterThan(SIZE.movements / 2);
  const [spent, left, ended] = await Promise.all([
    db.movement.count({ where: { type: "REDEEM", bonusPoints: { lt: 0 }, paidPoints: { lt: 0 } } }),
    db.lot.count({ where: { remaining: { gt: 0 }, endsAt: { gt: new Date() } } }),
    db.lot.count({ where: { remaining: 0, endsAt: { lt: new Date() } } }),
  ]);
  expect([spent, left, ended].filter((count) => count > 0)).toHaveLength(3);
  for (const { id } of await db.merchant.findMany({ where: { email: { startsWith: "large" } }, take: 3 })) {
    const customers = await db.customer.findMany({
      where: { merchantId: id },
      select: { id: true },
      take: 1_000,
    });
    const wrong = await db.$transaction(
      (tx) =>
        checkCustomers(
          tx,
          id,
          customers.map((one) => one.id),
        ),
      {
        timeout: 60_000,
      },
    );
    expect(wrong).toBeNull();
  }
});

test("lists of customers use an index with every filter", async () => {
  for (const ctx of [readers.everyone, readers.owner]) {
    for (const filter of [{}, { status: "blocked" }, { status: "frozen" }, { limit: 100 }]) {
      const first = await listCustomers(ctx, listCustomersSchema.parse(filter));
      const cursor = first.customers.at(-1)?.id;
      for (const query of [filter, { ...filter, cursor }]) {
        await usesIndexes(ctx, (watched) => listCustomers(watched, listCustomersSchema.parse(query)));
      }
    }
  }
});

test("every order of the lists uses an index, on the first page and on later pages", async () => {
  for (const ctx of [readers.everyone, readers.owner]) {
    for (const sort of ["joined", "-joined", "name", "-name"]) {
      const query = { sort, limit: 100, page: 8 };
      const lastDeep = (await listCustomers(ctx, listCustomersSchema.parse(query))).customers.at(-1);
      expect(lastDeep).toBeDefined();
      for (const cursor of [undefined, lastDeep?.id]) {
        await usesIndexes(ctx, (watched) =>
          listCustomers(watched, listCustomersSchema.parse({ sort, cursor })),
        );
      }
    }
    const deepMovement = { where: ctx === readers.owner ? { branchId } : {}, skip: 4_000 };
    const { id } = await db.movement.findFirstOrThrow({ ...deepMovement, orderBy: { createdAt: "desc" } });
    for (const sort of ["time", "-time"]) {
      for (const cursor of [undefined, id]) {
        await usesIndexes(ctx, (watched) => listMovements(watched, movementsSchema.parse({ sort, cursor })));
      }
    }
  }
});

test("a search for any three letters uses an index, for one merchant and for all merchants", async () => {
  const terms = [
    "lay",
    "الك",
    "555",
    "cus",
    "haddad7",
    "zzz",
    "omar.khalil",
    "٥٥٥",
    "+974",
    "@customer.test",
    "al-k",
    "أحم",
    "ليلي",
  ];
  for (const ctx of [readers.everyone, readers.owner]) {
    for (const search of terms) {
      const query = listCustomersSchema.parse({ search });
      await usesIndexes(ctx, (watched) => listCustomers(watched, query));
      for (const sort of ["name", "-name"]) {
        const sorted = listCustomersSchema.parse({ search, sort });
        await usesIndexes(ctx, (watched) => listCustomers(watched, sorted));
      }
      await usesIndexes(ctx, (watched) => findCustomers(watched, { search }));
      for (const filter of [{}, { type: "REDEEM" as const }, { branchId }]) {
        await usesIndexes(ctx, (watched) => listMovements(watched, { search, ...filter }));
        await usesIndexes(ctx, (watched) => movementTotals(watched, { search, ...filter }));
      }
    }
  }
  // A term that all customers match finds the same as no term, and has too many movements to add up.
  const ids = async (search?: string) =>
    (await listMovements(readers.everyone, { search })).results.map((movement) => movement.id);
  expect(await ids("+974")).toEqual(await ids());
  expect(await movementTotals(readers.everyone, { search: "+974" })).toBeNull();
  expect(await movementTotals(readers.everyone, { search: "haddad7" })).toMatchObject({
    count: expect.any(Number),
  });
});

test("the transaction log and its totals use an index with every filter", async () => {
  const today = qatarDay(new Date());
  const week = { from: lastDays(today, 7)[0], to: today };
  const filters: MovementFilter[] = [
    {},
    week,
    { type: "REDEEM" },
    { type: "REVERSAL", ...week },
    { branchId },
    { branchId, type: "TOP_UP", ...week },
    { customerId },
    { workerId },
    { workerId, branchId },
  ];
  for (const ctx of Object.values(readers)) {
    for (const filter of filters) {
      const page = await listMovements(ctx, filter);
      const cursor = page.results.at(-1)?.id;
      await usesIndexes(ctx, (watched) => listMovements(watched, filter));
      await usesIndexes(ctx, (watched) => listMovements(watched, { ...filter, cursor }));
      await usesIndexes(ctx, (watched) => movementTotals(watched, filter));
    }
    await usesIndexes(ctx, (watched) => recentMovements(watched, { type: "TOP_UP" }));
  }
  await usesIndexes(readers.owner, (watched) => statement(watched, { customerId }));
});

test("a page of the log reads what belongs to its rows, not every reversal of the ledger", async () => {
  const watched = explainStatements(db);
  await listMovements({ ...readers.everyone, db: watched.db }, { limit: 20 });
  expect(watched.statements.map(({ read }) => read)).toEqual([expect.toSatisfy((read) => read < 150)]);
});

test("the totals of a worker read sums of days, however many movements there are", async () => {
  const days = await db.staffSum.count({ where: { actorId: workerId } });
  const watched = explainStatements(db);
  const totals = await movementTotals({ ...readers.worker, db: watched.db }, {});
  expect(totals?.count).toBeGreaterThan(2 * days);
  expect(watched.statements.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(days + 50);
});

test("dashboards and totals use daily sums and an index", async () => {
  for (const ctx of [readers.everyone, readers.owner]) {
    await usesIndexes(ctx, (watched) => dashboard(watched, {}));
    await usesIndexes(ctx, (watched) => customerTotals(watched, {}));
  }
});

test("a change of the configuration reads few rows while postings wait", async () => {
  const { merchantId } = await db.customer.findUniqueOrThrow({ where: { id: customerId } });
  for (const target of [{}, { merchantId }]) {
    const lowered = { ...(await viewConfig(readers.everyone, target)), ...target, dirhamsPerPoint: 1 };
    const watched = explainStatements(db);
    const edit = editConfig({ ...readers.everyone, db: watched.db }, editConfigSchema.parse(lowered));
    await expect(edit).rejects.toThrow("rate_lowered");
    expect(watched.statements.length).toBeGreaterThan(1);
    for (const { sql, read } of watched.statements) expect(read, sql).toBeLessThan(100);
  }
});

test("the preview of a rate adds up daily sums", async () => {
  const { merchantId } = await db.customer.findUniqueOrThrow({ where: { id: customerId } });
  for (const target of [{}, { merchantId }]) {
    const balances = await db.customer.aggregate({ where: target, _sum: { balance: true } });
    const impact = await configImpact(readers.everyone, { ...target, dirhamsPerPoint: 90 });
    expect(impact).toMatchObject({ points: balances._sum.balance, refused: true });
    await usesIndexes(readers.everyone, (ctx) => configImpact(ctx, { ...target, dirhamsPerPoint: 90 }));
  }
});

import { beforeAll, expect, test } from "vitest";
import { addDays, qatarDay } from "@/lib/domain/time";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { explainStatements, testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postRow } from "@/lib/testing/post-rows";
import { seedLarge } from "@/prisma/seed/large";
import { liability } from "./liability";

const db = await testDb();
const MERCHANTS = 5;
const today = qatarDay(new Date());
const SPANS = [
  [-400, -390],
  [-200, -100],
  [-30, -1],
  [-365, 0],
  [0, 0],
] as const;

beforeAll(async () => {
  await waitForOpenTransactions(db);
  await seedLarge(db, { merchants: MERCHANTS, customers: 3_000, movements: 30_000, days: 365 });
  await waitForOpenTransactions(db);
  await fillDailySums(db);
}, 300_000);

/** Rows that the report of each span read, of all merchants or of one. */
async function readBy(merchantId?: string): Promise<number[]> {
  const reads: number[] = [];
  for (const [first, last] of SPANS) {
    const watched = explainStatements(db);
    const ctx = contextOf(watched.db, await makeAdmin(db));
    await liability(ctx, { from: addDays(today, first), to: addDays(today, last), merchantId });
    expect(watched.statements.flatMap(({ scanned }) => scanned)).toEqual([]);
    reads.push(watched.statements.reduce((sum, { read }) => sum + read, 0));
  }
  return reads;
}

test("the report reads the sums that are kept, whatever the span, and of the movements only those not counted yet", async () => {
  const { id: merchantId } = await db.merchant.findFirstOrThrow({ where: { email: "large1@large.test" } });
  expect(await db.movement.count()).toBeGreaterThan(25_000);
  // Two kept rows for each of 8 types, and a few of merchants and configurations.
  const most = (merchants: number) => 2 * 8 * merchants + 30;
  expect(Math.max(...(await readBy()))).toBeLessThan(most(MERCHANTS));
  expect(Math.max(...(await readBy(merchantId)))).toBeLessThan(most(1) + MERCHANTS);

  const shop = await makeMerchant(db);
  const { id: customer } = await makeCustomer(db, shop);
  for (let n = 0; n < 20; n++) await postRow(db, shop, { type: "TOP_UP", customer, points: 5 });
  const waiting = await readBy();
  expect(Math.max(...waiting)).toBeGreaterThanOrEqual(20);
  expect(Math.max(...waiting)).toBeLessThan(most(MERCHANTS + 1) + 20);
  // One run of the job counts all of them, and nothing is read from the movements any more.
  await waitForOpenTransactions(db);
  expect(await fillDailySums(db)).toBe(20);
  expect(Math.max(...(await readBy()))).toBeLessThan(most(MERCHANTS + 1));
});

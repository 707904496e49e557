import { expect, test } from "vitest";
import { Prisma } from "@/lib/db/generated/client";
import { ofMerchant } from "@/lib/db/query";
import { summedUntil, unsummed } from "@/lib/db/sums";
import { addDays, qatarDay } from "@/lib/domain/time";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { explainStatements, testDb } from "@/lib/testing/database";
import { contextOf } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { seedLarge } from "@/prisma/seed/large";
import { HOME_PERIODS } from "./model/owner-home";
import { ownerHome } from "./owner-home";

const db = await testDb();

test("the owner's home reads the sums of the days, and movements of the last hours only, by an index", async () => {
  await waitForOpenTransactions(db);
  await seedLarge(db, { merchants: 5, customers: 3_000, movements: 30_000, days: 365 });
  await waitForOpenTransactions(db);
  await fillDailySums(db);
  const owner = await db.user.findFirstOrThrow({
    where: { role: "merchant_owner", merchant: { email: "large1@large.test" } },
  });
  const { merchantId } = owner;
  const today = qatarDay(new Date());
  // The rows of a few merchants are as quickly read by day as by merchant.
  const branches = await db.branch.count();
  for (const period of HOME_PERIODS) {
    const watched = explainStatements(db);
    await ownerHome(contextOf(watched.db, owner), {
      period,
      from: addDays(today, -300),
      to: addDays(today, -1),
    });
    expect(
      watched.statements.flatMap(({ scanned }) => scanned),
      period,
    ).toEqual([]);
    // What is owed, the branches' money, the days, and what the shop has done.
    expect(watched.statements).toHaveLength(4);
    const days = period === "custom" ? 2 * 302 : 2 * 31;
    const charted = period === "custom" ? 92 : 31;
    const sums = (days + charted) * branches * 4;
    const hours = await db.movement.count({
      where: { merchantId: merchantId ?? "", createdAt: { gte: new Date(Date.now() - 86_400_000) } },
    });
    const read = watched.statements.reduce((sum, { read: rows }) => sum + rows, 0);
    expect(read, period).toBeLessThan(sums + 3 * hours + 300);
  }
  // What is in no sum is found by its transaction alone: a merchant's other movements are not looked through.
  const own = ofMerchant({ scope: "merchant", merchantId: merchantId ?? "" });
  const fresh = Prisma.sql`select from movements where ${unsummed(await summedUntil(db), own)}`;
  const plan = await db.$transaction(async (tx) => {
    await tx.$executeRaw`set local enable_seqscan = off`;
    return JSON.stringify(await tx.$queryRaw`explain ${fresh}`);
  });
  expect(plan).toContain("Index Scan");
  expect(plan).toContain("movements_tx_idx");
  expect(plan).not.toContain("movements_merchant_id");
}, 300_000);

import { expect, test, vi } from "vitest";
import { createDb } from "@/lib/db/client";
import { topUp } from "@/lib/ledger/move-points";
import { ownerUrl, testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { processPostingOutbox } from "./movement-posted";

const db = await testDb();
const run = () => processPostingOutbox({ db });
const receipts = (ids: string[]) => db.email.count({ where: { id: { in: ids } } });

test("one movement whose receipt fails is logged and tried again later; the others go through", async () => {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  const post = async () => {
    const { id: customerId } = await makeCustomer(db, shop);
    return (await topUp(owner, { customerId, branchId: shop.branch.id, points: 5 })).movement.id;
  };
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await post());
  expect(await db.postingOutbox.count({ where: { movementId: { in: ids } } })).toBe(6);
  const bad = ids[2] ?? "";
  await db.$executeRawUnsafe(`create function refuse_receipt() returns trigger language plpgsql as
    $$ begin raise exception 'the receipt of someone@example.test cannot be made'; end $$`);
  await db.$executeRawUnsafe(`create trigger refuse_receipt before insert on emails
    for each row when (new.id = '${bad}') execute function refuse_receipt()`);
  const report = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  const lines = () => report.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(bad));

  await run();

  expect(await receipts(ids)).toBe(5);
  expect(lines()).toEqual([expect.stringMatching(/posting_outbox_failed .*cannot be made/s)]);
  expect(lines()[0]).not.toContain("someone@");
  const left = await db.postingOutbox.findMany({ where: { movementId: { in: ids } } });
  expect(left).toMatchObject([{ movementId: bad, attempts: 1 }]);
  const wait = (left[0]?.nextTryAt?.getTime() ?? 0) - Date.now();
  expect(wait).toBeGreaterThan(30_000);
  expect(wait).toBeLessThan(90_000);

  // Not due yet: nothing is tried, and later movements are handled together as usual.
  const later = await post();
  await run();
  expect(await receipts([later])).toBe(1);
  expect(lines()).toHaveLength(1);

  // Due again and still failing: the pause doubles. Then it goes through.
  await db.$executeRaw`update posting_outbox set next_try_at = now()`;
  await run();
  expect(await db.postingOutbox.findMany()).toMatchObject([{ movementId: bad, attempts: 2 }]);
  await db.$executeRaw`drop trigger refuse_receipt on emails`;
  await db.$executeRaw`update posting_outbox set next_try_at = now()`;
  await run();
  expect(await receipts([bad])).toBe(1);
  expect(await db.postingOutbox.count()).toBe(0);
  report.mockRestore();
});

test("what was posted is in the sums of its day without waiting for the job of each minute", async () => {
  const shop = await makeMerchant(db);
  const { id: customerId } = await makeCustomer(db, shop);
  await topUp(contextOf(db, shop.owner), { customerId, branchId: shop.branch.id, points: 7 });
  await waitForOpenTransactions(db);
  // Each client of the database has its own pause between two counts.
  const fresh = createDb(ownerUrl(), 1);
  await processPostingOutbox({ db: fresh });
  await fresh.$disconnect();
  const sums = await db.dailySum.findMany({ where: { merchantId: shop.merchant.id } });
  expect(sums.map(({ points }) => Number(points))).toEqual([7]);
});

import { expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { explainStatements, testDb } from "@/lib/testing/database";
import { contextOf, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { contextAt, makeTill } from "@/lib/testing/tills";
import { drawerOverview } from "./read-shifts";
import { closeShift, openShift } from "./run-shifts";

const db = await testDb();

test("open drawers and differences of seven days, of the owner's own shop", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const worker = await makeWorker(db, shop);
  const [one, two] = [await makeTill(db, shop), await makeTill(db, shop)];
  const run = async (at: typeof one, cash: number | null) => {
    const ctx = contextAt(db, worker, at);
    const { id } = await openShift(ctx, { tillId: at.till.id, float: 1_000 });
    if (cash !== null) await closeShift(ctx, { id, counted: { cash } });
    return id;
  };
  await run(one, 1_000);
  const short = await run(one, 950);
  const open = await run(two, null);
  const seen = await drawerOverview(contextOf(db, shop.owner), {});
  expect(seen).toMatchObject({ closed: 2, differed: 1, open: [{ id: open, difference: null }] });
  expect(seen.differing).toMatchObject([{ id: short, difference: -50 }]);
  const later = contextOf(db, shop.owner, { clock: () => new Date(Date.now() + 8 * 24 * 60 * 60 * 1000) });
  expect(await drawerOverview(later, {})).toMatchObject({ closed: 0, differed: 0, differing: [] });
  const nothing = { open: [], differing: [], closed: 0, differed: 0 };
  // A shop without drawers costs its owner's home one statement.
  const explained = explainStatements(getDb());
  expect(await drawerOverview(contextOf(explained.db, other.owner), {})).toEqual(nothing);
  expect(explained.statements).toHaveLength(1);
  await expect(drawerOverview(contextOf(db, worker), {})).rejects.toThrow("forbidden");
});

import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant } from "@/lib/testing/factories";
import { applyPendingNow, editedRules, makeHeld, runPendingJob } from "@/lib/testing/pending";
import { editConfig, withdrawOverride } from "./edit-config";
import { rulesInForce, viewConfig } from "./read-config";

const db = await testDb();
const admin = contextOf(db, await makeAdmin(db, { role: "admin" }));
const capOf = async (merchantId: string | null) => (await rulesInForce(db, merchantId)).workerDailyCap;

/** A merchant whose customers hold points and whose workers top up 500 points a day at most. */
async function limited() {
  const held = await makeHeld(db);
  const { merchantId } = held;
  await editConfig(admin, editedRules({ merchantId, workerDailyCap: 500 }));
  expect(await capOf(merchantId)).toBe(500);
  return held;
}

test("an administrator's raise of a worker's daily limit waits 24 hours, is shown and mailed, and takes effect", async () => {
  const { merchantId, owner, mails } = await limited();
  for (const workerDailyCap of [900, null]) {
    const before = await capOf(merchantId);
    const mailed = (await mails()).length;
    const { pending } = await editConfig(admin, editedRules({ merchantId, workerDailyCap }));
    expect(Number(pending?.effectiveAt) - Number(pending?.askedAt)).toBe(24 * 3_600_000);
    expect((await viewConfig(owner, {})).pending?.rules).toMatchObject({ workerDailyCap, maxTopUp: 5000 });
    await runPendingJob(db);
    expect(await capOf(merchantId)).toBe(before);
    const [asked] = (await mails()).slice(mailed);
    expect(asked?.text).toMatch(workerDailyCap === null ? /No limit.*900/ : /900.*500/);
    await applyPendingNow(db, merchantId);
    expect(await capOf(merchantId)).toBe(workerDailyCap);
  }
});

test("a lower one takes effect at once and ends a raise that waits; other changes go on waiting", async () => {
  const { merchantId } = await limited();
  await editConfig(admin, editedRules({ merchantId, workerDailyCap: 900 }));
  const lowered = await editConfig(admin, editedRules({ merchantId, workerDailyCap: 100 }));
  expect(lowered).toMatchObject({ workerDailyCap: 100, pending: null });
  await editConfig(admin, editedRules({ merchantId, workerDailyCap: 100, maxTopUp: 400 }));
  const lower = await editConfig(admin, editedRules({ merchantId, workerDailyCap: 50 }));
  expect(lower.pending?.rules).toMatchObject({ maxTopUp: 400, workerDailyCap: 50 });
  await applyPendingNow(db, merchantId);
  expect(await viewConfig(admin, { merchantId })).toMatchObject({ maxTopUp: 400, workerDailyCap: 50 });
});

test("it waits with what else waits, and nobody waits where no customer holds points", async () => {
  const { merchantId } = await limited();
  const both = await editConfig(admin, editedRules({ merchantId, workerDailyCap: 800, undoMinutes: 5 }));
  expect(both).toMatchObject({ workerDailyCap: 500, undoMinutes: 15 });
  expect(both.pending?.rules).toMatchObject({ workerDailyCap: 800, undoMinutes: 5 });
  await applyPendingNow(db, merchantId);
  expect(await viewConfig(admin, { merchantId })).toMatchObject({ workerDailyCap: 800, undoMinutes: 5 });
  const { merchant } = await makeMerchant(db, { workerDailyCap: 20_000 });
  const empty = await editConfig(admin, editedRules({ merchantId: merchant.id, workerDailyCap: 50_000 }));
  expect(empty).toMatchObject({ workerDailyCap: 50_000, pending: null });
});

test("a new merchant's first limit is not lifted at once by an override, nor by its withdrawal", async () => {
  const { merchantId } = await makeHeld(db);
  await db.merchant.update({ where: { id: merchantId }, data: { workerDailyCap: 20_000 } });
  const lifted = await editConfig(admin, editedRules({ merchantId, workerDailyCap: null }));
  expect(lifted).toMatchObject({ workerDailyCap: 20_000, pending: { rules: { workerDailyCap: null } } });
  await editConfig(admin, editedRules({ merchantId, workerDailyCap: 300 }));
  const withdrawn = await withdrawOverride(admin, { merchantId });
  expect(withdrawn).toMatchObject({ workerDailyCap: 300, pending: { rules: { workerDailyCap: 20_000 } } });
  await applyPendingNow(db, merchantId);
  expect(await viewConfig(admin, { merchantId })).toMatchObject({
    workerDailyCap: 20_000,
    overridden: false,
  });
});

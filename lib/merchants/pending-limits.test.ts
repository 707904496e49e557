import { expect, test } from "vitest";
import { approvePending, cancelPending } from "@/lib/points-config/apply-pending";
import { editConfig } from "@/lib/points-config/edit-config";
import { viewPendingLimits } from "@/lib/points-config/pending-limits";
import { viewConfig } from "@/lib/points-config/read-config";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { applyPendingNow, editedRules, makeHeld, runPendingJob } from "@/lib/testing/pending";
import { changePlatform, changeSettings, viewPlatform, viewSettings } from "./settings";

const read = handlerOf("GET", "merchants/{id}/settings");
const write = handlerOf("PUT", "merchants/{id}/settings");
const cancel = handlerOf("DELETE", "points-config/pending/{id}");

const db = await testDb();
const rootUser = await makeAdmin(db);
const root = contextOf(db, rootUser);
const admin = contextOf(db, await makeAdmin(db, { role: "admin" }));
const allowanceOf = async (id: string) =>
  (await db.merchant.findUniqueOrThrow({ where: { id } })).redeemAllowance;
const actionsOf = async (id: string) => (await auditsOf(db, id)).map(({ action, job }) => [action, job]);

test("a raise by a super_admin waits 24 hours, is shown and mailed, and then takes effect", async () => {
  const { shop, merchantId: id, owner, mails } = await makeHeld(db);
  const params = { id };
  const token = await tokenOf(db, rootUser);
  const body = { iRedeemAllowance: 150, iRefundDays: 4 };
  const answer = await call(write, { method: "PUT", token, params, body });
  const oPending = { iRedeemAllowance: 150, bNeedsApproval: false, sAskedBy: expect.stringContaining(" ") };
  expect(answer).toMatchObject({ status: 200, data: { iRedeemAllowance: 50, iRefundDays: 4, oPending } });
  const seen = await call(read, { token: await tokenOf(db, shop.owner), params });
  expect(seen.data).toMatchObject({ iRedeemAllowance: 50, oPending: { ...oPending, sAskedBy: null } });
  const { pending } = await viewSettings(root, { id });
  expect(Number(pending?.effectiveAt) - Number(pending?.askedAt)).toBe(24 * 3_600_000);
  // The form sends every field again: what waits goes on waiting, once.
  await changeSettings(root, { id, redeemAllowance: 50, refundDays: 5 });
  await changeSettings(root, { id, redeemAllowance: 150 });
  expect((await viewSettings(root, { id })).pending?.id).toBe(pending?.id);
  await runPendingJob(db);
  expect(await allowanceOf(id)).toBe(50);
  const [asked, ...more] = await mails();
  expect(more).toEqual([]);
  expect(asked?.text).toMatch(/150.*\/merchant\/settings/s);

  await applyPendingNow(db, id);
  expect(await viewSettings(owner, { id })).toMatchObject({ redeemAllowance: 150, pending: null });
  expect(await mails()).toHaveLength(2);
  expect(await actionsOf(id)).toEqual([
    ["config.asked", null],
    ["merchant.settings", null],
    ["merchant.settings", null],
    ["merchant.settings", "apply_pending"],
  ]);
});

test("any administrator sees it and cancels it, an owner does not, and there is nothing to approve", async () => {
  const { merchantId: id, owner, mails } = await makeHeld(db);
  await changeSettings(root, { id, redeemAllowance: 200 });
  const { pending } = await viewSettings(owner, { id });
  if (!pending) throw new Error("nothing waits");
  expect(await viewPendingLimits(admin, { merchantId: id })).toMatchObject([{ id: pending.id }]);
  expect(await viewPendingLimits(owner, {})).toMatchObject([{ id: pending.id, askedBy: null }]);
  await expect(cancelPending(owner, { id: pending.id })).rejects.toThrow("forbidden");
  await expect(approvePending(admin, { id: pending.id })).rejects.toThrow("no_change");
  const token = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
  expect(await call(cancel, { method: "DELETE", token, params: { id: pending.id } })).toMatchObject({
    status: 200,
    data: { oPending: null },
  });
  await applyPendingNow(db, id);
  expect(await allowanceOf(id)).toBe(50);
  expect(await mails()).toHaveLength(2);
});

test("what lowers it, touches nobody or comes from the owner takes effect at once, and ends what waits", async () => {
  const { merchantId: id, owner } = await makeHeld(db);
  expect(await changeSettings(root, { id, redeemAllowance: 20 })).toMatchObject({ redeemAllowance: 20 });
  await changeSettings(root, { id, redeemAllowance: 180 });
  expect(await changeSettings(owner, { id, redeemAllowance: 60 })).toMatchObject({
    redeemAllowance: 60,
    pending: null,
  });
  await applyPendingNow(db, id);
  expect(await allowanceOf(id)).toBe(60);
  const { merchant } = await makeMerchant(db);
  const empty = await changeSettings(root, { id: merchant.id, redeemAllowance: 200 });
  expect(empty).toMatchObject({ redeemAllowance: 200, pending: null });
});

test("it stands beside a change of the points configuration, and neither ends the other", async () => {
  const { merchantId } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, maxTopUp: 400 }));
  await changeSettings(root, { id: merchantId, redeemAllowance: 100 });
  expect((await viewConfig(admin, { merchantId })).pending?.rules).toMatchObject({ maxTopUp: 400 });
  expect((await viewSettings(root, { id: merchantId })).pending).toMatchObject({ wanted: 100 });
  await applyPendingNow(db, merchantId);
  expect((await viewConfig(admin, { merchantId })).maxTopUp).toBe(400);
  expect(await allowanceOf(merchantId)).toBe(100);
});

test("a raise is dropped when the ceiling fell below it or whoever asked is no super_admin any more", async () => {
  const { merchantId: id } = await makeHeld(db);
  await changeSettings(root, { id, redeemAllowance: 190 });
  await changePlatform(root, { redeemAllowanceCeiling: 120 });
  await applyPendingNow(db, id);
  expect(await allowanceOf(id)).toBe(50);
  const other = await makeAdmin(db);
  await changeSettings(contextOf(db, other), { id, redeemAllowance: 110 });
  await db.user.update({ where: { id: other.id }, data: { role: "admin" } });
  await applyPendingNow(db, id);
  expect(await allowanceOf(id)).toBe(50);
  const dropped = (await auditsOf(db, id)).filter(({ action }) => action === "config.dropped");
  expect(dropped.map(({ after }) => after)).toEqual([{ reason: "bounds" }, { reason: "asker" }]);
});

test("what a worker may redeem without proof waits in the same way, beside the allowance", async () => {
  const { shop, merchantId: id, owner, mails } = await makeHeld(db);
  const now = async () => (await db.merchant.findUniqueOrThrow({ where: { id } })).unprovedWorkerDaily;
  const [token, params] = [await tokenOf(db, rootUser), { id }];
  const body = { iUnprovedWorkerDaily: 900, iRedeemAllowance: 110 };
  const answer = await call(write, { method: "PUT", token, params, body });
  const oPendingWorker = { iUnprovedWorkerDaily: 900, bNeedsApproval: false };
  const data = { iUnprovedWorkerDaily: 500, oPending: { iRedeemAllowance: 110 }, oPendingWorker };
  expect(answer).toMatchObject({ status: 200, data });
  const seen = await call(read, { token: await tokenOf(db, shop.owner), params });
  expect(seen.data).toMatchObject({ oPendingWorker: { iUnprovedWorkerDaily: 900, sAskedBy: null } });
  await runPendingJob(db);
  expect(await now()).toBe(500);
  expect((await mails()).map(({ text }) => /900/.test(text))).toEqual([false, true]);
  // The owner's own limit ends it, and not the allowance that waits.
  await changeSettings(owner, { id, unprovedWorkerDaily: 600 });
  expect(await viewSettings(owner, { id })).toMatchObject({ pending: { wanted: 110 }, pendingWorker: null });
  await changeSettings(root, { id, unprovedWorkerDaily: 700 });
  const [, waiting] = await viewPendingLimits(admin, { merchantId: id });
  expect(waiting).toMatchObject({ name: "unprovedWorkerDaily", before: 600, wanted: 700 });
  await cancelPending(admin, { id: waiting?.id ?? "" });
  await changeSettings(root, { id, unprovedWorkerDaily: 800 });
  await applyPendingNow(db, id);
  expect(await now()).toBe(800);
  expect((await changeSettings(root, { id, unprovedWorkerDaily: 100 })).unprovedWorkerDaily).toBe(100);
});

test("of concurrent changes by the owner and an administrator each ends whole", async () => {
  const { merchantId: id, owner } = await makeHeld(db);
  for (let round = 0; round < 4; round += 1) {
    await changeSettings(root, { id, redeemAllowance: 90 + round });
    await Promise.all([
      applyPendingNow(db, id),
      changeSettings(owner, { id, redeemAllowance: 30 + round }),
      changeSettings(root, { id, redeemAllowance: 100 + round }),
    ]);
    expect(await db.pendingChange.count({ where: { merchantId: id, closedAt: null } })).toBeLessThanOrEqual(
      1,
    );
  }
});

test("a higher ceiling of the platform waits, too, while any customer holds points; a lower one does not", async () => {
  const { mails } = await makeHeld(db);
  await changePlatform(root, { redeemAllowanceCeiling: 200 }).catch(() => undefined);
  await applyPendingNow(db, null);
  const before = (await mails()).length;
  expect(await changePlatform(root, { redeemAllowanceCeiling: 300 })).toMatchObject({
    redeemAllowanceCeiling: 200,
    pending: { wanted: 300 },
  });
  await runPendingJob(db);
  expect((await mails()).length).toBe(before + 1);
  await applyPendingNow(db, null);
  expect(await viewPlatform(root, {})).toMatchObject({ redeemAllowanceCeiling: 300, pending: null });
  await changePlatform(root, { redeemAllowanceCeiling: 500 });
  expect(await changePlatform(root, { redeemAllowanceCeiling: 200 })).toEqual({
    redeemAllowanceCeiling: 200,
    pending: null,
  });
});

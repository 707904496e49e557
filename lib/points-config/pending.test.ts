import { expect, test } from "vitest";
import type { User } from "@/lib/db/generated/client";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin } from "@/lib/testing/factories";
import { applyPendingNow, editedRules, makeHeld, runPendingJob } from "@/lib/testing/pending";
import { approvePending, cancelPending } from "./apply-pending";
import { editConfig, withdrawOverride } from "./edit-config";
import { rulesInForce, viewConfig } from "./read-config";

const db = await testDb();
const contextFor = (user: User) => contextOf(db, user);
const admin = contextFor(await makeAdmin(db, { role: "admin", firstName: "Sara" }));
const second = contextFor(await makeAdmin(db, { role: "admin", firstName: "Omar" }));

const HOUR = 3_600_000;
const rate = async (merchantId: string | null) => (await rulesInForce(db, merchantId)).dirhamsPerPoint;
const fulfilled = (settled: PromiseSettledResult<unknown>[]) =>
  settled.filter(({ status }) => status === "fulfilled").length;
const pendingOf = async (merchantId: string) => {
  const { pending } = await viewConfig(admin, { merchantId });
  if (!pending) throw new Error("nothing waits");
  return pending;
};

test("a change while points are outstanding waits 24 hours, is shown and mailed to the owner, and then takes effect", async () => {
  const { merchantId, owner, mails } = await makeHeld(db);
  const answer = await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 110, undoMinutes: 5 }));
  expect(answer).toMatchObject({ dirhamsPerPoint: 100, undoMinutes: 15, overridden: false });
  expect(answer.pending).toMatchObject({
    rules: { dirhamsPerPoint: 110, maxTopUp: 5000, undoMinutes: 5 },
    merchantId,
    withdrawal: false,
    needsApproval: false,
    askedBy: "Sara Haddad",
    own: true,
  });
  const wait = Number(answer.pending?.effectiveAt) - Number(answer.pending?.askedAt);
  expect(wait).toBe(24 * HOUR);
  expect((await viewConfig(owner, {})).pending).toMatchObject({
    id: answer.pending?.id,
    askedBy: null,
    own: false,
  });
  await runPendingJob(db);
  await runPendingJob(db);
  expect(await rate(merchantId)).toBe(100);
  const [asked, ...more] = await mails();
  expect(more).toEqual([]);
  expect(asked?.text).toContain("QAR 1.10");

  await applyPendingNow(db, merchantId);
  const inForce = await viewConfig(owner, {});
  expect(inForce).toMatchObject({ dirhamsPerPoint: 110, undoMinutes: 5, overridden: true, pending: null });
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    expect.stringContaining("will change"),
    expect.stringContaining("have changed"),
  ]);
  expect((await auditsOf(db, merchantId)).map(({ action, job }) => [action, job])).toEqual([
    ["config.asked", null],
    ["config.changed", "apply_pending"],
  ]);
  const version = await db.pointsConfig.findFirstOrThrow({ where: { merchantId } });
  expect(version.changedById).toBe(admin.actor.userId);
});

test("the minimum and the daily cap take effect at once, without the rules that wait", async () => {
  const { merchantId } = await makeHeld(db);
  const change = { merchantId, minTopUp: 5, workerDailyCap: 900, maxTopUp: 300 };
  const answer = await editConfig(admin, editedRules(change));
  expect(answer).toMatchObject({ minTopUp: 5, workerDailyCap: 900, maxTopUp: 5000 });
  expect(answer.pending?.rules).toMatchObject({ minTopUp: 5, maxTopUp: 300 });
  // Another minimum leaves the change that waits.
  await editConfig(admin, editedRules({ merchantId, minTopUp: 6, workerDailyCap: 900 }));
  expect((await pendingOf(merchantId)).id).toBe(answer.pending?.id);
  // A minimum above the maximum in force waits with the new maximum.
  const both = { merchantId, minTopUp: 6000, maxTopUp: 7000, workerDailyCap: 900 };
  expect(await editConfig(admin, editedRules(both))).toMatchObject({
    minTopUp: 6,
    maxTopUp: 5000,
    pending: { rules: { minTopUp: 6000, maxTopUp: 7000 } },
  });
  await applyPendingNow(db, merchantId);
  expect(await rulesInForce(db, merchantId)).toMatchObject({
    minTopUp: 6000,
    maxTopUp: 7000,
    workerDailyCap: 900,
  });
});

test("a change that no longer fits the rules in force at its time is dropped, and the owner is mailed", async () => {
  const { merchantId, mails } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, maxTopUp: 300 }));
  await editConfig(admin, editedRules({ merchantId, minTopUp: 400 }));
  await applyPendingNow(db, merchantId);
  expect(await viewConfig(admin, { merchantId })).toMatchObject({
    maxTopUp: 5000,
    minTopUp: 400,
    pending: null,
  });
  expect((await mails()).at(-1)?.subject).toContain("stay as they are");
  expect((await auditsOf(db, merchantId)).at(-1)).toMatchObject({
    action: "config.dropped",
    after: { reason: "bounds" },
  });
});

test("any administrator cancels a change that waits, once, and the owner is mailed", async () => {
  const { merchantId, owner, mails } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 105 }));
  const { id } = await pendingOf(merchantId);
  await expect(cancelPending(owner, { id })).rejects.toThrow("forbidden");
  const cancelled = await Promise.allSettled([cancelPending(second, { id }), cancelPending(admin, { id })]);
  expect(fulfilled(cancelled)).toBe(1);
  await expect(cancelPending(admin, { id })).rejects.toThrow("pending_not_found");
  await expect(approvePending(second, { id })).rejects.toThrow("pending_not_found");
  await applyPendingNow(db, merchantId);
  expect(await rate(merchantId)).toBe(100);
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    expect.stringContaining("will change"),
    expect.stringContaining("stay as they are"),
  ]);
});

test("a new change replaces the one that waits; the same one again is no change", async () => {
  const { merchantId } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 105 }));
  const first = await pendingOf(merchantId);
  const again = editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 105 }));
  await expect(again).rejects.toThrow("no_change");
  await Promise.all([
    editConfig(second, editedRules({ merchantId, dirhamsPerPoint: 106 })),
    editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 107 })),
  ]);
  expect(await db.pendingChange.count({ where: { merchantId, closedAt: null } })).toBe(1);
  await expect(cancelPending(admin, { id: first.id })).rejects.toThrow("pending_not_found");
  const actions = (await auditsOf(db, merchantId)).map(({ action }) => action);
  expect(actions.filter((action) => action === "config.replaced")).toHaveLength(2);
});

test("a step of more than a fifth of the value needs a second administrator's approval", async () => {
  const { merchantId } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 120 }));
  expect((await pendingOf(merchantId)).needsApproval).toBe(false);
  await expect(approvePending(second, { id: (await pendingOf(merchantId)).id })).rejects.toThrow("no_change");
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 100_000 }));
  const { id, needsApproval } = await pendingOf(merchantId);
  expect(needsApproval).toBe(true);
  await applyPendingNow(db, merchantId);
  expect(await rate(merchantId)).toBe(100);
  await expect(approvePending(admin, { id })).rejects.toThrow("own_request");
  const third = contextFor(await makeAdmin(db));
  const approved = await Promise.allSettled([approvePending(second, { id }), approvePending(third, { id })]);
  expect(fulfilled(approved)).toBe(1);
  expect(approved.find((one) => one.status === "rejected")?.reason).toMatchObject({ code: "no_change" });
  expect(await pendingOf(merchantId)).toMatchObject({ needsApproval: false, approved: true });
  await runPendingJob(db);
  expect(await rate(merchantId)).toBe(100_000);
});

test("whoever approves was active before the request, with an account of at least 72 hours", async () => {
  const { merchantId } = await makeHeld(db);
  const young = await makeAdmin(db, { createdAt: new Date(Date.now() - 71 * HOUR) });
  const invited = await makeAdmin(db, { status: "invited" });
  const disabled = await makeAdmin(db);
  await db.user.update({ where: { id: disabled.id }, data: { status: "disabled" } });
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 300 }));
  const { id } = await pendingOf(merchantId);
  for (const late of [invited, disabled]) {
    await db.user.update({ where: { id: late.id }, data: { status: "active", activeSince: new Date(0) } });
  }
  const made = await makeAdmin(db, { createdAt: new Date() });
  for (const approver of [young, invited, disabled, made])
    await expect(approvePending(contextFor(approver), { id })).rejects.toThrow("approver_too_new");
  expect(await pendingOf(merchantId)).toMatchObject({ needsApproval: true, approved: false });
  await approvePending(second, { id });
  expect(await pendingOf(merchantId)).toMatchObject({ approved: true });
});

test("what a disabled administrator asked for or approved is dropped at its time", async () => {
  const leaver = await makeAdmin(db, { role: "admin" });
  const [asked, approved] = [await makeHeld(db), await makeHeld(db)];
  await editConfig(contextFor(leaver), editedRules({ merchantId: asked.merchantId, dirhamsPerPoint: 300 }));
  await editConfig(admin, editedRules({ merchantId: approved.merchantId, dirhamsPerPoint: 300 }));
  await approvePending(contextFor(leaver), { id: (await pendingOf(approved.merchantId)).id });
  await db.user.update({ where: { id: leaver.id }, data: { status: "disabled" } });
  const { id } = await pendingOf(asked.merchantId);
  await expect(approvePending(second, { id })).rejects.toThrow("conflict");
  for (const { merchantId, mails } of [asked, approved]) {
    await applyPendingNow(db, merchantId);
    expect(await viewConfig(admin, { merchantId })).toMatchObject({ dirhamsPerPoint: 100, pending: null });
    expect((await mails()).at(-1)?.subject).toContain("stay as they are");
  }
});

test("the only administrator waits 72 hours in place of an approval", async () => {
  const { merchantId } = await makeHeld(db);
  const lone = await makeAdmin(db);
  const others = { id: { not: lone.id }, role: { in: ["super_admin" as const, "admin" as const] } };
  const active = { ...others, status: "active" as const };
  const ids = (await db.user.findMany({ where: active, select: { id: true } })).map(({ id }) => id);
  await db.user.updateMany({ where: active, data: { status: "disabled" } });
  const { pending } = await editConfig(contextFor(lone), editedRules({ merchantId, dirhamsPerPoint: 200 }));
  await db.user.updateMany({ where: { id: { in: ids } }, data: { status: "active" } });
  expect(pending?.needsApproval).toBe(false);
  expect(Number(pending?.effectiveAt) - Number(pending?.askedAt)).toBe(72 * HOUR);
  await applyPendingNow(db, merchantId);
  expect(await rate(merchantId)).toBe(200);
});

test("a withdrawal of the override waits, and is dropped when the platform's rules are others by then", async () => {
  for (const platformChanges of [false, true]) {
    const { merchantId, mails } = await makeHeld(db);
    await editConfig(admin, editedRules({ merchantId, undoMinutes: 4 }));
    await applyPendingNow(db, merchantId);
    const platform = await rulesInForce(db, null);
    expect(await withdrawOverride(admin, { merchantId })).toMatchObject({
      overridden: true,
      undoMinutes: 4,
      pending: { withdrawal: true, rules: { undoMinutes: platform.undoMinutes } },
    });
    await expect(withdrawOverride(admin, { merchantId })).rejects.toThrow("no_change");
    if (platformChanges) {
      await editConfig(admin, { ...platform, undoMinutes: 30 });
      await applyPendingNow(db, null);
    }
    await applyPendingNow(db, merchantId);
    expect(await viewConfig(admin, { merchantId })).toMatchObject({
      overridden: platformChanges,
      pending: null,
    });
    expect((await mails()).at(-1)?.subject).toContain(platformChanges ? "stay as" : "have changed");
  }
});

test("a withdrawal that waits shows every rule as it will be, also those that never wait", async () => {
  const { merchantId } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, undoMinutes: 4, minTopUp: 7, workerDailyCap: 900 }));
  await applyPendingNow(db, merchantId);
  const { pending } = await withdrawOverride(admin, { merchantId });
  expect(pending?.withdrawal).toBe(true);
  await applyPendingNow(db, merchantId);
  const after = await rulesInForce(db, merchantId);
  expect(after).toMatchObject({ overridden: false, minTopUp: 1 });
  expect(after).toMatchObject(pending?.rules ?? {});
});

test("a change of the platform's rules is shown and mailed to every owner without an override", async () => {
  const [follows, overrides] = [await makeHeld(db), await makeHeld(db)];
  const before = await rulesInForce(db, null);
  const own = { ...before, workerDailyCap: 700 };
  await editConfig(admin, { ...own, merchantId: overrides.merchantId });
  const { pending } = await editConfig(admin, { ...before, maxBalance: before.maxBalance + 1 });
  expect(pending).toMatchObject({ merchantId: null });
  await runPendingJob(db);
  expect((await viewConfig(follows.owner, {})).pending).toMatchObject({ id: pending?.id, merchantId: null });
  expect((await viewConfig(overrides.owner, {})).pending).toBeNull();
  expect(await follows.mails()).toHaveLength(1);
  expect(await overrides.mails()).toHaveLength(0);
  // Equal rules, but their owner was not mailed about the change that waits.
  expect(await withdrawOverride(admin, { merchantId: overrides.merchantId })).toMatchObject({
    overridden: true,
    pending: { withdrawal: true },
  });
  await applyPendingNow(db, null);
  await applyPendingNow(db, overrides.merchantId);
  expect(await rulesInForce(db, overrides.merchantId)).toMatchObject({
    maxBalance: before.maxBalance,
    workerDailyCap: 700,
    overridden: true,
  });
  expect(await rulesInForce(db, follows.merchantId)).toMatchObject({ maxBalance: before.maxBalance + 1 });
  expect(await follows.mails()).toHaveLength(2);
});

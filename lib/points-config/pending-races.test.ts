import { expect, test } from "vitest";
import type { User } from "@/lib/db/generated/client";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeCustomer } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { applyPendingNow, editedRules, makeHeld, makePendingDue, runPendingJob } from "@/lib/testing/pending";
import { approvePending, cancelPending } from "./apply-pending";
import { configImpact, editConfig, withdrawOverride } from "./edit-config";
import { rulesInForce, viewConfig } from "./read-config";

const db = await testDb();
const contextFor = (user: User) => contextOf(db, user);
const admin = contextFor(await makeAdmin(db, { role: "admin", firstName: "Sara" }));
const second = contextFor(await makeAdmin(db, { role: "admin", firstName: "Omar" }));

const rate = async (merchantId: string | null) => (await rulesInForce(db, merchantId)).dirhamsPerPoint;
const fulfilled = (settled: PromiseSettledResult<unknown>[]) =>
  settled.filter(({ status }) => status === "fulfilled").length;
const pendingOf = async (merchantId: string) => {
  const { pending } = await viewConfig(admin, { merchantId });
  if (!pending) throw new Error("nothing waits");
  return pending;
};

test("the job on two servers applies a change once, and a concurrent cancellation wins or fails", async () => {
  for (let n = 0; n < 4; n++) {
    const { merchantId, mails } = await makeHeld(db);
    await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 101 + n }));
    const { id } = await pendingOf(merchantId);
    await makePendingDue(db, merchantId);
    const [cancelled] = await Promise.allSettled([
      cancelPending(second, { id }),
      runPendingJob(db),
      runPendingJob(db),
    ]);
    await runPendingJob(db);
    const isCancelled = cancelled?.status === "fulfilled";
    expect(await db.pointsConfig.count({ where: { merchantId } })).toBe(isCancelled ? 0 : 1);
    expect(await mails()).toHaveLength(2);
    const { outcome } = await db.pendingChange.findUniqueOrThrow({ where: { id } });
    expect(outcome).toBe(isCancelled ? "cancelled" : "applied");
  }
});

test("of an approval and a cancellation at once, a cancelled change never takes effect", async () => {
  const { merchantId } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 200 }));
  const { id } = await pendingOf(merchantId);
  const [cancelled] = await Promise.allSettled([
    cancelPending(admin, { id }),
    approvePending(second, { id }),
  ]);
  expect(cancelled?.status).toBe("fulfilled");
  await applyPendingNow(db, merchantId);
  expect(await rate(merchantId)).toBe(100);
});

test("a raise is lowered back at once while nothing was posted under it, and only then", async () => {
  const { shop, customer, merchantId, mails } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 115 }));
  await applyPendingNow(db, merchantId);
  const lower = (dirhamsPerPoint: number) => editConfig(admin, editedRules({ merchantId, dirhamsPerPoint }));
  await expect(lower(99)).rejects.toThrow("rate_lowered");
  await expect(lower(110)).rejects.toThrow("rate_lowered");
  expect(await configImpact(admin, { merchantId, dirhamsPerPoint: 100 })).toMatchObject({ refused: false });
  expect(await configImpact(admin, { merchantId, dirhamsPerPoint: 99 })).toMatchObject({ refused: true });
  expect(await lower(100)).toMatchObject({ dirhamsPerPoint: 100, pending: null });
  await runPendingJob(db);
  expect((await mails()).at(-1)?.subject).toContain("have changed");

  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 118 }));
  await applyPendingNow(db, merchantId);
  await move(db, shop, customer, { points: 1 });
  await expect(lower(100)).rejects.toThrow("rate_lowered");
});

test("top-ups concurrent with the undoing of a raise never leave points that lost value", async () => {
  for (let n = 0; n < 3; n++) {
    const { shop, merchantId } = await makeHeld(db);
    await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 115 }));
    await applyPendingNow(db, merchantId);
    const customers = await Promise.all(Array.from({ length: 4 }, () => makeCustomer(db, shop)));
    const [undone, ...posted] = await Promise.allSettled([
      editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 100 })),
      ...customers.map((customer) => move(db, shop, customer, { points: 20 })),
    ]);
    expect(fulfilled(posted)).toBe(4);
    const rates = await db.movement.findMany({
      where: { customerId: { in: customers.map(({ id }) => id) } },
      select: { rate: true },
    });
    const expected = undone?.status === "fulfilled" ? 100 : 115;
    expect(new Set(rates.map((one) => one.rate))).toEqual(new Set([expected]));
  }
});

test("the database refuses an approval by whoever asked, a second open change, and one applied before its time", async () => {
  const { merchantId } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 300 }));
  const { id } = await pendingOf(merchantId);
  const by = admin.actor.userId;
  const update = (data: object) => db.pendingChange.update({ where: { id }, data });
  await expect(update({ approvedById: by, approvedAt: new Date() })).rejects.toThrow(
    "pending_changes_second",
  );
  await expect(update({ outcome: "applied", closedAt: new Date() })).rejects.toThrow(
    "pending_changes_applied",
  );
  const { needsApproval, alone, before, askedById, effectiveAt } = await db.pendingChange.findUniqueOrThrow({
    where: { id },
  });
  const data = { merchantId, needsApproval, alone, before: before as object, askedById, effectiveAt };
  await expect(db.pendingChange.create({ data })).rejects.toThrow();
});

test("the platform's raise is not undone for who came under it from a value between the two", async () => {
  const { merchantId } = await makeHeld(db);
  await editConfig(admin, editedRules({ merchantId, dirhamsPerPoint: 110 }));
  await applyPendingNow(db, merchantId);
  await editConfig(admin, editedRules({ dirhamsPerPoint: 115 }));
  await applyPendingNow(db, null);
  await withdrawOverride(admin, { merchantId });
  await applyPendingNow(db, merchantId);
  expect(await rate(merchantId)).toBe(115);
  await expect(editConfig(admin, editedRules())).rejects.toThrow("rate_lowered");
  expect(await rate(merchantId)).toBe(115);
});

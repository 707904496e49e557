import { randomUUID } from "node:crypto";
import { audit } from "@/lib/audit/audit";
import { giveNotice, renewNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import { type Context, givenTime } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { branchName } from "@/lib/domain/localized-names";
import { mailOwners } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { operation } from "@/lib/operations/operation";
import { closeShiftSchema, moveDrawerSchema, openShiftSchema } from "./model/shift";
import type { ShiftView } from "./names";
import { getShift } from "./read-shifts";

/** The reach of the caller's shifts: the merchant (null: all) and the till (null: any, for an owner). */
function place(ctx: Context): { within: string | null; atTill: string | null } {
  const reach = authorize(ctx.actor, "shifts.run");
  const within = reach.scope === "any" ? null : reach.merchantId;
  if (reach.scope !== "own") return { within, atTill: null };
  if (!ctx.till) throw new DomainError("till_required");
  return { within, atTill: ctx.till.id };
}

type Answer = { outcome: string; merchant: string | null };

function refusal(outcome: string, missing: "till_not_found" | "shift_not_found"): DomainError {
  return new DomainError(outcome === "not_found" ? missing : (outcome as ErrorCode));
}

/** Opens a shift with this much cash in the drawer (dirhams): a worker at the proving till, an owner anywhere. */
export const openShift = operation({
  permission: "shifts.run",
  input: openShiftSchema,
  errors: ["till_not_found", "till_retired", "till_required", "shift_open"],
  run: async (ctx, { tillId, float }) => {
    const { within, atTill } = place(ctx);
    if (atTill !== null && atTill !== tillId) throw new DomainError("till_not_found");
    return ctx.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<[Answer & { id: string }]>`
      select outcome, shift_id::text as id, merchant::text
      from open_shift(${tillId}::uuid, ${within}::uuid, ${float}::int, ${ctx.actor.userId}::uuid, ${givenTime(ctx)}::timestamptz)`;
      if (row.outcome !== "opened") throw refusal(row.outcome, "till_not_found");
      const about = { merchantId: row.merchant, entity: "till", entityId: tillId } as const;
      await audit(tx, ctx, { ...about, action: "shift.opened", after: { float } });
      const { id, period, openedAt } = await tx.shift.findUniqueOrThrow({
        where: { id: row.id },
        select: { id: true, period: true, openedAt: true },
      });
      return { id, number: period, openedAt };
    });
  },
});

/** Records cash (dirhams) that goes into the drawer or out of it without a sale. The same key answers the first result. */
export const moveDrawer = operation({
  permission: "shifts.run",
  input: moveDrawerSchema,
  errors: ["shift_not_found", "shift_closed", "till_required", "key_reused"],
  run: async (ctx, input) => {
    const { within, atTill } = place(ctx);
    const { id, kind, amount, reason, idempotencyKey = randomUUID() } = input;
    return ctx.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<[Answer & { id: string }]>`
      select outcome, move_id::text as id, merchant::text from move_drawer(${id}::uuid, ${within}::uuid, ${atTill}::uuid,
        ${kind}, ${amount}::int, ${reason}, ${ctx.actor.userId}::uuid, ${idempotencyKey}, ${givenTime(ctx)}::timestamptz)`;
      if (row.outcome === "replayed") return { id: row.id, replayed: true };
      if (row.outcome !== "moved") throw refusal(row.outcome, "shift_not_found");
      const merchant = { select: { id: true, drawerTolerance: true } };
      const { tillId, branch } = await tx.shift.findUniqueOrThrow({
        where: { id },
        select: { tillId: true, branch: { select: { merchant } } },
      });
      const about = { merchantId: row.merchant, entity: "till", entityId: tillId } as const;
      await audit(tx, ctx, { ...about, action: `shift.${kind}`, after: { dirhams: amount, reason } });
      if (kind === "pay_out" && atTill !== null)
        await notifyOfPayOuts(tx, branch.merchant, { tillId, userId: ctx.actor.userId, recordId: id });
      return { id: row.id, replayed: false };
    });
  },
});

/** Closes a shift by the count (dirhams a tender) and answers its report. Entries that wait at the till need a note. */
export const closeShift = operation({
  permission: "shifts.run",
  input: closeShiftSchema,
  errors: ["shift_not_found", "shift_closed", "till_required", "entries_waiting"],
  run: async (ctx, input): Promise<ShiftView> => {
    const { within, atTill } = place(ctx);
    const { id, counted, note = null, waiting = 0 } = input;
    return ctx.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<[Answer]>`
      select outcome, merchant::text from close_shift(${id}::uuid, ${within}::uuid, ${atTill}::uuid,
        ${JSON.stringify(counted)}::jsonb, ${note}::text, ${waiting}::int, ${ctx.actor.userId}::uuid,
        ${givenTime(ctx)}::timestamptz)`;
      if (row.outcome !== "closed") throw refusal(row.outcome, "shift_not_found");
      const shift = await getShift({ ...ctx, db: tx as Context["db"] }, { id });
      await notifyOfCount(tx, shift);
      const about = { merchantId: row.merchant, entity: "till", entityId: shift.till.id } as const;
      const after = { number: shift.number, difference: shift.difference, waiting };
      await audit(tx, ctx, { ...about, action: "shift.closed", after });
      return shift;
    });
  },
});

/** Notifies owners of the largest difference, and of the sum that nobody counted, above their tolerance. */
async function notifyOfCount(tx: Tx, shift: ShiftView): Promise<void> {
  const { drawerTolerance } = await tx.merchant.findUniqueOrThrow({ where: { id: shift.merchant.id } });
  const where = { merchantId: shift.merchant.id, tillId: shift.till.id, recordId: shift.id };
  const about = { ...where, userId: shift.closedBy?.id ?? null };
  const tenders = shift.report?.tenders ?? [];
  // Payments online never pass a counter, so that nobody could count them.
  const uncounted = tenders
    .filter(({ tender, counted, expected }) => tender !== "online" && counted === null && expected > 0)
    .reduce((sum, { expected }) => sum + expected, 0);
  if (uncounted > drawerTolerance)
    await giveNotice(tx, { ...about, kind: "drawer_uncounted", amount: uncounted });
  const size = ({ difference }: { difference: number | null }) => Math.abs(difference ?? 0);
  const [worst] = [...tenders].sort((a, b) => size(b) - size(a));
  if (!worst || size(worst) <= drawerTolerance) return;
  await giveNotice(tx, { ...about, kind: "drawer_difference", amount: worst.difference ?? 0 });
  await mailOwners(tx, shift.merchant.id, "drawer_difference", ({ name, locale }) => ({
    name,
    worker: shift.closedBy?.name ?? "",
    till: shift.till.name,
    branch: branchName(shift.branch, locale),
    report: shift.number,
    tender: worst.tender,
    expected: worst.expected,
    counted: worst.counted ?? 0,
    at: shift.closedAt ?? shift.openedAt,
    url: `${env().APP_URL}/merchant/shifts/${shift.id}`,
  }));
}

/** Tells owners of cash that an employee paid out in a shift, above their tolerance: with a reason it leaves no difference. */
async function notifyOfPayOuts(
  tx: Tx,
  merchant: { id: string; drawerTolerance: number },
  about: { tillId: string; userId: string; recordId: string },
): Promise<void> {
  const where = { shiftId: about.recordId, kind: "pay_out" };
  const { _sum } = await tx.drawerMove.aggregate({ where, _sum: { amount: true } });
  const amount = _sum.amount ?? 0;
  if (amount > merchant.drawerTolerance)
    await renewNotice(tx, { ...about, merchantId: merchant.id, kind: "drawer_pay_out", amount });
}

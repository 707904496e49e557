import { randomUUID } from "node:crypto";
import { audit } from "@/lib/audit/audit";
import { type Context, givenTime } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { operation } from "@/lib/operations/operation";
import { closeShiftSchema, moveDrawerSchema, openShiftSchema, type ShiftView } from "./model/shift";
import { notifyOfCount, notifyOfPayOuts } from "./notify-owners";
import { getShift } from "./read-shifts";

/**
 * Answers the reach of the caller's shifts: the merchant (null: all of them) and the till (null: any, for an
 * owner).
 */
function place(ctx: Context): { within: string | null; atTill: string | null } {
  const reach = authorize(ctx.actor, "shifts.run");
  const within = reach.scope === "any" ? null : reach.merchantId;
  if (reach.scope !== "own") return { within, atTill: null };
  if (!ctx.till) throw new DomainError("till_required");
  return { within, atTill: ctx.till.id };
}

type Answer = { outcome: string; merchant: string | null };

/** The error of each refusal of the database's functions. */
function refusal(outcome: string, missing: "till_not_found" | "shift_not_found"): DomainError {
  return new DomainError(outcome === "not_found" ? missing : (outcome as ErrorCode));
}

export type OpenedShift = { id: string; number: number; openedAt: Date };

/**
 * Opens a shift with this much cash in the drawer (dirhams). A worker opens it at the proving till, an owner anywhere.
 * Throws till_not_found, till_retired, till_required, shift_open where one is open.
 */
export const openShift = operation({
  permission: "shifts.run",
  input: openShiftSchema,
  errors: ["till_not_found", "till_retired", "till_required", "shift_open"],
  run: async (ctx, { tillId, float }): Promise<OpenedShift> => {
    const { within, atTill } = place(ctx);
    if (atTill !== null && atTill !== tillId) throw new DomainError("till_not_found");
    return ctx.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<(Answer & { id: string })[]>`
      select outcome, shift_id::text as id, merchant::text
      from open_shift(${tillId}::uuid, ${within}::uuid, ${float}::int, ${ctx.actor.userId}::uuid, ${givenTime(ctx)}::timestamptz)`;
      if (row?.outcome !== "opened") throw refusal(row?.outcome ?? "internal", "till_not_found");
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

export type MovedDrawer = { id: string; replayed: boolean };

/**
 * Records cash (dirhams) that goes into the drawer or out of it, and that does not belong to a sale. The same
 * key answers the first result. Throws shift_not_found, shift_closed, till_required, key_reused.
 */
export const moveDrawer = operation({
  permission: "shifts.run",
  input: moveDrawerSchema,
  errors: ["shift_not_found", "shift_closed", "till_required", "key_reused"],
  run: async (ctx, input): Promise<MovedDrawer> => {
    const { within, atTill } = place(ctx);
    const { id, kind, amount, reason, idempotencyKey = randomUUID() } = input;
    return ctx.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<(Answer & { id: string })[]>`
      select outcome, move_id::text as id, merchant::text from move_drawer(${id}::uuid, ${within}::uuid, ${atTill}::uuid,
        ${kind}, ${amount}::int, ${reason}, ${ctx.actor.userId}::uuid, ${idempotencyKey}, ${givenTime(ctx)}::timestamptz)`;
      if (row?.outcome === "replayed") return { id: row.id, replayed: true };
      if (row?.outcome !== "moved") throw refusal(row?.outcome ?? "internal", "shift_not_found");
      const { tillId } = await tx.shift.findUniqueOrThrow({ where: { id }, select: { tillId: true } });
      const about = { merchantId: row.merchant, entity: "till", entityId: tillId } as const;
      await audit(tx, ctx, { ...about, action: `shift.${kind}`, after: { dirhams: amount, reason } });
      if (kind === "pay_out" && atTill !== null)
        await notifyOfPayOuts(tx, { shiftId: id, userId: ctx.actor.userId });
      return { id: row.id, replayed: false };
    });
  },
});

/**
 * Closes a shift by the count (dirhams a tender) and answers its report, which never changes. Later movements
 * at the till belong to the next shift. Throws shift_not_found, shift_closed, till_required, and
 * entries_waiting if the till says that entries wait and the input has no note.
 */
export const closeShift = operation({
  permission: "shifts.run",
  input: closeShiftSchema,
  errors: ["shift_not_found", "shift_closed", "till_required", "entries_waiting"],
  run: async (ctx, input): Promise<ShiftView> => {
    const { within, atTill } = place(ctx);
    const { id, counted, note = null, waiting = 0 } = input;
    return ctx.db.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<Answer[]>`
      select outcome, merchant::text from close_shift(${id}::uuid, ${within}::uuid, ${atTill}::uuid,
        ${JSON.stringify(counted)}::jsonb, ${note}::text, ${waiting}::int, ${ctx.actor.userId}::uuid,
        ${givenTime(ctx)}::timestamptz)`;
      if (row?.outcome !== "closed") throw refusal(row?.outcome ?? "internal", "shift_not_found");
      const shift = await getShift({ ...ctx, db: tx as Context["db"] }, { id });
      await notifyOfCount(tx, shift);
      const about = { merchantId: row.merchant, entity: "till", entityId: shift.till.id } as const;
      const after = { number: shift.number, difference: shift.difference, waiting };
      await audit(tx, ctx, { ...about, action: "shift.closed", after });
      return shift;
    });
  },
});

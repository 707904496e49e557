import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma, type PendingChange as Row } from "@/lib/db/generated/client";
import type { UserActor } from "@/lib/domain/actor";
import { isAdministrator } from "@/lib/domain/roles";
import { auditConfig } from "./config-versions";
import { FIRST_WORKER_DAILY_CAP, type PointsRules, RULES, type WaitingState } from "./model";

/** The rules whose change waits while points are outstanding. A minimum waits with the maximum that it depends on. */
export const WAITING = ["dirhamsPerPoint", "maxTopUp", "maxBalance", "undoMinutes"] as const;
export type WaitingRules = Partial<PointsRules>;

/** Whether a worker's daily limit is raised, also to none (null). The platform's first is compared with a new merchant's. */
export function raisesCap(merchantId: string | null, before: number | null, after: number | null): boolean {
  if (before === null) return merchantId === null && after !== null && after > FIRST_WORKER_DAILY_CAP;
  return after === null || after > before;
}

/** How long a change waits, in hours: as a rule, and where a super_admin has no second administrator to ask. */
export const HOURS = { waits: 24, waitsAlone: 72 };

/** How old the account of an approver is at least, in hours. */
export const APPROVER_HOURS = 72;

/** Whether a new value of a point differs so much that one administrator may not decide it: by more than 20 %. */
export const isWideStep = (before: number, after: number): boolean => Math.abs(after - before) * 5 > before;

/** The condition for a user `u` who may change the configuration now. */
export const ACTIVE_ADMIN = Prisma.sql`u.status = 'active' and u.role in ('super_admin', 'admin')`;

type Stored = Pick<Row, (typeof RULES)[number]>;

/** The values that a waiting change sets. */
export function valuesOf(row: Stored): WaitingRules {
  const set = RULES.filter((name) => row[name] !== null);
  return Object.fromEntries(
    set.map((name) => [name, name === "workerDailyCap" && row[name] === 0 ? null : row[name]]),
  );
}

/** How the values are stored: null where one stays, 0 for no daily limit. */
const storedOf = (values: WaitingRules): Stored =>
  Object.fromEntries(
    RULES.map((name) => [name, values[name] === undefined ? null : (values[name] ?? 0)]),
  ) as Stored;

type Asked = { now: PointsRules; values: WaitingRules; withdrawal: boolean };

const beforeOf = (now: PointsRules, values: WaitingRules) =>
  Object.fromEntries(RULES.flatMap((name) => (values[name] === undefined ? [] : [[name, now[name]]])));

/** Closes the open change of this kind, as another takes its place. `mailed`: the owners read that it does not take effect. */
export async function replaceOpen(
  tx: Tx,
  ctx: Context,
  merchantId: string | null,
  { mailed, kind = "points" }: { mailed: boolean; kind?: Row["kind"] },
): Promise<void> {
  const replaced = await tx.$executeRaw`
    update pending_changes set closed_at = now(), outcome = 'replaced',
      mails = case when ${mailed}::boolean then mails || '{cancelled}'::text[] else '{}' end
    where kind = ${kind}::"PendingKind" and merchant_id is not distinct from ${merchantId}::uuid and closed_at is null`;
  if (replaced > 0) await auditConfig(tx, ctx, merchantId, "config.replaced");
}

/** A notice for the other administrators of a change that was asked for and waits: each of them may cancel it. */
export async function notifyAdministrators(
  tx: Tx,
  ctx: Context,
  merchantId: string | null,
  asked: readonly { id: string }[],
): Promise<void> {
  const about = { merchantId: null, userId: ctx.actor.userId, aboutId: merchantId };
  for (const { id } of asked) await giveNotice(tx, { kind: "change_waiting", ...about, recordId: id });
}

/**
 * Writes a change that waits, in place of the one before; false for the same by the same administrator. A wide step needs a
 * second administrator's approval, or waits longer where there is none. The caller holds the lock on postings.
 */
export async function askForChange(
  tx: Tx,
  ctx: Context,
  merchantId: string | null,
  asked: Asked,
): Promise<boolean> {
  const { now, values, withdrawal } = asked;
  const set = storedOf(values);
  const same = {
    kind: "points",
    merchantId,
    closedAt: null,
    withdrawal,
    askedById: ctx.actor.userId,
  } as const;
  const open = await tx.pendingChange.findFirst({ where: same });
  if (open && RULES.every((name) => open[name] === set[name])) return false;
  await replaceOpen(tx, ctx, merchantId, { mailed: false });
  const wide = isWideStep(now.dirhamsPerPoint, values.dirhamsPerPoint ?? now.dirhamsPerPoint);
  const [{ others } = { others: true }] = await tx.$queryRaw<{ others: boolean }[]>`
    select exists (select from users u where u.id <> ${ctx.actor.userId}::uuid and ${ACTIVE_ADMIN}) as others`;
  const alone = wide && ctx.actor.role === "super_admin" && !others;
  const before = beforeOf(now, values);
  const written = await tx.$queryRaw<{ id: string }[]>`
    insert into pending_changes (merchant_id, withdrawal, dirhams_per_point, min_top_up, max_top_up, max_balance,
      undo_minutes, worker_daily_cap, before, needs_approval, alone, mails, asked_by_id, effective_at)
    values (${merchantId}::uuid, ${withdrawal}, ${set.dirhamsPerPoint}::int, ${set.minTopUp}::int,
      ${set.maxTopUp}::int, ${set.maxBalance}::int, ${set.undoMinutes}::int, ${set.workerDailyCap}::int,
      ${JSON.stringify(before)}::jsonb, ${wide && !alone}, ${alone}, '{asked}', ${ctx.actor.userId}::uuid,
      now() + ${alone ? HOURS.waitsAlone : HOURS.waits}::int * interval '1 hour')
    returning id::text as id`;
  await auditConfig(tx, ctx, merchantId, "config.asked", [before, values]);
  await notifyAdministrators(tx, ctx, merchantId, written);
  return true;
}

/** Writes down a raise that was undone at once, so that its owners are mailed as of a change that waited. */
export async function recordUndoneRaise(
  tx: Tx,
  actor: UserActor,
  merchantId: string | null,
  { now, values, withdrawal }: Asked,
): Promise<void> {
  const before = JSON.stringify(beforeOf(now, values));
  await tx.$executeRaw`
    insert into pending_changes (merchant_id, withdrawal, dirhams_per_point, before, needs_approval, alone, mails,
      asked_by_id, effective_at, closed_at, outcome)
    values (${merchantId}::uuid, ${withdrawal}, ${values.dirhamsPerPoint ?? null}::int, ${before}::jsonb, false, false,
      '{applied}', ${actor.userId}::uuid, now(), now(), 'applied')`;
}

type AskedRow = Row & { askedBy: { firstName: string; lastName: string } };

/** Since when and until when a change waits, for its reader: only administrators see who asked. */
export function waitOf(row: AskedRow, actor: UserActor): WaitingState {
  return {
    id: row.id,
    merchantId: row.merchantId,
    askedAt: row.askedAt,
    effectiveAt: row.effectiveAt,
    needsApproval: row.needsApproval && row.approvedById === null,
    approved: row.approvedById !== null,
    askedBy: isAdministrator(actor.role) ? `${row.askedBy.firstName} ${row.askedBy.lastName}` : null,
    own: actor.userId === row.askedById,
  };
}

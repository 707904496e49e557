import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { heldPoints, summedUntil } from "@/lib/db/sums";
import type { Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import { lockPostings, withinPostingLimits } from "@/lib/ledger/lock-postings";
import { operation } from "@/lib/operations/operation";
import { hasOutstandingPoints, pickRules, underConfig, undoesRaise, writeVersion } from "./config-versions";
import {
  type ConfigImpact,
  type ConfigInForce,
  configEtag,
  configImpactSchema,
  editConfigSchema,
  type PointsRules,
  RULES,
  type RulesInForce,
  withdrawOverrideSchema,
} from "./model";
import {
  askForChange,
  raisesCap,
  recordUndoneRaise,
  replaceOpen,
  WAITING,
  type WaitingRules,
} from "./pending-changes";
import { configMerchant, rulesInForce, viewConfig } from "./read-config";

type Split = { atOnce: PointsRules; waits: WaitingRules; undoesRaise: boolean };

/** The rules whose change waits while points are outstanding: WAITING, and a raised daily limit of a worker. */
const waitingOf = (id: string | null, now: PointsRules, next: PointsRules): (keyof PointsRules)[] => [
  ...WAITING.filter((field) => now[field] !== next[field]),
  ...(raisesCap(id, now.workerDailyCap, next.workerDailyCap) ? (["workerDailyCap"] as const) : []),
];

/**
 * Decides what of a change waits: the rules of waitingOf while points are outstanding, but no undoing of a raise. The caller
 * holds the lock on postings. Throws rate_lowered when the rate falls below what customers paid.
 */
async function split(tx: Tx, id: string | null, now: PointsRules, next: PointsRules): Promise<Split> {
  const changed = waitingOf(id, now, next);
  if (changed.length === 0 || !(await hasOutstandingPoints(tx, id))) {
    return { atOnce: pickRules(next), waits: {}, undoesRaise: false };
  }
  const lowered = next.dirhamsPerPoint < now.dirhamsPerPoint;
  if (lowered && !(await undoesRaise(tx, id, next.dirhamsPerPoint))) throw new DomainError("rate_lowered");
  const waiting = changed.filter((field) => !(lowered && field === "dirhamsPerPoint"));
  const waits: WaitingRules = Object.fromEntries(waiting.map((field) => [field, next[field]]));
  const atOnce = { ...pickRules(next), ...Object.fromEntries(waiting.map((field) => [field, now[field]])) };
  if (atOnce.minTopUp <= atOnce.maxTopUp) return { atOnce, waits, undoesRaise: lowered };
  // A minimum above the maximum in force waits with the new maximum.
  return {
    atOnce: { ...atOnce, minTopUp: now.minTopUp },
    waits: { ...waits, minTopUp: next.minTopUp },
    undoesRaise: lowered,
  };
}

async function capIsChanging(tx: Tx, merchantId: string | null): Promise<boolean> {
  const where = { kind: "points", merchantId, closedAt: null, workerDailyCap: { not: null } } as const;
  return (await tx.pendingChange.count({ where })) > 0;
}

type Requested = { id: string | null; now: RulesInForce; next: PointsRules };

/** Writes what takes effect at once and what waits. Throws no_change when that is nothing new, and rate_lowered. */
async function writeChange(tx: Tx, ctx: Context, { id, now, next }: Requested): Promise<void> {
  const { atOnce, waits, undoesRaise: undone } = await split(tx, id, now, next);
  const hasWaiting = Object.keys(waits).length > 0;
  // An override equal to the platform's rules is allowed: it stays when the platform's rules change.
  const isNew = id !== null && !now.overridden && !hasWaiting;
  const isWritten = isNew || RULES.some((field) => now[field] !== atOnce[field]);
  const changedById = ctx.actor.userId;
  if (isWritten)
    await writeVersion(tx, ctx, id, { before: now, after: atOnce, withdrawn: false, changedById });
  if (hasWaiting) {
    const asked = await askForChange(tx, ctx, id, { now, values: waits, withdrawal: false });
    if (!asked && !isWritten) throw new DomainError("no_change");
  } else if (
    WAITING.some((field) => now[field] !== atOnce[field]) ||
    (now.workerDailyCap !== atOnce.workerDailyCap && (await capIsChanging(tx, id)))
  ) {
    await replaceOpen(tx, ctx, id, { mailed: true });
  }
  if (undone) {
    const values = { dirhamsPerPoint: atOnce.dirhamsPerPoint };
    await recordUndoneRaise(tx, ctx.actor, id, { now, values, withdrawal: false });
  }
}

/**
 * Changes the platform's configuration or a merchant's override, and answers what is in force and what waits. Throws conflict
 * when `seen` is not in force any more, unavailable when postings would have to wait for more than a few seconds.
 */
export const editConfig = operation({
  permission: "config.edit",
  input: editConfigSchema,
  errors: ["merchant_not_found", "no_change", "rate_lowered", "conflict"],
  stepUp: true,
  run: async (ctx, input): Promise<ConfigInForce> => {
    const merchant = await configMerchant(ctx, input.merchantId);
    const id = merchant?.id ?? null;
    await withinPostingLimits(ctx.db, async (tx) => {
      await lockPostings(tx);
      const now = await rulesInForce(tx, id);
      if (input.seen !== undefined && input.seen !== configEtag(now)) throw new DomainError("conflict");
      const same = RULES.every((field) => now[field] === input[field]);
      if (same && (id === null || now.overridden)) throw new DomainError("no_change");
      await writeChange(tx, ctx, { id, now, next: input });
    });
    return viewConfig(ctx, { merchantId: input.merchantId });
  },
});

/** Whether a merchant with points comes under a waiting change of the platform's without its owner's e-mail. */
async function platformIsChanging(tx: Tx, merchantId: string): Promise<boolean> {
  const where = { kind: "points", merchantId: null, closedAt: null } as const;
  return (await tx.pendingChange.count({ where })) > 0 && (await hasOutstandingPoints(tx, merchantId));
}

/** Withdraws a merchant's override, so the platform's configuration is in force again; this waits as a change of the rules does. */
export const withdrawOverride = operation({
  permission: "config.edit",
  input: withdrawOverrideSchema,
  errors: ["merchant_not_found", "no_change", "rate_lowered"],
  stepUp: true,
  run: async (ctx, input): Promise<ConfigInForce> => {
    const merchant = await configMerchant(ctx, input.merchantId);
    await withinPostingLimits(ctx.db, async (tx) => {
      await lockPostings(tx);
      const now = await rulesInForce(tx, merchant?.id ?? null);
      if (!merchant || !now.overridden) throw new DomainError("no_change");
      const platform = await rulesInForce(tx, merchant.id, null);
      // A minimum never makes a withdrawal wait.
      const next = { ...platform, minTopUp: now.minTopUp };
      const { waits, undoesRaise: undone } = await split(tx, merchant.id, now, next);
      if (Object.keys(waits).length > 0 || (await platformIsChanging(tx, merchant.id))) {
        const differing = waitingOf(merchant.id, now, platform);
        const values = Object.fromEntries(differing.map((field) => [field, platform[field]]));
        const asked = await askForChange(tx, ctx, merchant.id, { now, values, withdrawal: true });
        if (!asked) throw new DomainError("no_change");
        return;
      }
      const changedById = ctx.actor.userId;
      await replaceOpen(tx, ctx, merchant.id, { mailed: true });
      const version = { before: now, after: platform, withdrawn: true, changedById };
      await writeVersion(tx, ctx, merchant.id, version);
      if (!undone) return;
      const values = { dirhamsPerPoint: platform.dirhamsPerPoint };
      await recordUndoneRaise(tx, ctx.actor, merchant.id, { now, values, withdrawal: true });
    });
    return viewConfig(ctx, input);
  },
});

/** The points that customers hold under one configuration: the daily sums plus later movements. */
async function outstandingPoints(ctx: Context, merchantId: string | null): Promise<number> {
  const summed = await summedUntil(ctx.db);
  const reach: Reach = merchantId === null ? { scope: "any" } : { scope: "merchant", merchantId };
  const [row] = await ctx.db.$queryRaw<{ points: bigint }[]>`
    select coalesce(sum(held.points), 0)::bigint as points
    from (
      select merchant_id, sum(points) as points
      from (${heldPoints(reach, summed)}) as parts(merchant_id, points) group by merchant_id
    ) held join merchants m on m.id = held.merchant_id where ${underConfig(merchantId)}`;
  return Number(row?.points ?? 0n);
}

/** The value of the outstanding points in QAR at the current and at a new rate. Throws merchant_not_found. */
export const configImpact = operation({
  permission: "config.edit",
  input: configImpactSchema,
  run: async (ctx, input): Promise<ConfigImpact> => {
    const merchant = await configMerchant(ctx, input.merchantId);
    const id = merchant?.id ?? null;
    const [rules, points] = await Promise.all([rulesInForce(ctx.db, id), outstandingPoints(ctx, id)]);
    const lowered = points > 0 && input.dirhamsPerPoint < rules.dirhamsPerPoint;
    return {
      points,
      before: cashValue(points, rules.dirhamsPerPoint),
      after: cashValue(points, input.dirhamsPerPoint),
      refused: lowered && !(await undoesRaise(ctx.db, id, input.dirhamsPerPoint)),
    };
  },
});

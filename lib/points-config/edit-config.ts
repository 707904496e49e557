import { audit, difference } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { heldPoints, summedUntil } from "@/lib/db/sums";
import { authorize, type Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import type { PointsRules } from "@/lib/domain/points-config";
import {
  type ConfigImpact,
  type ConfigImpactQuery,
  type ConfigInForce,
  configEtag,
  configImpactSchema,
  type EditConfig,
  editConfigSchema,
  type WithdrawOverride,
  withdrawOverrideSchema,
} from "@/lib/domain/points-config";
import { addJobIfQueueExists } from "@/lib/jobs/add-job";
import { lockPostings, withinPostingLimits } from "@/lib/ledger/lock-postings";
import { configMerchant, rulesInForce, viewConfig } from "./read-config";

type Version = PointsRules & { withdrawn: boolean };

/** Writes the next version of the configuration. The caller holds the lock on postings, so versions are consecutive. */
async function addVersion(
  tx: Tx,
  ctx: Context,
  merchantId: string | null,
  { withdrawn, ...rules }: Version,
): Promise<void> {
  const newest = await tx.pointsConfig.findFirst({
    where: { merchantId },
    orderBy: { version: "desc" },
    select: { version: true },
  });
  await tx.pointsConfig.create({
    data: {
      ...rules,
      withdrawn,
      merchantId,
      version: (newest?.version ?? 0) + 1,
      changedById: ctx.actor.userId,
    },
    select: { id: true },
  });
}

/** Writes down which rules change, of the platform (null) or of a merchant. */
async function auditRules(
  tx: Tx,
  ctx: Context,
  merchantId: string | null,
  action: "config.changed" | "config.withdrawn",
  [before, after]: [PointsRules, PointsRules],
): Promise<void> {
  const record = merchantId
    ? { entity: "merchant" as const, entityId: merchantId }
    : { entity: "platform" as const };
  await audit(tx, ctx, { merchantId, action, ...record, ...difference(pickRules(before), pickRules(after)) });
}

/** Throws rate_lowered when customers hold points, since they paid for them at the higher rate. */
async function assertRateNotLowered(tx: Tx, merchantId: string | null, before: number, after: number) {
  if (after >= before) return;
  if (await hasOutstandingPoints(tx, merchantId)) throw new DomainError("rate_lowered");
}

const FIELDS = [
  "dirhamsPerPoint",
  "minTopUp",
  "maxTopUp",
  "maxBalance",
  "undoMinutes",
  "workerDailyCap",
] as const satisfies (keyof PointsRules)[];

function pickRules(source: PointsRules): PointsRules {
  const { dirhamsPerPoint, minTopUp, maxTopUp, maxBalance, undoMinutes, workerDailyCap } = source;
  return { dirhamsPerPoint, minTopUp, maxTopUp, maxBalance, undoMinutes, workerDailyCap };
}

/** Queues the update of a merchant's wallet passes (null: all passes), which show the value of a point. */
async function queuePassUpdates(tx: Tx, ctx: Context, merchantId: string | null): Promise<void> {
  await addJobIfQueueExists(
    tx,
    ctx,
    "cards_changed",
    { merchantId },
    { key: `cards_changed:${merchantId ?? "all"}` },
  );
}

/**
 * Writes a new version of the platform's configuration or of a merchant's override, and answers what is in force.
 * It locks postings, so the outstanding points cannot change during the decision. Throws merchant_not_found, no_change,
 * conflict when `seen` is not in force any more, rate_lowered while points are outstanding, unavailable when postings
 * would have to wait for more than a few seconds.
 */
export async function editConfig(ctx: Context, input: EditConfig): Promise<ConfigInForce> {
  const reach = authorize(ctx.actor, "config.edit");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  const id = merchant?.id ?? null;
  await withinPostingLimits(ctx.db, async (tx) => {
    await lockPostings(tx);
    const now = await rulesInForce(tx, id);
    if (input.seen !== undefined && input.seen !== configEtag(now)) throw new DomainError("conflict");
    const same = FIELDS.every((field) => now[field] === input[field]);
    // An override equal to the platform's rules is allowed: it stays when the platform's rules change.
    if (same && (id === null || now.overridden)) throw new DomainError("no_change");
    await assertRateNotLowered(tx, id, now.dirhamsPerPoint, input.dirhamsPerPoint);
    await addVersion(tx, ctx, id, { ...pickRules(input), withdrawn: false });
    await auditRules(tx, ctx, id, "config.changed", [now, input]);
    if (now.dirhamsPerPoint !== input.dirhamsPerPoint) await queuePassUpdates(tx, ctx, id);
  });
  return viewConfig(ctx, { merchantId: input.merchantId });
}
editConfig.stepUp = true as const;
editConfig.permission = "config.edit" as const;
editConfig.input = editConfigSchema;
editConfig.errors = ["merchant_not_found", "no_change", "rate_lowered", "conflict"] as const;

/**
 * Withdraws a merchant's override, so the platform's configuration is in force again. Throws merchant_not_found,
 * no_change without an override, rate_lowered when the platform's rate is lower and points are outstanding, unavailable
 * as editConfig.
 */
export async function withdrawOverride(ctx: Context, input: WithdrawOverride): Promise<ConfigInForce> {
  const reach = authorize(ctx.actor, "config.edit");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  await withinPostingLimits(ctx.db, async (tx) => {
    await lockPostings(tx);
    const now = await rulesInForce(tx, merchant?.id ?? null);
    if (!merchant || !now.overridden) throw new DomainError("no_change");
    const platform = await rulesInForce(tx, null);
    await assertRateNotLowered(tx, merchant.id, now.dirhamsPerPoint, platform.dirhamsPerPoint);
    await addVersion(tx, ctx, merchant.id, { ...pickRules(now), withdrawn: true });
    await auditRules(tx, ctx, merchant.id, "config.withdrawn", [now, platform]);
    if (now.dirhamsPerPoint !== platform.dirhamsPerPoint) await queuePassUpdates(tx, ctx, merchant.id);
  });
  return viewConfig(ctx, input);
}
withdrawOverride.stepUp = true as const;
withdrawOverride.permission = "config.edit" as const;
withdrawOverride.input = withdrawOverrideSchema;
withdrawOverride.errors = ["merchant_not_found", "no_change", "rate_lowered"] as const;

/** The condition for merchants `m` without an override: they never had one, or its newest version was withdrawn. */
const UNDER_PLATFORM = Prisma.sql`not exists (
  select 1 from (
    select withdrawn from points_configs p where p.merchant_id = m.id order by version desc limit 1
  ) newest where not newest.withdrawn)`;

/**
 * Whether a customer under one configuration (a merchant's, or the platform's when null) holds points. All postings wait
 * for it, so it reads an index per merchant and stops at the first such customer.
 */
async function hasOutstandingPoints(tx: Tx, merchantId: string | null): Promise<boolean> {
  const which = merchantId === null ? UNDER_PLATFORM : Prisma.sql`m.id = ${merchantId}::uuid`;
  const found = await tx.$queryRaw<unknown[]>`
    select held.id::text from merchants m cross join lateral (
      select id from customers c where c.merchant_id = m.id and c.balance > 0
      order by c.registered_at desc, c.id desc limit 1
    ) held where ${which} limit 1`;
  return found.length > 0;
}

/** The points that customers hold under one configuration: the daily sums plus later movements. */
async function outstandingPoints(ctx: Context, merchantId: string | null): Promise<number> {
  const summed = await summedUntil(ctx.db);
  const reach: Reach = merchantId === null ? { scope: "any" } : { scope: "merchant", merchantId };
  const which = merchantId === null ? UNDER_PLATFORM : Prisma.sql`true`;
  const [row] = await ctx.db.$queryRaw<{ points: bigint }[]>`
    select coalesce(sum(held.points), 0)::bigint as points
    from (
      select merchant_id, sum(points) as points
      from (${heldPoints(reach, summed)}) as parts(merchant_id, points) group by merchant_id
    ) held join merchants m on m.id = held.merchant_id where ${which}`;
  return Number(row?.points ?? 0n);
}

/** The value of the outstanding points in QAR at the current and at a new rate. Throws merchant_not_found. */
export async function configImpact(ctx: Context, input: ConfigImpactQuery): Promise<ConfigImpact> {
  const reach = authorize(ctx.actor, "config.edit");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  const id = merchant?.id ?? null;
  const [rules, points] = await Promise.all([rulesInForce(ctx.db, id), outstandingPoints(ctx, id)]);
  return {
    points,
    before: cashValue(points, rules.dirhamsPerPoint),
    after: cashValue(points, input.dirhamsPerPoint),
    refused: points > 0 && input.dirhamsPerPoint < rules.dirhamsPerPoint,
  };
}
configImpact.permission = "config.edit" as const;
configImpact.input = configImpactSchema;

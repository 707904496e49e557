import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { heldPoints, summedUntil } from "@/lib/db/sums";
import { authorize, type Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import type { PointsRules } from "@/lib/domain/movements";
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
import { addJobIfAny } from "@/lib/jobs/add-job";
import { lockPostings } from "@/lib/ledger/batch";
import { configMerchant, rulesInForce, viewConfig } from "./read-config";

type Version = PointsRules & { withdrawn: boolean };

/** Writes the record's next version. Its caller holds the lock under which versions are counted. */
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

/** The points were paid for at the higher rate. */
async function refuseToDevalue(tx: Tx, merchantId: string | null, before: number, after: number) {
  if (after >= before) return;
  if (await anyOutstanding(tx, merchantId)) throw new DomainError("rate_lowered");
}

const FIELDS = [
  "dirhamsPerPoint",
  "minTopUp",
  "maxTopUp",
  "maxBalance",
  "undoMinutes",
  "workerDailyCap",
] as const satisfies (keyof PointsRules)[];

function rulesOf(from: PointsRules): PointsRules {
  const { dirhamsPerPoint, minTopUp, maxTopUp, maxBalance, undoMinutes, workerDailyCap } = from;
  return { dirhamsPerPoint, minTopUp, maxTopUp, maxBalance, undoMinutes, workerDailyCap };
}

/** What a point is worth stands on the wallet passes too: a merchant's, or (null) everyone's. */
async function tellPasses(tx: Tx, ctx: Context, merchantId: string | null): Promise<void> {
  await addJobIfAny(
    tx,
    ctx,
    "cards_changed",
    { merchantId },
    { key: `cards_changed:${merchantId ?? "all"}` },
  );
}

/**
 * A new version of the platform's record, or of a merchant's override. No posting runs meanwhile, so what is
 * outstanding cannot change under the decision. Throws merchant_not_found, conflict when the record seen is no longer
 * the one in force, no_change, rate_lowered while points are outstanding.
 */
export async function editConfig(ctx: Context, input: EditConfig): Promise<ConfigInForce> {
  const reach = authorize(ctx.actor, "config.edit");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  const id = merchant?.id ?? null;
  await ctx.db.$transaction(async (tx) => {
    await lockPostings(tx);
    const now = await rulesInForce(tx, id);
    if (input.seen !== undefined && input.seen !== configEtag(now)) throw new DomainError("conflict");
    const same = FIELDS.every((field) => now[field] === input[field]);
    // An override may say the same as the platform, so that it stays when the platform's record changes.
    if (same && (id === null || now.overridden)) throw new DomainError("no_change");
    await refuseToDevalue(tx, id, now.dirhamsPerPoint, input.dirhamsPerPoint);
    await addVersion(tx, ctx, id, { ...rulesOf(input), withdrawn: false });
    if (now.dirhamsPerPoint !== input.dirhamsPerPoint) await tellPasses(tx, ctx, id);
  });
  return viewConfig(ctx, { merchantId: input.merchantId });
}
editConfig.permission = "config.edit" as const;
editConfig.input = editConfigSchema;
editConfig.errors = ["merchant_not_found", "no_change", "rate_lowered", "conflict"] as const;

/**
 * Takes a merchant's override back: the platform's record is in force again. Throws merchant_not_found, no_change
 * without an override, rate_lowered when the platform's rate is lower and points are outstanding.
 */
export async function withdrawOverride(ctx: Context, input: WithdrawOverride): Promise<ConfigInForce> {
  const reach = authorize(ctx.actor, "config.edit");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  await ctx.db.$transaction(async (tx) => {
    await lockPostings(tx);
    const now = await rulesInForce(tx, merchant?.id ?? null);
    if (!merchant || !now.overridden) throw new DomainError("no_change");
    const platform = await rulesInForce(tx, null);
    await refuseToDevalue(tx, merchant.id, now.dirhamsPerPoint, platform.dirhamsPerPoint);
    await addVersion(tx, ctx, merchant.id, { ...rulesOf(now), withdrawn: true });
    if (now.dirhamsPerPoint !== platform.dirhamsPerPoint) await tellPasses(tx, ctx, merchant.id);
  });
  return viewConfig(ctx, input);
}
withdrawOverride.permission = "config.edit" as const;
withdrawOverride.input = withdrawOverrideSchema;
withdrawOverride.errors = ["merchant_not_found", "no_change", "rate_lowered"] as const;

/** Merchants `m` under the platform's record: their newest version, if any, was withdrawn. */
const UNDER_PLATFORM = Prisma.sql`not exists (
  select 1 from (
    select withdrawn from points_configs p where p.merchant_id = m.id order by version desc limit 1
  ) newest where not newest.withdrawn)`;

/**
 * Whether a customer under one record (a merchant's, or the platform's when null) holds points. Every posting waits
 * meanwhile, so it walks the merchants' indexes and stops at the first such customer.
 */
async function anyOutstanding(tx: Tx, merchantId: string | null): Promise<boolean> {
  const which = merchantId === null ? UNDER_PLATFORM : Prisma.sql`m.id = ${merchantId}::uuid`;
  const found = await tx.$queryRaw<unknown[]>`
    select held.id::text from merchants m cross join lateral (
      select id from customers c where c.merchant_id = m.id and c.balance > 0
      order by c.registered_at desc, c.id desc limit 1
    ) held where ${which} limit 1`;
  return found.length > 0;
}

/** The points that customers hold under one record: the sums of the days, and what was posted since. */
async function outstandingUnder(ctx: Context, merchantId: string | null): Promise<number> {
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

/** What a new rate would mean for the points outstanding. Throws merchant_not_found. */
export async function configImpact(ctx: Context, input: ConfigImpactQuery): Promise<ConfigImpact> {
  const reach = authorize(ctx.actor, "config.edit");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  const id = merchant?.id ?? null;
  const [rules, points] = await Promise.all([rulesInForce(ctx.db, id), outstandingUnder(ctx, id)]);
  return {
    points,
    before: cashValue(points, rules.dirhamsPerPoint),
    after: cashValue(points, input.dirhamsPerPoint),
    refused: points > 0 && input.dirhamsPerPoint < rules.dirhamsPerPoint,
  };
}
configImpact.permission = "config.edit" as const;
configImpact.input = configImpactSchema;

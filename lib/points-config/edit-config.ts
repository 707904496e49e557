import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { PointsRules } from "@/lib/domain/points";
import { type ConfigInForce, markOf } from "@/lib/domain/points-config";
import type { EditConfig, WithdrawOverride } from "@/lib/domain/schemas/points-config";
import { addJobIfAny } from "@/lib/jobs";
import { lockPostings } from "@/lib/ledger/lock";
import { outstandingUnder } from "./impact";
import { rulesInForce } from "./in-force";
import { configMerchant } from "./scope";
import { viewConfig } from "./view-config";

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
  if ((await outstandingUnder(tx, merchantId)) > 0) throw new DomainError("rate_lowered");
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
async function tellPasses(tx: Tx, merchantId: string | null): Promise<void> {
  await addJobIfAny(tx, "cards_changed", { merchantId }, { key: `cards_changed:${merchantId ?? "all"}` });
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
    if (input.seen !== undefined && input.seen !== markOf(now)) throw new DomainError("conflict");
    const same = FIELDS.every((field) => now[field] === input[field]);
    // An override may say the same as the platform, so that it stays when the platform's record changes.
    if (same && (id === null || now.overridden)) throw new DomainError("no_change");
    await refuseToDevalue(tx, id, now.dirhamsPerPoint, input.dirhamsPerPoint);
    await addVersion(tx, ctx, id, { ...rulesOf(input), withdrawn: false });
    if (now.dirhamsPerPoint !== input.dirhamsPerPoint) await tellPasses(tx, id);
  });
  return viewConfig(ctx, { merchantId: input.merchantId });
}
editConfig.permission = "config.edit" as const;

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
    if (now.dirhamsPerPoint !== platform.dirhamsPerPoint) await tellPasses(tx, merchant.id);
  });
  return viewConfig(ctx, input);
}
withdrawOverride.permission = "config.edit" as const;

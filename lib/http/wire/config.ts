import { z } from "zod";
import type { Page, PointsRules } from "@/lib/domain/movements";
import {
  type ConfigChange,
  type ConfigInForce,
  configFields,
  configHistorySchema,
  configScopeSchema,
  editConfigSchema,
  withdrawOverrideSchema,
} from "@/lib/domain/points-config";

const rules = z.object({
  /** 100 dirhams are QAR 1. */
  iDirhamsPerPoint: z.number().int(),
  iMinTopup: z.number().int(),
  iMaxTopup: z.number().int(),
  iMaxBalance: z.number().int(),
  iUndoMinutes: z.number().int(),
  /** Null is no cap. */
  iWorkerDailyCap: z.number().int().nullable(),
});

function rulesFrom(from: PointsRules): z.output<typeof rules> {
  return {
    iDirhamsPerPoint: from.dirhamsPerPoint,
    iMinTopup: from.minTopUp,
    iMaxTopup: from.maxTopUp,
    iMaxBalance: from.maxBalance,
    iUndoMinutes: from.undoMinutes,
    iWorkerDailyCap: from.workerDailyCap,
  };
}

const merchant = z.object({ _id: z.string(), sBusinessName: z.string() }).nullable();
const merchantFrom = (from: ConfigInForce["merchant"]): z.output<typeof merchant> =>
  from && { _id: from.id, sBusinessName: from.businessName };

/** GET points-config: the reader's own, or the merchant's that an administrator names. */
export const configQuery = z
  .object({ iMerchantId: configScopeSchema.shape.merchantId })
  .transform(({ iMerchantId }) => ({ merchantId: iMerchantId }));

export const configReply = {
  schema: rules.extend({
    merchant,
    iVersion: z.number().int(),
    /** Whether the merchant has rules of its own. */
    bOverride: z.boolean(),
    dSince: z.iso.datetime(),
  }),
  from: (config: ConfigInForce) => ({
    ...rulesFrom(config),
    merchant: merchantFrom(config.merchant),
    iVersion: config.version,
    bOverride: config.overridden,
    dSince: config.since.toISOString(),
  }),
};

/** PUT points-config. */
export const editConfigWire = z
  .object({
    iDirhamsPerPoint: configFields.dirhamsPerPoint,
    iMinTopup: configFields.minTopUp,
    iMaxTopup: configFields.maxTopUp,
    iMaxBalance: configFields.maxBalance,
    iUndoMinutes: configFields.undoMinutes,
    iWorkerDailyCap: configFields.workerDailyCap,
    iMerchantId: configFields.merchantId,
  })
  .transform((body, ctx) => {
    const input = {
      dirhamsPerPoint: body.iDirhamsPerPoint,
      minTopUp: body.iMinTopup,
      maxTopUp: body.iMaxTopup,
      maxBalance: body.iMaxBalance,
      undoMinutes: body.iUndoMinutes,
      workerDailyCap: body.iWorkerDailyCap,
      merchantId: body.iMerchantId,
    };
    const wireName = { maxTopUp: "iMaxTopup", maxBalance: "iMaxBalance" } as Record<string, string>;
    for (const issue of editConfigSchema.safeParse(input).error?.issues ?? []) {
      const [field] = issue.path;
      ctx.addIssue({
        code: "custom",
        message: issue.message,
        path: [wireName[String(field)] ?? String(field)],
      });
    }
    return input;
  });

/** DELETE points-config: the merchant whose override is taken back. */
export const withdrawConfigQuery = z
  .object({ iMerchantId: withdrawOverrideSchema.shape.merchantId })
  .transform(({ iMerchantId }) => ({ merchantId: iMerchantId }));

/** GET points-config/history. */
export const configHistoryQuery = z
  .object({
    iMerchantId: configHistorySchema.shape.merchantId,
    cursor: configHistorySchema.shape.cursor,
    limit: configHistorySchema.shape.limit,
  })
  .transform(({ iMerchantId, ...page }) => ({ ...page, merchantId: iMerchantId }));

export const configHistoryReply = {
  schema: z.object({
    results: z.array(
      z.object({
        _id: z.string(),
        merchant,
        iVersion: z.number().int(),
        /** Who changed it; null in what a merchant reads. */
        sChangedBy: z.string().nullable(),
        dCreatedAt: z.iso.datetime(),
        /** Null before a merchant's first override. */
        before: rules.nullable(),
        /** Null when an override was withdrawn. */
        after: rules.nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  from: ({ results, nextCursor }: Page<ConfigChange>) => ({
    nextCursor,
    results: results.map((change) => ({
      _id: change.id,
      merchant: merchantFrom(change.merchant),
      iVersion: change.version,
      sChangedBy: change.changedBy,
      dCreatedAt: change.createdAt.toISOString(),
      before: change.before && rulesFrom(change.before),
      after: change.after && rulesFrom(change.after),
    })),
  }),
};

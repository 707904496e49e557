import { z } from "zod";
import { idParams, merchantRefFrom, merchantRefShape } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { Page } from "@/lib/ledger/model/movements";
import type { ConfigChange, ConfigInForce, PendingChange, PointsRules } from "./model";

const rules = z.object({
  /** In dirhams; 100 dirhams are QAR 1. */
  iDirhamsPerPoint: z.number().int(),
  iMinTopup: z.number().int(),
  iMaxTopup: z.number().int(),
  iMaxBalance: z.number().int(),
  iUndoMinutes: z.number().int(),
  /** In points; null for no limit. */
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

const merchant = merchantRefShape.nullable();
const merchantFrom = (from: ConfigInForce["merchant"]): z.output<typeof merchant> =>
  from && merchantRefFrom(from);

/** GET and DELETE points-config: the reader's own, or that of a merchant chosen by an administrator. */
const configQuery = { iMerchantId: "merchantId" } as const;

const pending = rules.extend({
  _id: z.string(),
  /** The merchant whose rules change; null for the platform's. */
  iMerchantId: z.string().nullable(),
  /** Whether the merchant returns to the platform's rules. */
  bWithdrawal: z.boolean(),
  dAskedAt: z.iso.datetime(),
  dEffectiveAt: z.iso.datetime(),
  /** Whether it takes effect only after a second administrator's approval, which is still missing. */
  bNeedsApproval: z.boolean(),
  bApproved: z.boolean(),
  /** The administrator who asked; null for merchants. */
  sAskedBy: z.string().nullable(),
});
const pendingFrom = (from: PendingChange): z.output<typeof pending> => ({
  ...rulesFrom(from.rules),
  _id: from.id,
  iMerchantId: from.merchantId,
  bWithdrawal: from.withdrawal,
  dAskedAt: from.askedAt.toISOString(),
  dEffectiveAt: from.effectiveAt.toISOString(),
  bNeedsApproval: from.needsApproval,
  bApproved: from.approved,
  sAskedBy: from.askedBy,
});

const configReply = {
  schema: rules.extend({
    merchant,
    iVersion: z.number().int(),
    /** Whether the merchant has its own rules. */
    bOverride: z.boolean(),
    dSince: z.iso.datetime(),
    /** The change that waits, with the rules once it has taken effect; null without one. */
    oPending: pending.nullable(),
  }),
  from: (config: ConfigInForce) => ({
    ...rulesFrom(config),
    merchant: merchantFrom(config.merchant),
    iVersion: config.version,
    bOverride: config.overridden,
    dSince: config.since.toISOString(),
    oPending: config.pending && pendingFrom(config.pending),
  }),
};

/** PUT points-config. */
const editConfigWire = {
  iDirhamsPerPoint: "dirhamsPerPoint",
  iMinTopup: "minTopUp",
  iMaxTopup: "maxTopUp",
  iMaxBalance: "maxBalance",
  iUndoMinutes: "undoMinutes",
  iWorkerDailyCap: "workerDailyCap",
  iMerchantId: "merchantId",
} as const;

/** GET points-config/history. */
const configHistoryQuery = { iMerchantId: "merchantId", ...same("cursor", "limit") } as const;

const configHistoryReply = {
  schema: z.object({
    results: z.array(
      z.object({
        _id: z.string(),
        merchant,
        iVersion: z.number().int(),
        /** The administrator who changed it; null for merchants. */
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

/** The calls of the points configuration, as both sides know them. */
export const configCalls = {
  configHistory: {
    method: "GET",
    path: "points-config/history",
    query: configHistoryQuery,
    reply: configHistoryReply,
  },
  approvePending: {
    method: "PUT",
    path: "points-config/pending/{id}/approval",
    params: idParams,
    reply: configReply,
  },
  cancelPending: {
    method: "DELETE",
    path: "points-config/pending/{id}",
    params: idParams,
    reply: configReply,
  },
  viewConfig: { method: "GET", path: "points-config", query: configQuery, reply: configReply },
  editConfig: { method: "PUT", path: "points-config", body: editConfigWire, reply: configReply },
  withdrawOverride: { method: "DELETE", path: "points-config", query: configQuery, reply: configReply },
} as const;

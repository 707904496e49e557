import { z } from "zod";
import { computed, fields, instant, namesOf, nullable, pageOf } from "@/lib/calls/codec";
import { idParams, merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { ConfigInForce } from "./model";

const ruleFields = {
  /** In dirhams; 100 dirhams are QAR 1. */
  iDirhamsPerPoint: ["dirhamsPerPoint", z.number().int()],
  iMinTopup: ["minTopUp", z.number().int()],
  iMaxTopup: ["maxTopUp", z.number().int()],
  iMaxBalance: ["maxBalance", z.number().int()],
  iUndoMinutes: ["undoMinutes", z.number().int()],
  /** In points; null for no limit. */
  iWorkerDailyCap: ["workerDailyCap", z.number().int().nullable()],
} as const;
const rules = fields(ruleFields);

const configQuery = { iMerchantId: "merchantId" } as const;

export const waitingFields = {
  _id: ["id", z.string()],
  dAskedAt: ["askedAt", instant],
  dEffectiveAt: ["effectiveAt", instant],
  /** Whether it takes effect only after a second administrator's approval, which is still missing. */
  bNeedsApproval: ["needsApproval", z.boolean()],
  /** The administrator who asked; null for merchants. */
  sAskedBy: ["askedBy", z.string().nullable()],
} as const;
const pending = fields({
  ...ruleFields,
  ...waitingFields,
  /** The merchant whose rules change; null for the platform's. */
  iMerchantId: ["merchantId", z.string().nullable()],
  bWithdrawal: ["withdrawal", z.boolean()],
  bApproved: ["approved", z.boolean()],
});

const configReply = fields({
  ...ruleFields,
  merchant: ["merchant", nullable(merchantRef)],
  iVersion: ["version", z.number().int()],
  bOverride: ["overridden", z.boolean()],
  dSince: ["since", instant],
  /** The change that waits, with the rules once it has taken effect; null without one. */
  oPending: [
    "pending",
    computed(pending.schema.nullable(), (config: ConfigInForce, to) =>
      config.pending === null ? null : pending.from({ ...config.pending, ...config.pending.rules }, to),
    ),
  ],
});

const configChange = fields({
  _id: ["id", z.string()],
  merchant: ["merchant", nullable(merchantRef)],
  iVersion: ["version", z.number().int()],
  /** Null for the initial settings, and for readers who are not administrators. */
  sChangedBy: ["changedBy", z.string().nullable()],
  dCreatedAt: ["createdAt", instant],
  /** Null before a merchant's first override. */
  before: ["before", nullable(rules)],
  /** Null when an override was withdrawn. */
  after: ["after", nullable(rules)],
});
export type ConfigChange = Parameters<typeof configChange.from>[0];

export const configCalls = {
  configHistory: {
    method: "GET",
    path: "points-config/history",
    query: { ...configQuery, ...same("cursor", "limit") },
    reply: pageOf(configChange),
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
  editConfig: {
    method: "PUT",
    path: "points-config",
    body: { ...namesOf(ruleFields), ...configQuery },
    reply: configReply,
  },
  withdrawOverride: { method: "DELETE", path: "points-config", query: configQuery, reply: configReply },
} as const;

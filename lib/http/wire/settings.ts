import { z } from "zod";
import { type PendingLimit, type SettingsView, SPEND_ORDERS } from "@/lib/domain/merchant-settings";
import { PAPER_WIDTHS } from "@/lib/domain/receipt";
import { TENDERS } from "@/lib/domain/tender";

/** PUT merchants/{id}/settings: any of them. Points are whole numbers, iDrawerTolerance is in dirhams. */
export const settingsWire = {
  eSpendOrder: "spendOrder",
  iRefundDays: "refundDays",
  bTillRequired: "tillRequired",
  iIdleLockMinutes: "idleLockMinutes",
  iOfflineMaxTopup: "offlineMaxTopUp",
  iOfflineMaxTotal: "offlineMaxTotal",
  iDrawerTolerance: "drawerTolerance",
  iUnprovedWorkerDaily: "unprovedWorkerDaily",
  iRedeemAllowance: "redeemAllowance",
  aTenders: "tenders",
  bAskSaleRef: "askSaleRef",
  iPaperWidth: "paperWidth",
} as const;

const waiting = z.object({
  _id: z.string(),
  dAskedAt: z.iso.datetime(),
  dEffectiveAt: z.iso.datetime(),
  bNeedsApproval: z.boolean(),
  /** The administrator who asked; null for merchants. */
  sAskedBy: z.string().nullable(),
});
const pending = waiting.extend({ iRedeemAllowance: z.number().int() });
const pendingWorker = waiting.extend({ iUnprovedWorkerDaily: z.number().int() });
const waitingFrom = (from: PendingLimit): z.output<typeof waiting> => ({
  _id: from.id,
  dAskedAt: from.askedAt.toISOString(),
  dEffectiveAt: from.effectiveAt.toISOString(),
  bNeedsApproval: from.needsApproval,
  sAskedBy: from.askedBy,
});

const shape = z.object({
  eSpendOrder: z.enum(SPEND_ORDERS),
  iRefundDays: z.number().int(),
  bTillRequired: z.boolean(),
  iIdleLockMinutes: z.number().int(),
  iOfflineMaxTopup: z.number().int(),
  iOfflineMaxTotal: z.number().int(),
  /** In dirhams. */
  iDrawerTolerance: z.number().int(),
  iUnprovedWorkerDaily: z.number().int(),
  iRedeemAllowance: z.number().int(),
  /** The highest iRedeemAllowance that can be set. */
  iRedeemAllowanceCeiling: z.number().int(),
  aTenders: z.array(z.enum(TENDERS)),
  bAskSaleRef: z.boolean(),
  /** The width of the paper of receipts, in millimetres. */
  iPaperWidth: z.union(PAPER_WIDTHS.map((width) => z.literal(width))),
  /** The higher iRedeemAllowance that an administrator asked for, until it takes effect; null without one. */
  oPending: pending.nullable(),
  /** The higher iUnprovedWorkerDaily that an administrator asked for, until it takes effect; null without one. */
  oPendingWorker: pendingWorker.nullable(),
});

export const settingsReply = {
  schema: shape,
  from: (settings: SettingsView): z.output<typeof shape> => ({
    eSpendOrder: settings.spendOrder,
    iRefundDays: settings.refundDays,
    bTillRequired: settings.tillRequired,
    iIdleLockMinutes: settings.idleLockMinutes,
    iOfflineMaxTopup: settings.offlineMaxTopUp,
    iOfflineMaxTotal: settings.offlineMaxTotal,
    iDrawerTolerance: settings.drawerTolerance,
    iUnprovedWorkerDaily: settings.unprovedWorkerDaily,
    iRedeemAllowance: settings.redeemAllowance,
    iRedeemAllowanceCeiling: settings.redeemAllowanceCeiling,
    aTenders: settings.tenders,
    bAskSaleRef: settings.askSaleRef,
    iPaperWidth: settings.paperWidth,
    oPending: settings.pending && {
      ...waitingFrom(settings.pending),
      iRedeemAllowance: settings.pending.wanted,
    },
    oPendingWorker: settings.pendingWorker && {
      ...waitingFrom(settings.pendingWorker),
      iUnprovedWorkerDaily: settings.pendingWorker.wanted,
    },
  }),
};

/** PUT merchants/{id}/suspension. */
export const suspensionWire = { bSuspended: "suspended", sReason: "reason" } as const;

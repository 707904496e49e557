import { z } from "zod";
import type { Page } from "@/lib/domain/movements";
import type { OfflineRules } from "@/lib/domain/offline-counter";
import { TENDERS, type Tender } from "@/lib/domain/tender";
import type { Till, TillWithCode, TillWorker } from "@/lib/domain/till";
import { merchantRefFrom, merchantRefShape } from "./merchant-ref";
import { same } from "./names";

const tillData = z.object({
  _id: z.string(),
  sName: z.string(),
  branch: z.object({ _id: z.string(), sBranchName: z.string() }),
  merchant: merchantRefShape,
  bPaired: z.boolean(),
  bRetired: z.boolean(),
  /** Whether too many wrong PINs locked PIN sign-in on it. */
  bPinLocked: z.boolean(),
  dCreatedAt: z.iso.datetime(),
});

function tillFrom(till: Till): z.output<typeof tillData> {
  return {
    _id: till.id,
    sName: till.name,
    branch: { _id: till.branch.id, sBranchName: till.branch.name },
    merchant: merchantRefFrom(till.merchant),
    bPaired: till.pairedAt !== null,
    bRetired: till.retiredAt !== null,
    bPinLocked: till.pinLockedAt !== null,
    dCreatedAt: till.createdAt.toISOString(),
  };
}

export type TillWire = z.output<typeof tillData>;
export const tillReply = { schema: tillData, from: tillFrom };

/** The code is in the answer that made it and nowhere else. */
const coded = tillData.extend({
  sPairingCode: z.string().optional(),
  dPairingExpiresAt: z.iso.datetime().optional(),
});
export const codedTillReply = {
  schema: coded,
  from: (till: Till | TillWithCode): z.output<typeof coded> => ({
    ...tillFrom(till),
    ...("pairingCode" in till
      ? { sPairingCode: till.pairingCode, dPairingExpiresAt: till.pairingExpiresAt.toISOString() }
      : {}),
  }),
};
export const tillsReply = {
  schema: z.object({ results: z.array(tillData), nextCursor: z.string().nullable() }),
  from: (page: Page<Till>) => ({ results: page.results.map(tillFrom), nextCursor: page.nextCursor }),
};

export const createTillWire = { iBranchId: "branchId", sName: "name" } as const;
/** bPinLocked: false opens PIN sign-in; bNewCode: true makes another pairing code. */
export const updateTillWire = {
  sName: "name",
  iBranchId: "branchId",
  bPinLocked: "pinLocked",
  bNewCode: "newCode",
} as const;
/** `state` is in_use (default), retired or all. */
export const tillsWire = {
  ...same("cursor", "limit", "state"),
  iBranchId: "branchId",
  iMerchantId: "merchantId",
} as const;
export const pairTillWire = { sPairingCode: "pairingCode", jPublicKey: "publicKey" } as const;
export const setPinWire = { sPassword: "password", sPin: "pin" } as const;
export const pinSignInWire = { iWorkerId: "workerId", sPin: "pin" } as const;

type OwnTill = {
  till: Till;
  shift: { id: string; number: number; openedAt: Date } | null;
  workers: TillWorker[];
  settings: { idleLockMinutes: number; refundDays: number; tenders: Tender[] };
  offline: OfflineRules;
};
const ownData = tillData.extend({
  shift: z.object({ _id: z.string(), iNumber: z.number().int(), dOpenedAt: z.iso.datetime() }).nullable(),
  workers: z.array(
    z.object({ _id: z.string(), sFirstName: z.string(), sLastName: z.string(), bHasPin: z.boolean() }),
  ),
  /** After how many idle minutes the counter locks (0: never), and for how many days workers refund. */
  iIdleLockMinutes: z.number().int(),
  iRefundDays: z.number().int(),
  aTenders: z.array(z.enum(TENDERS)),
  /** The largest top-up that may be kept without a connection, and the most that may wait, in points. */
  iOfflineMaxTopup: z.number().int(),
  iOfflineMaxTotal: z.number().int(),
  /** The number of the next entry that it keeps. */
  iNextEntry: z.number().int(),
});
export type OwnTillWire = z.output<typeof ownData>;
export const ownTillReply = {
  schema: ownData,
  from: ({ till, shift, workers, settings, offline }: OwnTill): z.output<typeof ownData> => ({
    ...tillFrom(till),
    shift: shift && { _id: shift.id, iNumber: shift.number, dOpenedAt: shift.openedAt.toISOString() },
    workers: workers.map(({ id, firstName, lastName, hasPin }) => ({
      _id: id,
      sFirstName: firstName,
      sLastName: lastName,
      bHasPin: hasPin,
    })),
    iIdleLockMinutes: settings.idleLockMinutes,
    iRefundDays: settings.refundDays,
    aTenders: settings.tenders,
    iOfflineMaxTopup: offline.maxTopUp,
    iOfflineMaxTotal: offline.maxTotal,
    iNextEntry: offline.nextEntry,
  }),
};

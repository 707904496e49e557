import { z } from "zod";
import { sends, type Writer } from "@/lib/calls/bind";
import {
  absentIfNull,
  computed,
  type DataOf,
  fields,
  instant,
  instantText,
  list,
  nullable,
  optional,
  otherwise,
  pageOf,
} from "@/lib/calls/codec";
import { branchRef, faceFields, idParams, merchantRef, namedRef, personNameFields } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { TENDERS } from "@/lib/ledger/model/tender";
import { customerRef, movementCodec } from "@/lib/ledger/names";
import { INBOX_CODES, type InboxCode, RESOLUTIONS, type syncTillSchema } from "./model/offline";
import {
  type closeShiftSchema,
  DRAWER_MOVES,
  type moveDrawerSchema,
  type openShiftSchema,
} from "./model/shift";
import type { pairTillSchema, Till } from "./model/till";

const tillFields = {
  _id: ["id", z.string()],
  sName: ["name", z.string()],
  branch: ["branch", branchRef],
  merchant: ["merchant", merchantRef],
  bPaired: ["paired", computed(z.boolean(), ({ pairedAt }: Till) => pairedAt !== null)],
  bRetired: ["retired", computed(z.boolean(), ({ retiredAt }: Till) => retiredAt !== null)],
  bPinLocked: ["pinLocked", computed(z.boolean(), ({ pinLockedAt }: Till) => pinLockedAt !== null)],
  dCreatedAt: ["createdAt", instantText],
} as const;
const tillReply = fields(tillFields);

const codedTillReply = fields({
  ...tillFields,
  sPairingCode: ["pairingCode", optional(z.string())],
  dPairingExpiresAt: ["pairingExpiresAt", optional(instantText)],
});

const openedShiftReply = fields({
  _id: ["id", z.string()],
  iNumber: ["number", z.number().int()],
  dOpenedAt: ["openedAt", instantText],
});
const ownTillReply = fields({
  ...tillFields,
  shift: ["shift", nullable(openedShiftReply)],
  workers: [
    "workers",
    list(
      fields({
        _id: ["id", z.string()],
        ...personNameFields,
        bHasPin: ["hasPin", z.boolean()],
      }),
    ),
  ],
  /** After how many idle minutes the counter locks (0: never), and for how many days workers refund. */
  iIdleLockMinutes: ["idleLockMinutes", z.number().int()],
  iRefundDays: ["refundDays", z.number().int()],
  aTenders: ["tenders", z.array(z.enum(TENDERS))],
  /** The largest top-up that may be kept without a connection, and the most that may wait, in points. */
  iOfflineMaxTopup: ["maxTopUp", z.number().int()],
  iOfflineMaxTotal: ["maxTotal", z.number().int()],
  /** The page on which the merchant's customers sign up; a server of the version before does not say it. */
  sSignupUrl: [
    "signupUrl",
    optional(
      computed(z.string(), (own: { merchantPublicId: string }, to) => to.signupUrl(own.merchantPublicId)),
    ),
  ],
  ...faceFields,
  iNextEntry: ["nextEntry", z.number().int()],
});

const shiftFields = {
  _id: ["id", z.string()],
  /** Of an open shift its number at the till, of a closed one the number of its report, without gaps a merchant. */
  iNumber: ["number", z.number().int()],
  till: ["till", namedRef],
  branch: ["branch", branchRef],
  merchant: ["merchant", merchantRef],
  /** In dirhams, as every amount of a drawer. */
  iFloat: ["float", z.number().int()],
  dOpenedAt: ["openedAt", instant],
  openedBy: ["openedBy", namedRef],
  dClosedAt: ["closedAt", nullable(instant)],
  closedBy: ["closedBy", nullable(namedRef)],
  sNote: ["note", z.string().nullable()],
  /** Counted cash less expected cash; only once it is closed. */
  iDifference: ["difference", absentIfNull(z.number().int())],
} as const;
const shiftCodec = fields(shiftFields);

/** A shift as lists show it. An open one has nothing of money but what it was opened with. */
export type Shift = Parameters<typeof shiftCodec.from>[0];

const drawerFields = {
  nCount: ["count", z.number().int()],
  iDirhams: ["dirhams", z.number().int()],
} as const;
const drawerSums = fields(drawerFields);
const sums = fields({
  nCount: ["count", z.number().int()],
  iPoints: ["points", z.number().int()],
  iDirhams: ["dirhams", z.number().int()],
});
const reportCodec = fields({
  aTenders: [
    "tenders",
    list(
      fields({
        eTender: ["tender", z.enum(TENDERS)],
        iExpected: ["expected", z.number().int()],
        /** Null where it was not counted. */
        iCounted: ["counted", z.number().int().nullable()],
        iDifference: ["difference", z.number().int().nullable()],
      }),
    ),
  ],
  oTopups: ["topUps", sums],
  oRedemptions: ["redemptions", sums],
  oRefunds: ["refunds", sums],
  oReversals: ["reversals", sums],
  oPayIns: ["payIns", drawerSums],
  oPayOuts: ["payOuts", drawerSums],
  /** Cash that owners gave back here for top-ups of other tills, part of oReversals; sTill is null for those without one. */
  aOtherTills: [
    "otherTills",
    otherwise(list(fields({ sTill: ["till", z.string().nullable()], ...drawerFields })), []),
  ],
  aServed: ["served", otherwise(list(namedRef), [])],
});

export type ShiftReport = Parameters<typeof reportCodec.from>[0];

const openOrClosed = fields({
  ...shiftFields,
  /** The cash that was counted at the till's close before; null at its first shift. */
  iCountedBefore: ["countedBefore", otherwise(z.number().int().nullable(), null)],
  aDrawer: [
    "drawer",
    list(
      fields({
        _id: ["id", z.string()],
        eType: ["kind", z.enum(DRAWER_MOVES)],
        iAmount: ["amount", z.number().int()],
        sReason: ["reason", z.string()],
        by: ["by", namedRef],
        dCreatedAt: ["createdAt", instant],
      }),
    ),
  ],
});
export type ShiftView = Parameters<typeof openOrClosed.from>[0] & { report: ShiftReport | null };

// Absent while the shift is open: the count is blind.
const viewData = openOrClosed.schema.extend(reportCodec.schema.partial().shape);

const shiftReply = {
  schema: viewData,
  from: (view: ShiftView, to: Writer): z.output<typeof viewData> => ({
    ...openOrClosed.from(view, to),
    ...(view.report ? reportCodec.from(view.report, to) : {}),
  }),
  view: (data: z.output<typeof viewData>): ShiftView => ({
    ...openOrClosed.view(data),
    difference: data.iDifference ?? null,
    report: data.aTenders ? reportCodec.view(data as DataOf<typeof reportCodec>) : null,
  }),
};

const outcomes = list(
  fields({
    n: ["n", z.number().int()],
    eOutcome: ["outcome", z.enum(["posted", "replayed", "inbox", "refused"])],
    code: ["code", optional(z.string())],
    movement: ["movement", optional(movementCodec)],
  }),
);
/** The outcome of an entry. The server keeps every entry except a refused one. */
export type EntryOutcome = Parameters<typeof outcomes.from>[0][number];

const syncReply = {
  schema: z.object({ results: outcomes.schema }),
  from: (entries: EntryOutcome[], to: Writer) => ({ results: outcomes.from(entries, to) }),
  view: ({ results }: { results: DataOf<typeof outcomes> }) => outcomes.view(results),
};

const entryCodec = fields({
  _id: ["id", z.string()],
  n: ["n", z.number().int()],
  sCode: ["code", z.enum(INBOX_CODES)],
  sWhy: ["why", computed(z.string(), ({ code }: { code: InboxCode }, to) => to.whyKept(code))],
  sPoints: ["points", z.number().int()],
  eTender: ["tender", z.enum(TENDERS)],
  sSaleRef: ["saleRef", z.string().nullable()],
  dOccurredAt: ["occurredAt", instant],
  dReceivedAt: ["receivedAt", instant],
  till: ["till", namedRef],
  worker: ["worker", namedRef],
  sentBy: ["sentBy", namedRef],
  customer: ["customer", nullable(customerRef)],
  branch: ["branch", nullable(branchRef)],
  eAction: ["resolution", z.enum(RESOLUTIONS).nullable()],
  dResolvedAt: ["resolvedAt", nullable(instant)],
  resolvedBy: ["resolvedBy", nullable(namedRef)],
  sReason: ["reason", z.string().nullable()],
});

export type OfflineEntry = Parameters<typeof entryCodec.from>[0];

export const tillCalls = {
  resolveEntry: {
    method: "POST",
    path: "offline-entries/{id}/resolve",
    params: idParams,
    body: { eAction: "action", customerId: "customerId", sReason: "reason" },
    reply: entryCodec,
  },
  listEntries: {
    method: "GET",
    path: "offline-entries",
    query: { ...same("cursor", "limit", "state"), till: "tillId", merchant: "merchantId" },
    reply: pageOf(entryCodec),
  },
  closeShift: {
    method: "POST",
    path: "shifts/{id}/close",
    params: idParams,
    body: {
      oCounted: { field: "counted", names: same("cash", "card", "bank", "other") },
      sNote: "note",
      iWaiting: "waiting",
    },
    reply: shiftReply,
    input: sends<z.input<typeof closeShiftSchema>>(),
  },
  moveDrawer: {
    method: "POST",
    path: "shifts/{id}/drawer",
    params: idParams,
    body: { eType: "kind", iAmount: "amount", sReason: "reason" },
    reply: fields({ _id: ["id", z.string()] }),
    input: sends<z.input<typeof moveDrawerSchema>>(),
  },
  getShift: { method: "GET", path: "shifts/{id}", params: idParams, reply: shiftReply },
  listShifts: {
    method: "GET",
    path: "shifts",
    query: {
      ...same("cursor", "limit", "from", "to"),
      till: "tillId",
      branch: "branchId",
      worker: "workerId",
      merchant: "merchantId",
    },
    reply: pageOf(shiftCodec),
  },
  openShift: {
    method: "POST",
    path: "shifts",
    body: { iTillId: "tillId", iFloat: "float" },
    reply: openedShiftReply,
    input: sends<z.input<typeof openShiftSchema>>(),
  },
  getTill: { method: "GET", path: "tills/{id}", params: idParams, reply: tillReply },
  updateTill: {
    method: "PUT",
    path: "tills/{id}",
    params: idParams,
    body: { sName: "name", iBranchId: "branchId", bPinLocked: "pinLocked", bNewCode: "newCode" },
    reply: codedTillReply,
  },
  retireTill: { method: "DELETE", path: "tills/{id}", params: idParams, reply: tillReply },
  ownTill: { method: "GET", path: "tills/me", reply: ownTillReply },
  pairTill: {
    method: "POST",
    path: "tills/pair",
    body: { sPairingCode: "pairingCode", jPublicKey: "publicKey" },
    reply: tillReply,
    input: sends<z.input<typeof pairTillSchema>>(),
  },
  listTills: {
    method: "GET",
    path: "tills",
    query: { ...same("cursor", "limit", "state"), iBranchId: "branchId", iMerchantId: "merchantId" },
    reply: pageOf(tillReply),
  },
  createTill: {
    method: "POST",
    path: "tills",
    body: { iBranchId: "branchId", sName: "name" },
    reply: codedTillReply,
  },
  syncTill: {
    method: "POST",
    path: "tills/sync",
    /** The entries have the names that the till signs. */
    body: { ...same("entries"), sSignedBy: "signedBy" },
    reply: syncReply,
    input: sends<z.input<typeof syncTillSchema>>(),
  },
} as const;

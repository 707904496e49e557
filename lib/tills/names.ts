import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import { idParams, merchantRefFrom, merchantRefShape } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/domain/customer-id";
import type { Page } from "@/lib/domain/movements";
import { type EntryOutcome, INBOX_CODES, type OfflineEntry, RESOLUTIONS } from "@/lib/domain/offline";
import type { OfflineRules } from "@/lib/domain/offline-counter";
import { DRAWER_MOVES, type Shift, type ShiftReport, type ShiftView } from "@/lib/domain/shift";
import { TENDERS, type Tender } from "@/lib/domain/tender";
import type { Till, TillWithCode, TillWorker } from "@/lib/domain/till";
import { movementShape, toMovementWire } from "@/lib/ledger/names";

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
const tillReply = { schema: tillData, from: tillFrom };

/** The code is in the answer that made it and nowhere else. */
const coded = tillData.extend({
  sPairingCode: z.string().optional(),
  dPairingExpiresAt: z.iso.datetime().optional(),
});
const codedTillReply = {
  schema: coded,
  from: (till: Till | TillWithCode): z.output<typeof coded> => ({
    ...tillFrom(till),
    ...("pairingCode" in till
      ? { sPairingCode: till.pairingCode, dPairingExpiresAt: till.pairingExpiresAt.toISOString() }
      : {}),
  }),
};
const tillsReply = {
  schema: z.object({ results: z.array(tillData), nextCursor: z.string().nullable() }),
  from: (page: Page<Till>) => ({ results: page.results.map(tillFrom), nextCursor: page.nextCursor }),
};

const createTillWire = { iBranchId: "branchId", sName: "name" } as const;
/** bPinLocked: false opens PIN sign-in; bNewCode: true makes another pairing code. */
const updateTillWire = {
  sName: "name",
  iBranchId: "branchId",
  bPinLocked: "pinLocked",
  bNewCode: "newCode",
} as const;
/** `state` is in_use (default), retired or all. */
const tillsWire = {
  ...same("cursor", "limit", "state"),
  iBranchId: "branchId",
  iMerchantId: "merchantId",
} as const;
const pairTillWire = { sPairingCode: "pairingCode", jPublicKey: "publicKey" } as const;
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
const ownTillReply = {
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

const person = z.object({ _id: z.string(), sName: z.string() });
const toPerson = ({ id, name }: { id: string; name: string }) => ({ _id: id, sName: name });

const shiftData = z.object({
  _id: z.string(),
  /** Of an open shift its number at the till, of a closed one the number of its report, without gaps a merchant. */
  iNumber: z.number().int(),
  till: person,
  branch: z.object({ _id: z.string(), sBranchName: z.string() }),
  merchant: merchantRefShape,
  /** In dirhams, as every amount of a drawer. */
  iFloat: z.number().int(),
  dOpenedAt: z.iso.datetime(),
  openedBy: person,
  dClosedAt: z.iso.datetime().nullable(),
  closedBy: person.nullable(),
  sNote: z.string().nullable(),
  /** Counted cash less expected cash; only once it is closed. */
  iDifference: z.number().int().optional(),
});

function shiftFrom(shift: Shift): z.output<typeof shiftData> {
  return {
    _id: shift.id,
    iNumber: shift.number,
    till: toPerson(shift.till),
    branch: { _id: shift.branch.id, sBranchName: shift.branch.name },
    merchant: merchantRefFrom(shift.merchant),
    iFloat: shift.float,
    dOpenedAt: shift.openedAt.toISOString(),
    openedBy: toPerson(shift.openedBy),
    dClosedAt: shift.closedAt?.toISOString() ?? null,
    closedBy: shift.closedBy && toPerson(shift.closedBy),
    sNote: shift.note,
    ...(shift.difference === null ? {} : { iDifference: shift.difference }),
  };
}

const sums = z.object({ nCount: z.number().int(), iPoints: z.number().int(), iDirhams: z.number().int() });
const drawerSums = z.object({ nCount: z.number().int(), iDirhams: z.number().int() });
const report = z.object({
  aTenders: z.array(
    z.object({
      eTender: z.enum(TENDERS),
      iExpected: z.number().int(),
      /** Null where it was not counted. */
      iCounted: z.number().int().nullable(),
      iDifference: z.number().int().nullable(),
    }),
  ),
  oTopups: sums,
  oRedemptions: sums,
  oRefunds: sums,
  oReversals: sums,
  oPayIns: drawerSums,
  oPayOuts: drawerSums,
  /** Cash that owners gave back here for top-ups of other tills, part of oReversals; sTill is null for those without one. */
  aOtherTills: z.array(
    z.object({ sTill: z.string().nullable(), nCount: z.number().int(), iDirhams: z.number().int() }),
  ),
  /** The people who posted at the till. */
  aServed: z.array(person),
});

const sumsFrom = ({ count, points, dirhams }: ShiftReport["topUps"]) => ({
  nCount: count,
  iPoints: points,
  iDirhams: dirhams,
});
const drawerFrom = ({ count, dirhams }: ShiftReport["payIns"]) => ({ nCount: count, iDirhams: dirhams });

const reportFrom = (from: ShiftReport): z.output<typeof report> => ({
  aTenders: from.tenders.map(({ tender, expected, counted, difference }) => ({
    eTender: tender,
    iExpected: expected,
    iCounted: counted,
    iDifference: difference,
  })),
  oTopups: sumsFrom(from.topUps),
  oRedemptions: sumsFrom(from.redemptions),
  oRefunds: sumsFrom(from.refunds),
  oReversals: sumsFrom(from.reversals),
  oPayIns: drawerFrom(from.payIns),
  oPayOuts: drawerFrom(from.payOuts),
  aOtherTills: from.otherTills.map(({ till, ...sum }) => ({ sTill: till, ...drawerFrom(sum) })),
  aServed: from.served.map(toPerson),
});

const viewData = shiftData.extend({
  /** The cash that was counted at the till's close before; null at its first shift. */
  iCountedBefore: z.number().int().nullable(),
  aDrawer: z.array(
    z.object({
      _id: z.string(),
      eType: z.enum(DRAWER_MOVES),
      iAmount: z.number().int(),
      sReason: z.string(),
      by: person,
      dCreatedAt: z.iso.datetime(),
    }),
  ),
  // Absent while the shift is open: the count is blind.
  ...report.partial().shape,
});

export type ShiftWire = z.output<typeof viewData>;

/** A shift; with the fields of its report once it is closed. */
const shiftReply = {
  schema: viewData,
  from: (view: ShiftView): z.output<typeof viewData> => ({
    ...shiftFrom(view),
    iCountedBefore: view.countedBefore,
    aDrawer: view.drawer.map((move) => ({
      _id: move.id,
      eType: move.kind,
      iAmount: move.amount,
      sReason: move.reason,
      by: toPerson(move.by),
      dCreatedAt: move.createdAt.toISOString(),
    })),
    ...(view.report ? reportFrom(view.report) : {}),
  }),
};
const shiftsReply = {
  schema: z.object({ results: z.array(shiftData), nextCursor: z.string().nullable() }),
  from: (page: Page<Shift>) => ({ results: page.results.map(shiftFrom), nextCursor: page.nextCursor }),
};
const openedShiftReply = {
  schema: z.object({ _id: z.string(), iNumber: z.number().int(), dOpenedAt: z.iso.datetime() }),
  from: ({ id, number, openedAt }: { id: string; number: number; openedAt: Date }) => ({
    _id: id,
    iNumber: number,
    dOpenedAt: openedAt.toISOString(),
  }),
};
const drawerReply = {
  schema: z.object({ _id: z.string() }),
  from: ({ id }: { id: string }) => ({ _id: id }),
};

const openShiftWire = { iTillId: "tillId", iFloat: "float" } as const;
const moveDrawerWire = { eType: "kind", iAmount: "amount", sReason: "reason" } as const;
/** iWaiting: how many entries the till has not sent yet. */
const closeShiftWire = {
  oCounted: { field: "counted", names: same("cash", "card", "bank", "other") },
  sNote: "note",
  iWaiting: "waiting",
} as const;
const shiftsWire = {
  ...same("cursor", "limit", "from", "to"),
  till: "tillId",
  branch: "branchId",
  worker: "workerId",
  merchant: "merchantId",
} as const;

/** The entries have the names that the till signs. */
const syncWire = { ...same("entries"), sSignedBy: "signedBy" } as const;

const syncData = z.object({
  results: z.array(
    z.object({
      n: z.number().int(),
      eOutcome: z.enum(["posted", "replayed", "inbox", "refused"]),
      /** Why it is in the inbox or was refused. */
      code: z.string().optional(),
      movement: movementShape.optional(),
    }),
  ),
});
export type SyncWire = z.output<typeof syncData>;
const syncReply = {
  schema: syncData,
  from: (outcomes: EntryOutcome[], to: Writer) => ({
    results: outcomes.map(({ n, outcome, code, movement }) => ({
      n,
      eOutcome: outcome,
      ...(code ? { code } : {}),
      ...(movement ? { movement: toMovementWire(movement, to) } : {}),
    })),
  }),
};

const entryData = z.object({
  _id: z.string(),
  n: z.number().int(),
  sCode: z.enum(INBOX_CODES),
  /** Why it was not posted and what to do, for a person. */
  sWhy: z.string(),
  sPoints: z.number().int(),
  eTender: z.enum(TENDERS),
  sSaleRef: z.string().nullable(),
  dOccurredAt: z.iso.datetime(),
  dReceivedAt: z.iso.datetime(),
  till: person,
  worker: person,
  sentBy: person,
  customer: z.object({ _id: shownIdSchema, sUUID: z.string(), sFullName: z.string() }).nullable(),
  branch: z.object({ _id: z.string(), sBranchName: z.string() }).nullable(),
  eAction: z.enum(RESOLUTIONS).nullable(),
  dResolvedAt: z.iso.datetime().nullable(),
  resolvedBy: person.nullable(),
  sReason: z.string().nullable(),
});

function entryFrom(entry: OfflineEntry, to: Writer): z.output<typeof entryData> {
  const { customer, branch } = entry;
  return {
    _id: entry.id,
    n: entry.n,
    sCode: entry.code,
    sWhy: to.whyKept(entry.code),
    sPoints: entry.points,
    eTender: entry.tender,
    sSaleRef: entry.saleRef,
    dOccurredAt: entry.occurredAt.toISOString(),
    dReceivedAt: entry.receivedAt.toISOString(),
    till: toPerson(entry.till),
    worker: toPerson(entry.worker),
    sentBy: toPerson(entry.sentBy),
    customer: customer && { _id: customer.id, sUUID: customer.publicId, sFullName: customer.fullName },
    branch: branch && { _id: branch.id, sBranchName: branch.name },
    eAction: entry.resolution,
    dResolvedAt: entry.resolvedAt?.toISOString() ?? null,
    resolvedBy: entry.resolvedBy && toPerson(entry.resolvedBy),
    sReason: entry.reason,
  };
}

const entryReply = { schema: entryData, from: entryFrom };
const entriesReply = {
  schema: z.object({ results: z.array(entryData), nextCursor: z.string().nullable() }),
  from: (page: Page<OfflineEntry>, to: Writer) => ({
    results: page.results.map((entry) => entryFrom(entry, to)),
    nextCursor: page.nextCursor,
  }),
};
/** `state` is waiting (default), resolved or all. */
const entriesWire = {
  ...same("cursor", "limit", "state"),
  till: "tillId",
  merchant: "merchantId",
} as const;
const resolveWire = { eAction: "action", customerId: "customerId", sReason: "reason" } as const;

/** The calls of tills, as both sides know them. */
export const tillCalls = {
  resolveEntry: {
    method: "POST",
    path: "offline-entries/{id}/resolve",
    params: idParams,
    body: resolveWire,
    reply: entryReply,
  },
  listEntries: { method: "GET", path: "offline-entries", query: entriesWire, reply: entriesReply },
  closeShift: {
    method: "POST",
    path: "shifts/{id}/close",
    params: idParams,
    body: closeShiftWire,
    reply: shiftReply,
  },
  moveDrawer: {
    method: "POST",
    path: "shifts/{id}/drawer",
    params: idParams,
    body: moveDrawerWire,
    reply: drawerReply,
  },
  getShift: { method: "GET", path: "shifts/{id}", params: idParams, reply: shiftReply },
  listShifts: { method: "GET", path: "shifts", query: shiftsWire, reply: shiftsReply },
  openShift: { method: "POST", path: "shifts", body: openShiftWire, reply: openedShiftReply },
  getTill: { method: "GET", path: "tills/{id}", params: idParams, reply: tillReply },
  updateTill: {
    method: "PUT",
    path: "tills/{id}",
    params: idParams,
    body: updateTillWire,
    reply: codedTillReply,
  },
  retireTill: { method: "DELETE", path: "tills/{id}", params: idParams, reply: tillReply },
  ownTill: { method: "GET", path: "tills/me", reply: ownTillReply },
  pairTill: { method: "POST", path: "tills/pair", body: pairTillWire, reply: tillReply },
  listTills: { method: "GET", path: "tills", query: tillsWire, reply: tillsReply },
  createTill: { method: "POST", path: "tills", body: createTillWire, reply: codedTillReply },
  syncTill: { method: "POST", path: "tills/sync", body: syncWire, reply: syncReply },
} as const;

import type { ActionResult } from "@/lib/domain/errors";
import type { MerchantRef } from "@/lib/domain/merchant-name";
import type { DrawerMoveKind, ShiftReport, ShiftView } from "@/lib/domain/shift";
import type { Tender } from "@/lib/domain/tender";
import type { ShiftWire } from "@/lib/tills/names";
import { type Caller, callApi } from "./api-call";

const toPerson = ({ _id, sName }: { _id: string; sName: string }) => ({ id: _id, name: sName });

type Sums = { nCount: number; iDirhams: number; iPoints?: number };
const toSums = (sums: Sums | undefined) => ({
  count: sums?.nCount ?? 0,
  points: sums?.iPoints ?? 0,
  dirhams: sums?.iDirhams ?? 0,
});

function toReport(wire: ShiftWire): ShiftReport | null {
  if (!wire.aTenders) return null;
  return {
    tenders: wire.aTenders.map(({ eTender, iExpected, iCounted, iDifference }) => ({
      tender: eTender,
      expected: iExpected,
      counted: iCounted,
      difference: iDifference,
    })),
    topUps: toSums(wire.oTopups),
    redemptions: toSums(wire.oRedemptions),
    refunds: toSums(wire.oRefunds),
    reversals: toSums(wire.oReversals),
    payIns: toSums(wire.oPayIns),
    payOuts: toSums(wire.oPayOuts),
    // A server of the version before does not answer it.
    otherTills: (wire.aOtherTills ?? []).map(({ sTill, ...sums }) => {
      const { count, dirhams } = toSums(sums);
      return { till: sTill, count, dirhams };
    }),
    served: (wire.aServed ?? []).map(toPerson),
  };
}

const toMerchantRef = ({ _id, sBusinessName, sBusinessNameAr }: ShiftWire["merchant"]): MerchantRef => ({
  id: _id,
  businessName: sBusinessName,
  businessNameAr: sBusinessNameAr,
});

function toShift(wire: ShiftWire): ShiftView {
  return {
    id: wire._id,
    number: wire.iNumber,
    till: toPerson(wire.till),
    branch: { id: wire.branch._id, name: wire.branch.sBranchName },
    merchant: toMerchantRef(wire.merchant),
    float: wire.iFloat,
    openedAt: new Date(wire.dOpenedAt),
    openedBy: toPerson(wire.openedBy),
    closedAt: wire.dClosedAt === null ? null : new Date(wire.dClosedAt),
    closedBy: wire.closedBy && toPerson(wire.closedBy),
    difference: wire.iDifference ?? null,
    note: wire.sNote,
    // A server of the version before does not answer it.
    countedBefore: wire.iCountedBefore ?? null,
    drawer: wire.aDrawer.map((move) => ({
      id: move._id,
      kind: move.eType,
      amount: move.iAmount,
      reason: move.sReason,
      by: toPerson(move.by),
      createdAt: new Date(move.dCreatedAt),
    })),
    report: toReport(wire),
  };
}

const nothing = () => null;
const post = (body: unknown, key?: string): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: key ? { "Idempotency-Key": key } : {},
});

export function readShift(caller: Caller, id: string): Promise<ActionResult<ShiftView>> {
  return callApi(caller, `shifts/${id}`, toShift);
}

/** Opens a shift with this much cash (dirhams). */
export function startShift(caller: Caller, iTillId: string, iFloat: number): Promise<ActionResult<null>> {
  return callApi(caller, "shifts", nothing, post({ iTillId, iFloat }));
}

export type Move = { kind: DrawerMoveKind; amount: number; reason: string };

/** Records cash (dirhams) that goes in or out; once, however often it is sent with this key. */
export function recordMove(
  caller: Caller,
  shiftId: string,
  { kind, amount, reason }: Move,
  key: string,
): Promise<ActionResult<null>> {
  const body = { eType: kind, iAmount: amount, sReason: reason };
  return callApi(caller, `shifts/${shiftId}/drawer`, nothing, post(body, key));
}

export type Count = {
  /** Dirhams. What is absent was not counted. */
  counted: Partial<Record<Tender, number>>;
  note: string;
  /** How many entries this till has not sent yet. */
  waiting: number;
};

/** Sends the count and answers the shift with its report. */
export function finishShift(
  caller: Caller,
  id: string,
  { counted, note, waiting }: Count,
): Promise<ActionResult<ShiftView>> {
  const body = { oCounted: counted, sNote: note, iWaiting: waiting };
  return callApi(caller, `shifts/${id}/close`, toShift, post(body));
}

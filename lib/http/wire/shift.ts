import { z } from "zod";
import type { Page } from "@/lib/domain/movements";
import { DRAWER_MOVES, type Shift, type ShiftReport, type ShiftView } from "@/lib/domain/shift";
import { TENDERS } from "@/lib/domain/tender";
import { merchantRefFrom, merchantRefShape } from "./merchant-ref";
import { same } from "./names";

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
  /** Who posted at the till. */
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
export const shiftReply = {
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
export const shiftsReply = {
  schema: z.object({ results: z.array(shiftData), nextCursor: z.string().nullable() }),
  from: (page: Page<Shift>) => ({ results: page.results.map(shiftFrom), nextCursor: page.nextCursor }),
};
export const openedShiftReply = {
  schema: z.object({ _id: z.string(), iNumber: z.number().int(), dOpenedAt: z.iso.datetime() }),
  from: ({ id, number, openedAt }: { id: string; number: number; openedAt: Date }) => ({
    _id: id,
    iNumber: number,
    dOpenedAt: openedAt.toISOString(),
  }),
};
export const drawerReply = {
  schema: z.object({ _id: z.string() }),
  from: ({ id }: { id: string }) => ({ _id: id }),
};

export const openShiftWire = { iTillId: "tillId", iFloat: "float" } as const;
export const moveDrawerWire = { eType: "kind", iAmount: "amount", sReason: "reason" } as const;
/** iWaiting: how many entries the till has not sent yet. */
export const closeShiftWire = {
  oCounted: { field: "counted", names: same("cash", "card", "bank", "other") },
  sNote: "note",
  iWaiting: "waiting",
} as const;
export const shiftsWire = {
  ...same("cursor", "limit", "from", "to"),
  till: "tillId",
  branch: "branchId",
  worker: "workerId",
  merchant: "merchantId",
} as const;

import type { Tender } from "@/lib/domain/tender";
import type { OwnTillWire } from "@/lib/tills/names";

/** The data that a till shows before anybody has signed in, and the settings of its counter. */
export type OwnTill = {
  id: string;
  name: string;
  branch: { id: string; name: string };
  shift: { id: string; number: number; openedAt: string } | null;
  workers: { id: string; name: string; hasPin: boolean }[];
  /** Whether no PIN signs in here until the owner opens it. */
  pinLocked: boolean;
  /** After how many idle minutes the till asks who is there; 0: never. */
  idleLockMinutes: number;
  /** For how many days employees may refund a redemption. 0: they may not. */
  refundDays: number;
  /** The ways of paying that the merchant accepts. */
  tenders: Tender[];
};

export function toTill(wire: OwnTillWire): OwnTill {
  const { _id, sName, branch, shift, workers } = wire;
  return {
    id: _id,
    name: sName,
    branch: { id: branch._id, name: branch.sBranchName },
    shift: shift && { id: shift._id, number: shift.iNumber, openedAt: shift.dOpenedAt },
    workers: workers.map(({ _id: id, sFirstName, sLastName, bHasPin }) => ({
      id,
      name: `${sFirstName} ${sLastName}`,
      hasPin: bHasPin,
    })),
    pinLocked: wire.bPinLocked,
    idleLockMinutes: wire.iIdleLockMinutes,
    refundDays: wire.iRefundDays,
    tenders: wire.aTenders,
  };
}

/** Local storage: the last answer, so that the faces are there before the server answers. */
const KNOWN = "till.known";

export function keepKnownTill(till: OwnTill): void {
  localStorage.setItem(KNOWN, JSON.stringify(till));
}

export function knownTill(): OwnTill | null {
  try {
    return JSON.parse(localStorage.getItem(KNOWN) ?? "null") as OwnTill | null;
  } catch {
    return null;
  }
}

import { z } from "zod";
import type { Page } from "@/lib/domain/movements";
import { type EntryOutcome, INBOX_CODES, type OfflineEntry, RESOLUTIONS } from "@/lib/domain/offline";
import type { Locale } from "@/lib/domain/roles";
import { TENDERS } from "@/lib/domain/tender";
import { translateKey } from "../problems";
import { movementShape, toMovementWire } from "./money";
import { same } from "./names";

/** The entries have the names that the till signs. */
export const syncWire = { ...same("entries"), sSignedBy: "signedBy" } as const;

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
export const syncReply = {
  schema: syncData,
  from: (outcomes: EntryOutcome[], locale: Locale) => ({
    results: outcomes.map(({ n, outcome, code, movement }) => ({
      n,
      eOutcome: outcome,
      ...(code ? { code } : {}),
      ...(movement ? { movement: toMovementWire(movement, locale) } : {}),
    })),
  }),
};

const person = z.object({ _id: z.string(), sName: z.string() });
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
  customer: z.object({ _id: z.string(), sUUID: z.string(), sFullName: z.string() }).nullable(),
  branch: z.object({ _id: z.string(), sBranchName: z.string() }).nullable(),
  eAction: z.enum(RESOLUTIONS).nullable(),
  dResolvedAt: z.iso.datetime().nullable(),
  resolvedBy: person.nullable(),
  sReason: z.string().nullable(),
});

const toPerson = ({ id, name }: { id: string; name: string }) => ({ _id: id, sName: name });

function entryFrom(entry: OfflineEntry, locale: Locale): z.output<typeof entryData> {
  const { customer, branch } = entry;
  return {
    _id: entry.id,
    n: entry.n,
    sCode: entry.code,
    sWhy: translateKey(locale, `offline.why.${entry.code}`),
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

export const entryReply = { schema: entryData, from: entryFrom };
export const entriesReply = {
  schema: z.object({ results: z.array(entryData), nextCursor: z.string().nullable() }),
  from: (page: Page<OfflineEntry>, locale: Locale) => ({
    results: page.results.map((entry) => entryFrom(entry, locale)),
    nextCursor: page.nextCursor,
  }),
};
/** `state` is waiting (default), resolved or all. */
export const entriesWire = {
  ...same("cursor", "limit", "state"),
  till: "tillId",
  merchant: "merchantId",
} as const;
export const resolveWire = { eAction: "action", customerId: "customerId", sReason: "reason" } as const;

import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { Context, ProvedTill } from "@/lib/db/context";
import { sqlState } from "@/lib/db/faults";
import { Prisma } from "@/lib/db/generated/client";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import {
  type EntryOutcome,
  inboxCode,
  MAX_ENTRY_DAYS,
  type SignedEntry,
  type SyncTill,
  syncTillSchema,
} from "@/lib/domain/offline";
import { type Posting, postBatch } from "@/lib/ledger/batch";
import { movementRows } from "@/lib/ledger/movement-rows";
import { requestHash } from "@/lib/ledger/post-request";
import { AHEAD_MS, presence, type WasHere } from "./presence";
import { genuine } from "./signed-entries";

const ATTEMPTS = 4;

type Kept = {
  n: number;
  key: string;
  signature: string;
  points: number;
  code: string | null;
  receivedAt: Date;
  movementId: string | null;
};
type Judge = {
  till: ProvedTill;
  now: Date;
  merchant: Settings;
  disabled: Map<string, Date | null>;
  wasHere: WasHere;
};
type Settings = { offlineMaxTopUp: number; offlineMaxTotal: number; tenders: string[] };

/** Why an entry goes to the inbox before the ledger is asked. `waiting`: points that waited when it was made, with its own. */
function inboxReason(
  { till, now, merchant, disabled, wasHere }: Judge,
  entry: SignedEntry,
  waiting: number,
): string | null {
  const occurred = new Date(entry.dOccurredAt);
  const disabledAt = disabled.get(entry.iWorkerId.toLowerCase()) ?? null;
  if (till.retiredAt !== null) return "till_retired";
  if (now.getTime() - occurred.getTime() > MAX_ENTRY_DAYS * 24 * 60 * 60 * 1000) return "entry_old";
  if (occurred.getTime() - now.getTime() > AHEAD_MS) return "entry_from_future";
  if (disabledAt !== null && disabledAt <= occurred) return "worker_disabled";
  if (!wasHere(entry)) return "worker_not_here";
  if (entry.sPoints > merchant.offlineMaxTopUp || waiting > merchant.offlineMaxTotal) return "offline_limit";
  if (!merchant.tenders.includes(entry.eTender)) return "tender_not_taken";
  return null;
}

function postingOf({ till }: Judge, entry: SignedEntry): Posting {
  const request = {
    type: "TOP_UP" as const,
    customer: entry.customerId,
    branch: entry.iBranchId,
    points: entry.sPoints,
    tender: entry.eTender,
    saleRef: entry.sSaleRef,
  };
  return {
    ...request,
    actor: entry.iWorkerId,
    scope: "merchant",
    scopeMerchant: till.merchantId,
    // As the counter posts it with a connection: what reached the ledger before the line dropped is answered, not doubled.
    key: entry.sKey,
    hash: requestHash(request),
    occurred: new Date(entry.dOccurredAt),
    till: till.id,
  };
}

const payloadOf = (jws: string): string | undefined => jws.split(".")[1];

/** What is known of a number or a key already: the first result, or that it names another entry. Null for a new one. */
function knownOutcome(kept: Kept[], entry: SignedEntry): Kept | "other" | null {
  const same = kept.find(({ n }) => n === entry.n);
  if (same) return payloadOf(same.signature) === payloadOf(entry.sSig) ? same : "other";
  return kept.some(({ key }) => key === entry.sKey) ? "other" : null;
}

/** Judges, posts and keeps the entries of a till in one transaction, one sync of a till after the other. */
async function keep(tx: Tx, ctx: Context, till: ProvedTill, entries: SignedEntry[]): Promise<EntryOutcome[]> {
  await tx.$queryRaw`select 1 from tills where id = ${till.id}::uuid for no key update`;
  const now = ctx.clock();
  const merchant = await tx.merchant.findUniqueOrThrow({
    where: { id: till.merchantId },
    select: { offlineMaxTopUp: true, offlineMaxTotal: true, tenders: true },
  });
  const staff = await tx.user.findMany({
    where: { id: { in: entries.map(({ iWorkerId }) => iWorkerId) }, merchantId: till.merchantId },
    select: { id: true, disabledAt: true },
  });
  const judge: Judge = {
    till,
    now,
    merchant,
    disabled: new Map(staff.map((one) => [one.id, one.disabledAt])),
    wasHere: await presence(tx, till.id, ctx.actor.userId, entries),
  };
  const oldest = new Date(
    Math.min(now.getTime(), ...entries.map(({ dOccurredAt }) => Date.parse(dOccurredAt))),
  );
  const kept: Kept[] = await tx.offlineEntry.findMany({
    where: {
      tillId: till.id,
      OR: [
        { n: { in: entries.map(({ n }) => n) } },
        { key: { in: entries.map(({ sKey }) => sKey) } },
        { receivedAt: { gt: oldest } },
      ],
    },
    select: {
      n: true,
      key: true,
      signature: true,
      points: true,
      code: true,
      receivedAt: true,
      movementId: true,
    },
  });
  const answers = new Map<SignedEntry, EntryOutcome>();
  const asked: SignedEntry[] = [];
  const fresh: { entry: SignedEntry; code: string | null }[] = [];
  for (const entry of [...entries].sort((a, b) => a.n - b.n)) {
    const { n } = entry;
    const known = knownOutcome(kept, entry);
    if (known === "other") answers.set(entry, { n, outcome: "refused", code: "key_reused" });
    else if (known && !fresh.some((one) => one.entry.n === n))
      answers.set(entry, await firstResult(tx, entry, known));
    else if (!judge.disabled.has(entry.iWorkerId.toLowerCase()))
      answers.set(entry, { n, outcome: "refused", code: "worker_not_found" });
    else if (!known) {
      const occurred = new Date(entry.dOccurredAt);
      const waiting = kept
        .filter((one) => one.n < n && one.receivedAt > occurred)
        .reduce((sum, one) => sum + one.points, entry.sPoints);
      const code = inboxReason(judge, entry, waiting);
      fresh.push({ entry, code });
      if (code === null) asked.push(entry);
      const values = { n, key: entry.sKey, signature: entry.sSig, points: entry.sPoints };
      kept.push({ ...values, code, receivedAt: now, movementId: null });
    }
  }
  const outcomes =
    asked.length > 0
      ? await postBatch(
          tx,
          asked.map((entry) => postingOf(judge, entry)),
        )
      : [];
  const rows = fresh.map(({ entry, code }) => {
    const outcome = outcomes[asked.indexOf(entry)];
    const posted = outcome && "movement" in outcome ? outcome : null;
    const why = posted ? null : inboxCode(code ?? outcome?.outcome ?? "not_found");
    answers.set(entry, {
      n: entry.n,
      ...(posted
        ? { outcome: posted.outcome, movement: posted.movement }
        : { outcome: "inbox" as const, code: why ?? undefined }),
    });
    return {
      ...{ merchantId: till.merchantId, tillId: till.id, n: entry.n, key: entry.sKey, signature: entry.sSig },
      ...{ workerId: entry.iWorkerId, customerId: entry.customerId, branchId: entry.iBranchId },
      ...{ points: entry.sPoints, tender: entry.eTender, saleRef: entry.sSaleRef ?? null },
      ...{ occurredAt: new Date(entry.dOccurredAt), receivedAt: now, syncedById: ctx.actor.userId },
      ...{ code: why, movementId: posted?.movement.id ?? null },
    };
  });
  if (rows.length > 0) await tx.offlineEntry.createMany({ data: rows });
  const inbox = rows.filter(({ code }) => code !== null).length;
  const { merchantId, id: tillId } = till;
  if (inbox > 0) await giveNotice(tx, { kind: "offline_inbox", merchantId, tillId, amount: inbox });
  return entries.map((entry) => {
    const twin = [...answers.keys()].find(({ n }) => n === entry.n);
    return (
      answers.get(entry) ??
      (twin && answers.get(twin)) ?? { n: entry.n, outcome: "refused", code: "key_reused" }
    );
  });
}

/** What an entry that is kept already was answered: replayed with its movement where it has one. */
async function firstResult(tx: Tx, { n }: SignedEntry, known: Kept): Promise<EntryOutcome> {
  if (known.code !== null) return { n, outcome: "inbox", code: known.code };
  const one = Prisma.sql`SELECT m.* FROM movements m WHERE m.id = ${known.movementId}::uuid`;
  const [movement] = await movementRows(tx, one);
  return { n, outcome: "replayed", movement };
}

/**
 * Receives what the proving till kept without a connection, at most 50 entries, and answers one outcome an entry. What is
 * genuine is posted by its worker at this till, or kept in the owner's inbox with the reason (it names somebody who was not
 * signed in here, for one); both only once, however
 * often it is sent. Refused: a changed entry, a number or key of another entry, a worker of another merchant.
 * Throws forbidden for a till of another merchant.
 */
export async function syncTill(ctx: Context, { entries }: SyncTill): Promise<EntryOutcome[]> {
  authorize(ctx.actor, "tills.sync");
  const { till } = ctx;
  if (till?.merchantId !== ctx.actor.merchantId) throw new DomainError("forbidden");
  const signed = await genuine(till, entries);
  const asked = entries.filter((entry) => signed.has(entry));
  for (let attempt = 1; ; attempt++) {
    try {
      const kept =
        asked.length > 0
          ? await ctx.db.$transaction((tx) => keep(tx, ctx, till, asked), { timeout: 30_000 })
          : [];
      const answers = new Map(asked.map((entry, at) => [entry, kept[at]]));
      return entries.map(
        (entry) => answers.get(entry) ?? { n: entry.n, outcome: "refused", code: "signature_invalid" },
      );
    } catch (error) {
      // A deadlock, or a key that was posted at the same moment: nothing was kept.
      if (!/^40/.test(sqlState(error)) || attempt === ATTEMPTS) throw error;
    }
  }
}
syncTill.permission = "tills.sync" as const;
syncTill.input = syncTillSchema;
syncTill.needsTill = "kept" as const;

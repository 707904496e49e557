import { compactVerify, importJWK } from "jose";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { Context, ProvedTill } from "@/lib/db/context";
import { sqlState } from "@/lib/db/faults";
import { Prisma } from "@/lib/db/generated/client";
import type { Actor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { postBatch, shownTo } from "@/lib/ledger/batch";
import type { Movement } from "@/lib/ledger/model/movements";
import { movementRows } from "@/lib/ledger/movement-rows";
import { operation } from "@/lib/operations/operation";
import {
  columnsOf,
  inboxReason,
  judgeOf,
  lastNumber,
  MAX_NUMBER,
  postedBefore,
  postingOf,
} from "./judge-entry";
import { inboxCode, type SignedEntry, syncTillSchema } from "./model/offline";
import { MAX_NUMBER_JUMP } from "./model/offline-counter";
import { isTillAccepted } from "./model/till";
import type { EntryOutcome } from "./names";
import { tillOfKey } from "./till-proof";

const ordered = (value: object): string =>
  JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The entries whose signature is the till's and whose signed values are those that came. */
async function verifiedEntries(till: ProvedTill, entries: SignedEntry[]): Promise<Set<SignedEntry>> {
  const key = await importJWK(till.publicKey, "ES256");
  const found = new Set<SignedEntry>();
  for (const entry of entries) {
    const { sSig, sMac: _mac, ...claimed } = entry;
    try {
      const { payload } = await compactVerify(sSig, key, { algorithms: ["ES256"] });
      const signed: unknown = JSON.parse(new TextDecoder().decode(payload));
      if (typeof signed === "object" && signed !== null && ordered(signed) === ordered(claimed))
        found.add(entry);
    } catch {
      // Not the till's signature: refused with the others.
    }
  }
  return found;
}

const ATTEMPTS = 4;

const keptSelect = {
  n: true,
  key: true,
  signature: true,
  points: true,
  code: true,
  receivedAt: true,
  movementId: true,
  formerKey: true,
} as const;
type Kept = Prisma.OfflineEntryGetPayload<{ select: typeof keptSelect }>;

const payloadOf = (jws: string): string | undefined => jws.split(".")[1];

/**
 * The first result of a number and a key; "other" if they name another entry, null for a new one. A former key has numbers
 * apart from the till's own (`former` null), except for entries that arrived before it was replaced.
 */
function knownOutcome(kept: Kept[], entry: SignedEntry, former: string | null): Kept | "other" | null {
  const isSame = (one: Kept) => payloadOf(one.signature) === payloadOf(entry.sSig);
  const ofNumber = kept.filter(({ n }) => n === entry.n);
  const same = ofNumber.find(({ formerKey }) => formerKey === former);
  if (same) return isSame(same) ? same : "other";
  const earlier = ofNumber.find((one) => one.formerKey === null && isSame(one));
  if (earlier) return earlier;
  return kept.some(({ key }) => key === entry.sKey) ? "other" : null;
}

/** The kept entries of a till with these numbers or keys, and those that came since the oldest of these occurred. */
async function keptBefore(tx: Tx, tillId: string, now: Date, entries: SignedEntry[]): Promise<Kept[]> {
  const times = entries.map(({ dOccurredAt }) => Date.parse(dOccurredAt));
  const oldest = new Date(Math.min(now.getTime(), ...times));
  return tx.offlineEntry.findMany({
    where: {
      tillId,
      OR: [
        { n: { in: entries.map(({ n }) => n).filter((n) => n <= MAX_NUMBER) } },
        { key: { in: entries.map(({ sKey }) => sKey) } },
        { receivedAt: { gt: oldest } },
      ],
    },
    select: keptSelect,
  });
}

/** Judges, posts and keeps the entries of a till in one transaction, one sync of a till after the other. */
async function keep(tx: Tx, ctx: Context, till: ProvedTill, entries: SignedEntry[]): Promise<EntryOutcome[]> {
  const [key] = await tx.$queryRaw<{ isPresent: boolean }[]>`
    select thumbprint = ${till.thumbprint} as "isPresent" from tills where id = ${till.id}::uuid for no key update`;
  const former = key?.isPresent ? null : till.thumbprint;
  const judge = await judgeOf(tx, ctx, till, former !== null, entries);
  const { now } = judge;
  const kept = await keptBefore(tx, till.id, now, entries);
  const answers = new Map<SignedEntry, EntryOutcome>();
  /** The movements of those that were posted before, by their ids. */
  const posted = new Map<SignedEntry, string>();
  const asked: SignedEntry[] = [];
  const fresh: { entry: SignedEntry; code: string | null }[] = [];
  let last = await lastNumber(tx, till.id, former);
  for (const entry of [...entries].sort((a, b) => a.n - b.n)) {
    const { n } = entry;
    const known = knownOutcome(kept, entry, former);
    if (known === "other") answers.set(entry, { n, outcome: "refused", code: "key_reused" });
    else if (known && !fresh.some((one) => one.entry.n === n)) {
      if (known.code !== null) answers.set(entry, { n, outcome: "inbox", code: known.code });
      else posted.set(entry, known.movementId ?? "");
    } else if (!judge.disabled.has(entry.iWorkerId.toLowerCase()))
      answers.set(entry, { n, outcome: "refused", code: "worker_not_found" });
    // One entry would otherwise use up all numbers, and the till could keep nothing any more.
    else if (!known && n > Math.min(last + MAX_NUMBER_JUMP, MAX_NUMBER))
      answers.set(entry, { n, outcome: "refused", code: "number_jump" });
    else if (!known) {
      last = Math.max(last, n);
      const occurred = new Date(entry.dOccurredAt);
      const waiting = kept
        .filter((one) => one.formerKey === former && one.n < n && one.receivedAt > occurred)
        .reduce((sum, one) => sum + one.points, entry.sPoints);
      const code = inboxReason(judge, entry, waiting);
      fresh.push({ entry, code });
      if (code === null) asked.push(entry);
      const values = { n, key: entry.sKey, signature: entry.sSig, points: entry.sPoints };
      kept.push({ ...values, code, receivedAt: now, movementId: null, formerKey: former });
    }
  }
  const postings = asked.map((entry) => postingOf(till, entry));
  const outcomes = postings.length > 0 ? await postBatch(tx, postings) : [];
  const reused = asked.filter((_, at) => outcomes[at]?.outcome === "key_reused");
  const toInbox = fresh.flatMap(({ entry, code }) => (code === null ? [] : [entry]));
  for (const [entry, id] of await postedBefore(tx, till.merchantId, [...toInbox, ...reused]))
    posted.set(entry, id);
  const movements = await movementsOf(tx, ctx.actor, [...posted.values()]);
  for (const [entry, id] of posted)
    answers.set(entry, { n: entry.n, outcome: "replayed", movement: movements.get(id) });
  const rows = fresh.map(({ entry, code }) => {
    const outcome = outcomes[asked.indexOf(entry)];
    const done = outcome && "movement" in outcome ? outcome : null;
    const movementId = done?.movement.id ?? posted.get(entry) ?? null;
    const why = movementId === null ? inboxCode(code ?? outcome?.outcome ?? "not_found") : null;
    if (done) {
      const movement = shownTo(ctx.actor, done.movement);
      answers.set(entry, { n: entry.n, outcome: done.outcome, movement });
    } else if (why !== null) answers.set(entry, { n: entry.n, outcome: "inbox", code: why });
    return {
      ...columnsOf(entry),
      merchantId: till.merchantId,
      tillId: till.id,
      receivedAt: now,
      syncedById: ctx.actor.userId,
      code: why,
      movementId,
      formerKey: former,
    };
  });
  if (rows.length > 0) await tx.offlineEntry.createMany({ data: rows });
  const inbox = rows.filter(({ code }) => code !== null).length;
  const { merchantId, id: tillId } = till;
  if (inbox > 0) await giveNotice(tx, { kind: "offline_inbox", merchantId, tillId, amount: inbox });
  return entries.map((entry) => answerOf(answers, entry));
}

/** The answer of an entry. Where a number came twice, both get the answer of the one that was judged. */
function answerOf(answers: Map<SignedEntry, EntryOutcome>, entry: SignedEntry): EntryOutcome {
  const twin = [...answers.keys()].find(({ n }) => n === entry.n);
  return (
    answers.get(entry) ??
    (twin && answers.get(twin)) ?? { n: entry.n, outcome: "refused", code: "key_reused" }
  );
}

async function movementsOf(tx: Tx, viewer: Actor, ids: string[]): Promise<Map<string, Movement>> {
  if (ids.length === 0) return new Map();
  const page = Prisma.sql`SELECT m.* FROM movements m WHERE m.id = ANY (${ids}::uuid[])`;
  const rows = await movementRows(tx, page, viewer);
  return new Map(rows.map((movement) => [movement.id, movement]));
}

/** The till whose present or former key has this thumbprint, of the proving till's merchant. Throws till_not_found. */
async function signerOf(ctx: Context, thumbprint: string, merchantId: string): Promise<ProvedTill> {
  const till = await tillOfKey(ctx.db, thumbprint);
  if (till?.merchantId === merchantId && isTillAccepted(till, true, ctx.clock())) return till;
  throw new DomainError("till_not_found");
}

/**
 * Receives what a till kept without a connection, and answers one outcome an entry: the proving till, or the one whose key
 * has the thumbprint `signedBy`, where this browser was that till before. A verified entry is posted by its worker at that
 * till, or kept in the owner's inbox with the reason; both only once, however often it is sent. All that a replaced key
 * signed goes to the inbox. Refused: a changed entry, a number or key of another entry, a number far above the last, a worker
 * of another merchant. Throws forbidden for a till of another merchant, till_not_found for a signer that is not accepted.
 */
export const syncTill = operation({
  permission: "tills.sync",
  input: syncTillSchema,
  errors: ["till_not_found"],
  needsTill: "kept",
  run: async (ctx, { entries, signedBy }): Promise<EntryOutcome[]> => {
    const proving = ctx.till;
    if (proving?.merchantId !== ctx.actor.merchantId) throw new DomainError("forbidden");
    const till = signedBy === undefined ? proving : await signerOf(ctx, signedBy, proving.merchantId);
    const signed = await verifiedEntries(till, entries);
    const asked = entries.filter((entry) => signed.has(entry));
    for (let attempt = 1; ; attempt++) {
      try {
        const keepAll = () => ctx.db.$transaction((tx) => keep(tx, ctx, till, asked), { timeout: 30_000 });
        const kept = asked.length > 0 ? await keepAll() : [];
        const answers = new Map(asked.map((entry, at) => [entry, kept[at]]));
        return entries.map(
          (entry) => answers.get(entry) ?? { n: entry.n, outcome: "refused", code: "signature_invalid" },
        );
      } catch (error) {
        // A deadlock, or a key that was posted at the same moment: nothing was kept.
        if (!/^40/.test(sqlState(error)) || attempt === ATTEMPTS) throw error;
      }
    }
  },
});

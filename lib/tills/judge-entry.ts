import type { Db, Tx } from "@/lib/db/client";
import type { Context, ProvedTill } from "@/lib/db/context";
import type { OfflineEntry } from "@/lib/db/generated/client";
import { cleanSaleRef } from "@/lib/domain/money";
import type { Posting } from "@/lib/ledger/batch";
import { requestHash } from "@/lib/ledger/post-request";
import { isEntryMac } from "@/lib/secrets/secrets";
import { MAX_ENTRY_DAYS, type SignedEntry } from "./model/offline";
import { MAX_NUMBER_JUMP } from "./model/offline-counter";

/** The largest number that the database stores. */
export const MAX_NUMBER = 2_147_483_647;
// Above this, the last number may be a jump of the time before jumps were refused. No till counts this far.
const SUSPECT = 1_000_000_000;

/**
 * The last number that a till's key has used; 0 before any. `former`: the thumbprint of a replaced key, which counts on
 * from the till's own entries. Numbers after a jump that an older version took do not count: the till could not go on.
 */
export async function lastNumber(db: Db | Tx, tillId: string, former: string | null): Promise<number> {
  const last = await db.offlineEntry.findFirst({
    where: { tillId, OR: [{ formerKey: null }, { formerKey: former }] },
    orderBy: { n: "desc" },
    select: { n: true },
  });
  if (!last || last.n < SUSPECT) return last?.n ?? 0;
  const [before] = await db.$queryRaw<{ n: number }[]>`
    select n from (
      select n, lead(n) over (order by n) as next
      from (
        select 0 as n union all
        select n from offline_entries
        where till_id = ${tillId}::uuid and (former_key is null or former_key = ${former})
      ) used
    ) steps
    where next is null or next - n > ${MAX_NUMBER_JUMP} order by n limit 1`;
  return before?.n ?? 0;
}

/** How far a till's clock may run ahead, in milliseconds. */
const AHEAD_MS = 5 * 60_000;

/**
 * Answers why nothing shows that the worker whom an entry names made it at the till; null where it is shown. Shown to be theirs
 * are the sender's, and those of who had a session there, by PIN, at that time, with an HMAC under that session's key. The
 * till's key signs whatever its browser says, so a cashier could name a colleague, or the owner, to get past the own limits.
 */
async function absenceOf(tx: Tx, tillId: string, senderId: string, entries: readonly SignedEntry[]) {
  const others = entries.map(({ iWorkerId }) => iWorkerId.toLowerCase()).filter((id) => id !== senderId);
  const sessions = await tx.session.findMany({ where: { tillId, userId: { in: others } } });
  return ({ iWorkerId, dOccurredAt, sSig, sMac }: SignedEntry) => {
    const [id, at] = [iWorkerId.toLowerCase(), Date.parse(dOccurredAt)];
    if (id === senderId) return null;
    const present = sessions.filter(({ userId, createdAt, revokedAt, expiresAt }) => {
      const endedAt = Math.min(expiresAt.getTime(), revokedAt?.getTime() ?? Number.POSITIVE_INFINITY);
      return userId === id && createdAt.getTime() <= at + AHEAD_MS && endedAt >= at - AHEAD_MS;
    });
    if (present.length === 0) return "worker_not_here";
    const kept = sMac !== undefined && present.some((session) => isEntryMac(session.id, sSig, sMac));
    return kept ? null : "not_from_session";
  };
}

/** The facts that decide about a till's entries now. `isReplaced`: it has another key than the one that signed. */
export async function judgeOf(
  tx: Tx,
  ctx: Context,
  till: ProvedTill,
  isReplaced: boolean,
  entries: SignedEntry[],
) {
  const merchant = await tx.merchant.findUniqueOrThrow({
    where: { id: till.merchantId },
    select: { offlineMaxTopUp: true, offlineMaxTotal: true, tenders: true },
  });
  const staff = await tx.user.findMany({
    where: { id: { in: entries.map(({ iWorkerId }) => iWorkerId) }, merchantId: till.merchantId },
    select: { id: true, disabledAt: true },
  });
  const disabled = new Map(staff.map((one) => [one.id, one.disabledAt]));
  const absence = await absenceOf(tx, till.id, ctx.actor.userId, entries);
  return { till, isReplaced, now: ctx.clock(), merchant, disabled, absence };
}

/** Why an entry goes to the inbox unasked. `waiting`: points that waited when it was made, with its own. */
export function inboxReason(
  { till, isReplaced, now, merchant, disabled, absence }: Awaited<ReturnType<typeof judgeOf>>,
  entry: SignedEntry,
  waiting: number,
): string | null {
  const occurred = new Date(entry.dOccurredAt);
  const disabledAt = disabled.get(entry.iWorkerId.toLowerCase()) ?? null;
  if (till.retiredAt !== null) return "till_retired";
  if (isReplaced) return "till_replaced";
  if (now.getTime() - occurred.getTime() > MAX_ENTRY_DAYS * 24 * 60 * 60 * 1000) return "entry_old";
  if (occurred.getTime() - now.getTime() > AHEAD_MS) return "entry_from_future";
  if (disabledAt !== null && disabledAt <= occurred) return "worker_disabled";
  const absent = absence(entry);
  if (absent !== null) return absent;
  if (entry.sPoints > merchant.offlineMaxTopUp || waiting > merchant.offlineMaxTotal) return "offline_limit";
  if (!merchant.tenders.includes(entry.eTender)) return "tender_not_taken";
  return null;
}

/** The columns of an entry that its till wrote. */
export const columnsOf = (entry: SignedEntry) => ({
  n: entry.n,
  key: entry.sKey,
  signature: entry.sSig,
  workerId: entry.iWorkerId,
  customerId: entry.customerId,
  branchId: entry.iBranchId,
  points: entry.sPoints,
  tender: entry.eTender,
  saleRef: cleanSaleRef(entry.sSaleRef ?? "") ?? null,
  occurredAt: new Date(entry.dOccurredAt),
});

type KeptTopUp = Pick<OfflineEntry, "customerId" | "branchId" | "points" | "tender" | "saleRef">;

/** A top-up that a till kept, as the counter would have asked for it with a connection. */
export function topUpOf({ customerId, branchId, points, tender, saleRef }: KeptTopUp) {
  return {
    type: "TOP_UP" as const,
    customer: customerId,
    branch: branchId,
    points,
    tender,
    saleRef: cleanSaleRef(saleRef ?? ""),
  };
}

const requestOf = (entry: SignedEntry) => topUpOf(columnsOf(entry));

/** An entry as the ledger is asked to post it. */
export function postingOf(till: ProvedTill, entry: SignedEntry): Posting {
  const request = requestOf(entry);
  return {
    ...request,
    actor: entry.iWorkerId,
    scope: "merchant",
    scopeMerchant: till.merchantId,
    // The counter's own key: a movement that reached the ledger before the line dropped is answered, not doubled.
    key: entry.sKey,
    hash: requestHash(request),
    occurred: new Date(entry.dOccurredAt),
    till: till.id,
  };
}

/** The movements of entries that the counter had posted before the line dropped: an owner who posts one would double it. */
export async function postedBefore(
  tx: Tx,
  merchantId: string,
  entries: readonly SignedEntry[],
): Promise<Map<SignedEntry, string>> {
  if (entries.length === 0) return new Map();
  const typed = entries.map(({ customerId }) => customerId);
  const customers = await tx.customer.findMany({
    where: { merchantId, OR: [{ id: { in: typed } }, { publicId: { in: typed } }] },
    select: { id: true, publicId: true },
  });
  const asked = entries.map((entry, at) => {
    const named = entry.customerId.toLowerCase();
    const ids = customers.map(({ id, publicId }) => [id, publicId]).find((pair) => pair.includes(named));
    const hashes = (ids ?? [named]).map((customerId) => requestHash(requestOf({ ...entry, customerId })));
    return { at, actor: entry.iWorkerId, key: entry.sKey, hashes };
  });
  const found = await tx.$queryRaw<{ at: number; id: string }[]>`
    select a.at, m.id::text as id
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a(at int, actor uuid, key text, hashes text[])
    join movements m on is_key(m.actor_id, m.idempotency_key, a.actor, a.key)
    where m.merchant_id = ${merchantId}::uuid
      and request_digest(m.request_hash) in (select request_digest(hash) from unnest(a.hashes) hash)`;
  return new Map(
    found.flatMap(({ at, id }) => {
      const entry = entries[at];
      return entry ? [[entry, id] as const] : [];
    }),
  );
}

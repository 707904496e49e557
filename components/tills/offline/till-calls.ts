import { calculateJwkThumbprint } from "jose";
import { type Answer, api, type InputOf, type ViewOf } from "@/lib/api/client";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import type { SignedEntry } from "@/lib/tills/model/offline";
import { KEPT_DAYS, MAX_ENTRIES, type OfflineRules } from "@/lib/tills/model/offline-counter";
import { tillCalls as calls } from "@/lib/tills/names";
import { type Device, publicJwk } from "../device/device";
import { sendBy } from "../device/signed-fetch";
import { type OfflineStore, openStore, type WaitingEntry } from "./store";
import { forgetEntryKey } from "./till-record";

type SentOutcome = ViewOf<typeof calls.syncTill>[number];

/** The answer to a sync. Without outcomes nothing is known, and the same entries are sent again. */
type SyncAnswer =
  | { kind: "ok"; outcomes: SentOutcome[] }
  /** No answer, or the server is away. */
  | { kind: "lost" }
  /** The server is there: too many requests, or it failed in this one. `seconds` until the next. */
  | { kind: "limited"; seconds: number }
  /** No cashier of this merchant is signed in. */
  | { kind: "signedOut" }
  /** The server no longer knows the till's key. */
  | { kind: "unpaired" }
  | { kind: "invalid" };

// Milliseconds after which an answer counts as lost. A sync of 50 entries takes longer than one posting.
const TIMEOUT_MS = 30_000;
// A clock that differs by less is right.
const CLOCK_MS = 60_000;

function outcomesOf(answer: Answer<SentOutcome[]>): SyncAnswer {
  if (answer.kind === "ok") return { kind: "ok", outcomes: answer.data };
  // No answer, or one that is not of this API: the same entries are sent again, and each is posted once.
  if (!answer.code) return { kind: "lost" };
  if (answer.code === "invalid_dpop_proof" || answer.code === "till_not_found") return { kind: "unpaired" };
  if (answer.kind === "signedOut" || answer.status === 403) return { kind: "signedOut" };
  if (answer.status === 429 || answer.status === 500)
    return { kind: "limited", seconds: answer.retryAfter ?? 30 };
  return answer.kind === "lost" ? { kind: "lost" } : { kind: "invalid" };
}

const thumbprintOf = async (keys: CryptoKeyPair) => calculateJwkThumbprint(await publicJwk(keys));

/** The calls of a till, signed by its keys. `token` answers the public handle of the signed-in cashier's session. */
export function tillCalls(keys: CryptoKeyPair, token: () => Promise<string | null>) {
  return {
    /** Sends entries with the till proof of the till that signed them. */
    sync: async (by: CryptoKeyPair, entries: SignedEntry[]): Promise<SyncAnswer> => {
      const session = await token();
      if (session === null) return { kind: "signedOut" };
      const sync = async (proving: CryptoKeyPair, input: InputOf<typeof calls.syncTill>) => {
        const how = { session, timeout: TIMEOUT_MS, send: sendBy(proving) };
        const answer = await api(calls.syncTill, input, how);
        const outcomes = outcomesOf(answer);
        // A 403 is of the merchant or the cashier, and the session goes on.
        if (outcomes.kind === "signedOut" && answer.kind === "signedOut")
          await forgetEntryKey((of) => of === session).catch(() => undefined);
        return outcomes;
      };
      const answer = await sync(by, { entries });
      if (answer.kind !== "unpaired") return answer;
      try {
        // If paired again since: a PIN session belongs to the current till, so its key signs the request.
        const [signedBy, own] = await Promise.all([by, keys].map(thumbprintOf));
        return signedBy === own ? answer : await sync(keys, { entries, signedBy });
      } catch {
        return { kind: "lost" };
      }
    },
    /** The rules for keeping top-ups, and by how many milliseconds the server's clock is ahead; null without an answer. */
    rules: async (): Promise<{ rules: OfflineRules; ahead: number } | null> => {
      const answer = await api(calls.ownTill, {}, { session: null, timeout: TIMEOUT_MS, send: sendBy(keys) });
      if (answer.kind !== "ok") return null;
      const { maxTopUp, maxTotal, nextEntry } = answer.data;
      const behind = Date.parse(answer.serverNow ?? "") - Date.now();
      const ahead = Math.abs(behind) > CLOCK_MS ? behind : 0;
      return { rules: { maxTopUp, maxTotal, nextEntry }, ahead };
    },
    ping: async (): Promise<boolean> => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const how: RequestInit = { cache: "no-store", headers: TUNNEL_HEADER, signal };
      const answer = await fetch("/api/health", how).catch(() => null);
      return answer?.ok ?? false;
    },
  };
}

export type TillCalls = ReturnType<typeof tillCalls>;

type SendResult = Exclude<SyncAnswer, { kind: "ok" | "invalid" }> | { kind: "sent" | "busy" };

const SETTLED_MS = KEPT_DAYS * 24 * 60 * 60 * 1000;

/** Stores outcomes. The transaction that stores the outcome of an entry also removes the entry. */
async function settle(db: OfflineStore, sent: WaitingEntry[], outcomes: SentOutcome[]): Promise<boolean> {
  const at = Date.now();
  const tx = db.transaction(["waiting", "settled", "customers"], "readwrite", { durability: "strict" });
  const settled = tx.objectStore("settled");
  const customers = tx.objectStore("customers");
  let any = false;
  for (const { tillId, n, key, entry, customerName } of sent) {
    const answer = outcomes.find((one) => one.n === n);
    if (!answer) continue;
    any = true;
    const { outcome, code, movement } = answer;
    const shown = { customerName, points: entry.sPoints, occurredAt: entry.dOccurredAt };
    const missed = outcome === "inbox" || outcome === "refused" ? { shown, unread: 1 as const } : {};
    // The server does not keep a refused entry.
    const proof = outcome === "refused" ? { entry } : {};
    await settled.put({ key, n, outcome, code, at, ...missed, ...proof });
    await tx.objectStore("waiting").delete([tillId, n]);
    const kept = movement && (await customers.index("publicId").get(movement.customer.publicId));
    if (kept) await customers.put({ ...kept, balance: movement.balance, asOf: at });
  }
  const old = await settled.index("at").getAllKeys(IDBKeyRange.upperBound(at - SETTLED_MS));
  for (const key of old) if (!(await settled.get(key))?.unread) await settled.delete(key);
  await tx.done;
  return any;
}

/** Sends what waits in order, at most 50 at once, until all has an outcome or an answer is missing. */
export async function sendWaiting(sync: TillCalls["sync"], onSettled?: () => void): Promise<SendResult> {
  return navigator.locks.request("till-send", { ifAvailable: true }, async (lock): Promise<SendResult> => {
    if (!lock) return { kind: "busy" };
    const db = await openStore();
    const skip = new Set<string>();
    let result: SendResult = { kind: "sent" };
    let most = MAX_ENTRIES;
    for (;;) {
      const left = (await db.getAll("waiting")).filter(({ keyId }) => !skip.has(keyId));
      const [first] = left;
      if (!first) return result;
      const sent = left.filter(({ keyId }) => keyId === first.keyId).slice(0, most);
      const entries = sent.map(({ entry }) => entry);
      const answer = await sync(first.keys, entries);
      if (answer.kind === "ok") {
        if (!(await settle(db, sent, answer.outcomes))) return { kind: "lost" };
        onSettled?.();
      } else if (answer.kind === "invalid" && most > 1) {
        // The server does not understand one entry. Sent one by one, it does not block the others.
        most = 1;
      } else if (answer.kind === "invalid") {
        await settle(db, sent, [{ n: first.n, outcome: "refused", code: "validation" }]);
        onSettled?.();
      } else if (answer.kind === "unpaired" || answer.kind === "signedOut") {
        // The entries of this key wait, and those of other keys are sent.
        skip.add(first.keyId);
        result = answer;
      } else return answer;
    }
  });
}

/** Sends what waits, by a session that ends. Answers whether nothing is left that the server takes now. */
export async function sendFirst({ keys }: Device, handle: string): Promise<boolean> {
  const { sync } = tillCalls(keys, async () => handle);
  for (;;) {
    const { kind } = await sendWaiting(sync);
    if (kind !== "busy") return kind !== "lost" && kind !== "limited";
    // Another tab or the service worker is sending.
    await navigator.locks.request("till-send", () => undefined);
  }
}

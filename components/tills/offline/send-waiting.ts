import type { ViewOf } from "@/lib/api/client";
import type { SignedEntry } from "@/lib/tills/model/offline";
import { KEPT_DAYS, MAX_ENTRIES } from "@/lib/tills/model/offline-counter";
import type { tillCalls } from "@/lib/tills/names";
import { type OfflineStore, openStore, type WaitingEntry } from "./store";

type SentOutcome = ViewOf<typeof tillCalls.syncTill>[number];

/** The answer to a sync. Without outcomes nothing is known, and the same entries are sent again. */
export type SyncAnswer =
  | { kind: "ok"; outcomes: SentOutcome[] }
  /** No answer, or the server is away. */
  | { kind: "lost" }
  /** The server is there: too many requests, or a fault of its own in this one. `seconds` until the next. */
  | { kind: "limited"; seconds: number }
  /** No cashier of this merchant is signed in. */
  | { kind: "signedOut" }
  /** The server no longer knows the till's key. */
  | { kind: "unpaired" }
  /** The request was not understood. */
  | { kind: "invalid" };

export type SendResult = Exclude<SyncAnswer, { kind: "ok" | "invalid" }> | { kind: "sent" | "busy" };

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
    const missed = outcome === "inbox" || outcome === "refused";
    await settled.put({
      key,
      n,
      outcome,
      code,
      at,
      ...(missed ? { shown, unread: 1 as const } : {}),
      // The server does not keep a refused entry.
      ...(outcome === "refused" ? { entry } : {}),
    });
    await tx.objectStore("waiting").delete([tillId, n]);
    const kept = movement && (await customers.index("publicId").get(movement.customer.publicId));
    if (kept) await customers.put({ ...kept, balance: movement.balance, asOf: at });
  }
  const old = await settled.index("at").getAllKeys(IDBKeyRange.upperBound(at - SETTLED_MS));
  for (const key of old) if (!(await settled.get(key))?.unread) await settled.delete(key);
  await tx.done;
  return any;
}

/** Sends entries with the till proof of the till that signed them. */
export type Sync = (keys: CryptoKeyPair, entries: SignedEntry[]) => Promise<SyncAnswer>;

/**
 * Sends the waiting entries in order, at most 50 at once, until all have an outcome or an answer is missing. "busy":
 * another tab sends. An entry is not removed before its outcome is stored here.
 */
export async function sendWaiting(sync: Sync, onSettled: () => void = () => undefined): Promise<SendResult> {
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
        onSettled();
      } else if (answer.kind === "invalid" && most > 1) {
        // The server does not understand one entry. Sent one by one, it does not block the others.
        most = 1;
      } else if (answer.kind === "invalid") {
        await settle(db, sent, [{ n: first.n, outcome: "refused", code: "validation" }]);
        onSettled();
      } else if (answer.kind === "unpaired" || answer.kind === "signedOut") {
        // The entries of this key wait, and those of other keys are sent.
        skip.add(first.keyId);
        result = answer;
      } else return answer;
    }
  });
}

import {
  type OfflineStore,
  openStore,
  type SettledEntry,
  type WaitingEntry,
} from "@/components/till-store/store";
import type { SignedEntry } from "@/lib/domain/offline";
import { KEPT_DAYS, MAX_ENTRIES } from "@/lib/domain/offline-counter";

/** What the server answered for one entry; `balance` of its customer after it, in points. */
type SentOutcome = Pick<SettledEntry, "n" | "outcome" | "code"> & {
  posted?: { customerId: string; balance: number };
};

/** The answer to a sync. Without outcomes nothing is known, and the same entries are sent again. */
export type SyncAnswer =
  | { kind: "ok"; outcomes: SentOutcome[] }
  /** No answer, or the server failed. */
  | { kind: "lost" }
  /** Too many requests; `seconds` until the next. */
  | { kind: "limited"; seconds: number }
  /** No cashier of this merchant is signed in. */
  | { kind: "signedOut" }
  /** The server no longer knows the till's key. */
  | { kind: "unpaired" }
  /** The request was not understood. */
  | { kind: "invalid" };

export type SendResult =
  | Exclude<SyncAnswer, { kind: "ok" | "invalid" }>
  | { kind: "sent" }
  | { kind: "busy" };

const SETTLED_MS = KEPT_DAYS * 24 * 60 * 60 * 1000;

/** Takes over outcomes: an entry goes only in the transaction that stores what became of it. */
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
    const { outcome, code, posted } = answer;
    const shown = { customerName, points: entry.sPoints, occurredAt: entry.dOccurredAt };
    const missed = outcome === "inbox" || outcome === "refused";
    await settled.put({
      ...{ key, n, outcome, code, at },
      ...(missed ? { shown, unread: 1 as const } : {}),
      // It is nowhere else.
      ...(outcome === "refused" ? { entry } : {}),
    });
    await tx.objectStore("waiting").delete([tillId, n]);
    const kept = posted && (await customers.get(posted.customerId));
    if (kept) await customers.put({ ...kept, balance: posted.balance, asOf: at });
  }
  const old = await settled.index("at").getAllKeys(IDBKeyRange.upperBound(at - SETTLED_MS));
  for (const key of old) if (!(await settled.get(key))?.unread) await settled.delete(key);
  await tx.done;
  return any;
}

/** What was signed by one key and comes first, in the order in which it was kept. */
async function nextOf(db: OfflineStore, most: number, skip: ReadonlySet<string>): Promise<WaitingEntry[]> {
  const all = (await db.getAll("waiting")).filter(({ keyId }) => !skip.has(keyId));
  return all.filter(({ keyId }) => keyId === all[0]?.keyId).slice(0, most);
}

/** Sends entries with the proof of the till that signed them. */
export type Sync = (keys: CryptoKeyPair, entries: SignedEntry[]) => Promise<SyncAnswer>;

/** The answers that concern one key, whose entries wait while those of another are sent. */
const OF_KEY: ReadonlySet<SyncAnswer["kind"]> = new Set(["unpaired", "signedOut"]);

/**
 * Sends what waits in order, at most 50 at once, until all have an outcome or an answer is missing. One tab at a time:
 * "busy" where another does it. Nothing is removed before the server's outcome of it is stored here.
 */
export async function sendWaiting(sync: Sync, onSettled: () => void = () => undefined): Promise<SendResult> {
  return navigator.locks.request("till-send", { ifAvailable: true }, async (lock): Promise<SendResult> => {
    if (!lock) return { kind: "busy" };
    const db = await openStore();
    const skip = new Set<string>();
    let result: SendResult = { kind: "sent" };
    let most = MAX_ENTRIES;
    for (;;) {
      const sent = await nextOf(db, most, skip);
      const [first] = sent;
      if (!first) return result;
      const answer = await sync(
        first.keys,
        sent.map(({ entry }) => entry),
      );
      if (answer.kind === "ok") {
        if (!(await settle(db, sent, answer.outcomes))) return { kind: "lost" };
        onSettled();
      } else if (answer.kind === "invalid" && most > 1) {
        // One of them is not understood: alone it does not hold up the others.
        most = 1;
      } else if (answer.kind === "invalid") {
        await settle(db, sent, [{ n: first.n, outcome: "refused", code: "validation" }]);
        onSettled();
      } else if (OF_KEY.has(answer.kind)) {
        skip.add(first.keyId);
        result = answer;
      } else return answer;
    }
  });
}

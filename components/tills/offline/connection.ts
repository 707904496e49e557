import { LINE_CHANNEL, type OfflineRules, SYNC_TAG } from "@/lib/tills/model/offline-counter";
import { forgetOldCustomers } from "./customers";
import { type SendResult, type Sync, sendWaiting } from "./send-waiting";
import { openStore, type SettledEntry } from "./store";
import { saveTillRecord } from "./till-record";

/** The calls of a till, passed in so that nothing here knows routes or wire names. */
export type TillCalls = {
  sync: Sync;
  /**
   * Answers the rules for keeping top-ups, and by how many milliseconds the server's clock is ahead. Null
   * without an answer.
   */
  rules: () => Promise<{ rules: OfflineRules; ahead: number } | null>;
  /** Whether the server answers at all. */
  ping: () => Promise<boolean>;
};

export type LineState = {
  /** Whether the server answered last. */
  up: boolean;
  /** How many top-ups wait. */
  waiting: number;
  /** The entries that were not posted and that the cashier has not read yet. */
  unread: SettledEntry[];
  /** Why nothing is sent although there is a connection. */
  stuck: "signedOut" | "unpaired" | null;
  /** A newer build of the product serves this till than the page is of. */
  outdated: boolean;
};

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
const IDLE_MS = 10 * 60_000;

/**
 * Asks the browser to send the waiting top-ups when it is online again, even without an open page. If the
 * browser cannot do this, pages send them.
 */
async function askBackgroundSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (registration as { sync?: { register: (tag: string) => Promise<void> } } | undefined)?.sync?.register(
    SYNC_TAG,
  );
}

/**
 * The connection of one till in one tab. It knows whether it is up, which top-ups wait, and when to try
 * again.
 */
export function openConnection(tillId: string, calls: TillCalls) {
  let state: LineState = { up: navigator.onLine, waiting: 0, unread: [], stuck: null, outdated: false };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let trying = false;
  let again = false;
  let closed = false;
  const listeners = new Set<() => void>();
  const channel = new BroadcastChannel(LINE_CHANNEL);

  const set = (part: Partial<LineState>) => {
    if (closed) return;
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  const count = async () => {
    const db = await openStore();
    const [waiting, unread] = await Promise.all([
      db.count("waiting"),
      db.getAllFromIndex("settled", "unread", 1),
    ]);
    set({ waiting, unread });
  };
  const changed = async () => {
    await count();
    if (!closed) channel.postMessage("changed");
  };
  const later = (milliseconds: number) => {
    clearTimeout(timer);
    timer = closed ? undefined : setTimeout(() => void attempt(), milliseconds);
  };
  const backOff = () => {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++);
    // So that the tills of a shop do not all return in the same second.
    later(wait * (0.75 + Math.random() / 2));
  };
  const take = async (result: SendResult) => {
    await changed();
    if (result.kind === "lost") {
      set({ up: false });
      backOff();
    } else if (result.kind === "limited") later(Math.max(1, result.seconds) * 1000);
    else if (result.kind === "busy") backOff();
    else {
      failures = 0;
      const stuck = result.kind === "signedOut" || result.kind === "unpaired" ? result.kind : null;
      set({ up: true, stuck });
      if (stuck) later(LONGEST_WAIT_MS);
    }
  };
  /** As `changed`. Where the store cannot be read, the next attempt counts. */
  const announce = () => changed().catch(() => undefined);
  const settled = () => {
    failures = 0;
    set({ up: true });
    void announce();
  };
  /** Sends the waiting top-ups, or asks whether the server is back. */
  const attempt = async (): Promise<void> => {
    if (trying) {
      again = true;
      return;
    }
    trying = true;
    clearTimeout(timer);
    timer = undefined;
    try {
      await count();
      if (state.waiting > 0) await take(await sendWaiting(calls.sync, settled));
      else if (!state.up) {
        const up = await calls.ping();
        if (up) failures = 0;
        set({ up });
        if (!up) backOff();
      }
      if (state.up) await readRules();
      // The owner may have changed what the till may keep.
      timer ?? later(IDLE_MS);
    } catch {
      // The browser's store failed. Its content stays, and the counter continues with the server alone.
      if (!state.up) set({ up: await calls.ping() });
      backOff();
    } finally {
      trying = false;
    }
    if (again) {
      again = false;
      await attempt();
    }
  };
  let rulesAt = 0;
  const readRules = async () => {
    if (Date.now() - rulesAt < LONGEST_WAIT_MS) return;
    const answer = await calls.rules();
    if (!answer) return;
    rulesAt = Date.now();
    await saveTillRecord(tillId, answer.rules, answer.ahead);
  };
  const onOnline = () => {
    failures = 0;
    void attempt();
  };
  const onOffline = () => {
    set({ up: false });
    backOff();
  };
  const onVisible = () => document.visibilityState === "visible" && void attempt();
  window.addEventListener("online", onOnline);
  window.addEventListener("offline", onOffline);
  document.addEventListener("visibilitychange", onVisible);
  channel.addEventListener("message", () => void count().catch(() => undefined));
  // The browser then keeps unsent top-ups when the disk is full. It may refuse. On an installed till it does
  // not ask the user.
  void navigator.storage?.persist?.();
  // Ignore a failure: old customers are not shown, even if they could not be removed.
  void forgetOldCustomers().catch(() => undefined);
  void attempt();

  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Records that a call found no server, and when to ask again. */
    lost: () => {
      if (!state.up) return;
      set({ up: false });
      backOff();
    },
    /** Records that the server answered. */
    answered: () => {
      if (state.up) return;
      failures = 0;
      set({ up: true });
      void attempt();
    },
    /** Records that a top-up was kept. */
    kept: async () => {
      await announce();
      if (timer === undefined || state.up) backOff();
      await askBackgroundSync().catch(() => undefined);
    },
    /** The cashier has read what went to the owner. What was not accepted is nowhere else, and stays. */
    read: async () => {
      const tx = (await openStore()).transaction("settled", "readwrite");
      for (const { unread: _unread, ...entry } of await tx.store.index("unread").getAll(1))
        if (entry.outcome === "inbox") await tx.store.put(entry);
      await tx.done;
      await changed();
    },
    /** Records that a newer build is available. */
    outdated: () => set({ outdated: true }),
    sendNow: attempt,
    close: () => {
      closed = true;
      clearTimeout(timer);
      channel.close();
      window.removeEventListener("online", onOnline);
      window.removeEventListener("offline", onOffline);
      document.removeEventListener("visibilitychange", onVisible);
    },
  };
}
export type TillConnection = ReturnType<typeof openConnection>;

import { LINE_CHANNEL, SYNC_TAG } from "@/lib/tills/model/offline-counter";
import { forgetOldCustomers } from "./customers";
import { type SendResult, sendWaiting } from "./send-waiting";
import { openStore, type SettledEntry } from "./store";
import type { TillCalls } from "./till-calls";
import { saveTillRecord } from "./till-record";

type LineState = {
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

type Syncing = { sync?: { register: (tag: string) => Promise<void> } };

/** Asks the browser to send the waiting top-ups when it is online again, even without an open page. Not every one can. */
async function askBackgroundSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (registration as Syncing | undefined)?.sync?.register(SYNC_TAG);
}

/** The state of the line in one tab, until `closed`. */
function openState(closed: AbortSignal) {
  let state: LineState = { up: navigator.onLine, waiting: 0, unread: [], stuck: null, outdated: false };
  const listeners = new Set<() => void>();
  const set = (part: Partial<LineState>) => {
    if (closed.aborted) return;
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    set,
    /** Counts the entries of the till's store. */
    count: async () => {
      const db = await openStore();
      const [waiting, unread] = await Promise.all([
        db.count("waiting"),
        db.getAllFromIndex("settled", "unread", 1),
      ]);
      set({ waiting, unread });
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Plans the next attempt, until `closed`. Each failure in a row doubles the wait. */
function planAttempts(attempt: () => void, closed: AbortSignal) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const later = (milliseconds: number) => {
    cancel();
    if (!closed.aborted) timer = setTimeout(attempt, milliseconds);
  };
  closed.addEventListener("abort", cancel);
  return {
    later,
    backOff: () => {
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++);
      // So that the tills of a shop do not all return in the same second.
      later(wait * (0.75 + Math.random() / 2));
    },
    /** The next failure is the first again. */
    succeeded: () => {
      failures = 0;
    },
    isPlanned: () => timer !== undefined,
    cancel,
  };
}

/** Runs one at a time. A call during a run makes it run once more afterwards. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) {
        again = false;
        await work();
      }
    } finally {
      running = false;
    }
  };
}

/** Stores the till's rules for top-ups, at most once a minute. */
export function rulesReader(tillId: string, calls: TillCalls): () => Promise<void> {
  // Not by the clock, which may be set back.
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - readAt < LONGEST_WAIT_MS) return;
    const answer = await calls.rules();
    if (!answer) return;
    readAt = performance.now();
    await saveTillRecord(tillId, answer.rules, answer.ahead);
  };
}

/** Sends the waiting top-ups, or asks whether the server is back. `changed` is called when the till's store has changed. */
function openSender(
  line: ReturnType<typeof openState>,
  tillId: string,
  calls: TillCalls,
  changed: () => Promise<void>,
  closed: AbortSignal,
) {
  const readRules = rulesReader(tillId, calls);
  const down = () => {
    line.set({ up: false });
    plan.backOff();
  };
  const take = async (result: SendResult) => {
    await changed();
    if (result.kind === "lost") down();
    else if (result.kind === "busy") plan.backOff();
    else if (result.kind === "limited") {
      line.set({ up: true });
      plan.later(Math.max(1, result.seconds) * 1000);
    } else {
      plan.succeeded();
      const stuck = result.kind === "signedOut" || result.kind === "unpaired" ? result.kind : null;
      line.set({ up: true, stuck });
      if (stuck) plan.later(LONGEST_WAIT_MS);
    }
  };
  const settled = () => {
    plan.succeeded();
    line.set({ up: true });
    void changed().catch(() => undefined);
  };
  const attempt = oneAtATime(async () => {
    plan.cancel();
    try {
      await line.count();
      if (line.get().waiting > 0) await take(await sendWaiting(calls.sync, settled));
      else if (!line.get().up) {
        const up = await calls.ping();
        if (up) plan.succeeded();
        line.set({ up });
        if (!up) plan.backOff();
      }
      if (line.get().up) await readRules();
      // The owner may have changed what the till may keep.
      if (!plan.isPlanned()) plan.later(IDLE_MS);
    } catch {
      // The browser's store failed. Its content stays, and the counter continues with the server alone.
      if (!line.get().up) line.set({ up: await calls.ping() });
      plan.backOff();
    }
  });
  const plan = planAttempts(() => void attempt(), closed);
  return { attempt, plan, down };
}

/** The connection of one till in one tab. It knows whether it is up, which top-ups wait, and when to try again. */
export function openConnection(tillId: string, calls: TillCalls) {
  const closing = new AbortController();
  const { signal } = closing;
  const line = openState(signal);
  const channel = new BroadcastChannel(LINE_CHANNEL);
  const changed = async () => {
    await line.count();
    if (!signal.aborted) channel.postMessage("changed");
  };
  const { attempt, plan, down } = openSender(line, tillId, calls, changed, signal);
  const online = () => {
    plan.succeeded();
    void attempt();
  };
  window.addEventListener("online", online, { signal });
  window.addEventListener("offline", down, { signal });
  const shown = () => {
    if (document.visibilityState === "visible") void attempt();
  };
  document.addEventListener("visibilitychange", shown, { signal });
  channel.addEventListener("message", () => void line.count().catch(() => undefined));
  // The browser then keeps unsent top-ups when the disk is full. It may refuse.
  void navigator.storage?.persist?.();
  // Ignore a failure: old customers are not shown, even if they could not be removed.
  void forgetOldCustomers().catch(() => undefined);
  void attempt();

  return {
    state: line.get,
    subscribe: line.subscribe,
    /** Records that a call found no server, and when to ask again. */
    lost: () => {
      if (line.get().up) down();
    },
    answered: () => {
      if (line.get().up) return;
      line.set({ up: true });
      online();
    },
    /** Records that a top-up was kept. Where the store cannot be read, the next attempt counts. */
    kept: async () => {
      await changed().catch(() => undefined);
      if (!plan.isPlanned() || line.get().up) plan.backOff();
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
    outdated: () => line.set({ outdated: true }),
    close: () => {
      closing.abort();
      channel.close();
    },
  };
}
export type TillConnection = ReturnType<typeof openConnection>;

import { LINE_CHANNEL, SYNC_TAG } from "@/lib/tills/model/offline-counter";
import { forgetOldCustomers } from "./customers";
import { openStore, type SettledEntry } from "./store";
import { sendWaiting, type TillCalls } from "./till-calls";
import { saveTillRecord } from "./till-record";

type LineState = {
  /** Whether the server answered last. */
  up: boolean;
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

/** The connection of one till in one tab. It knows whether it is up, which top-ups wait, and when to try again. */
export class TillConnection {
  #state: LineState = { up: navigator.onLine, waiting: 0, unread: [], stuck: null, outdated: false };
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #channel = new BroadcastChannel(LINE_CHANNEL);
  readonly #calls: TillCalls;
  readonly #readRules: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #running = false;
  #again = false;

  constructor(tillId: string, calls: TillCalls) {
    this.#calls = calls;
    this.#readRules = rulesReader(tillId, calls);
    const { signal } = this.#closing;
    window.addEventListener("online", () => this.#retry(), { signal });
    window.addEventListener("offline", () => this.#down(), { signal });
    const shown = () => {
      if (document.visibilityState === "visible") void this.#attempt();
    };
    document.addEventListener("visibilitychange", shown, { signal });
    this.#channel.addEventListener("message", () => void this.#count().catch(() => undefined));
    // The browser then keeps unsent top-ups when the disk is full. It may refuse.
    void navigator.storage?.persist?.();
    // Ignore a failure: old customers are not shown, even if they could not be removed.
    void forgetOldCustomers().catch(() => undefined);
    void this.#attempt();
  }

  readonly state = (): LineState => this.#state;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Records that a call found no server, and when to ask again. */
  lost(): void {
    if (this.#state.up) this.#down();
  }

  answered(): void {
    if (this.#state.up) return;
    this.#set({ up: true });
    this.#retry();
  }

  /** Records that a top-up was kept. Where the store cannot be read, the next attempt counts. */
  async kept(): Promise<void> {
    await this.#changed().catch(() => undefined);
    if (this.#timer === undefined || this.#state.up) this.#backOff();
    await askBackgroundSync().catch(() => undefined);
  }

  /** The cashier has read what went to the owner. What was not accepted is nowhere else, and stays. */
  async read(): Promise<void> {
    const tx = (await openStore()).transaction("settled", "readwrite");
    for (const { unread: _unread, ...entry } of await tx.store.index("unread").getAll(1))
      if (entry.outcome === "inbox") await tx.store.put(entry);
    await tx.done;
    await this.#changed();
  }

  outdated(): void {
    this.#set({ outdated: true });
  }

  close(): void {
    this.#closing.abort();
    this.#cancel();
    this.#channel.close();
  }

  #set(part: Partial<LineState>): void {
    if (this.#closing.signal.aborted) return;
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }

  async #count(): Promise<void> {
    const db = await openStore();
    const [waiting, unread] = await Promise.all([
      db.count("waiting"),
      db.getAllFromIndex("settled", "unread", 1),
    ]);
    this.#set({ waiting, unread });
  }

  async #changed(): Promise<void> {
    await this.#count();
    if (!this.#closing.signal.aborted) this.#channel.postMessage("changed");
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #later(milliseconds: number): void {
    this.#cancel();
    if (!this.#closing.signal.aborted) this.#timer = setTimeout(() => void this.#attempt(), milliseconds);
  }

  #backOff(): void {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
    // So that the tills of a shop do not all return in the same second.
    this.#later(wait * (0.75 + Math.random() / 2));
  }

  #down(): void {
    this.#set({ up: false });
    this.#backOff();
  }

  #up(stuck = this.#state.stuck): void {
    this.#failures = 0;
    this.#set({ up: true, stuck });
  }

  #retry(): void {
    this.#failures = 0;
    void this.#attempt();
  }

  /** Runs one attempt at a time. A call during a run makes it run once more afterwards. */
  async #attempt(): Promise<void> {
    this.#again = true;
    if (this.#running) return;
    this.#running = true;
    while (this.#again) {
      this.#again = false;
      await this.#run();
    }
    this.#running = false;
  }

  async #run(): Promise<void> {
    this.#cancel();
    try {
      await this.#count();
      if (this.#state.waiting > 0) await this.#send();
      else if (!this.#state.up) {
        if (await this.#calls.ping()) this.#up();
        else this.#down();
      }
      if (this.#state.up) await this.#readRules();
      // The owner may have changed what the till may keep.
      if (this.#timer === undefined) this.#later(IDLE_MS);
    } catch {
      // The browser's store failed. Its content stays, and the counter continues with the server alone.
      if (!this.#state.up) this.#set({ up: await this.#calls.ping() });
      this.#backOff();
    }
  }

  async #send(): Promise<void> {
    const result = await sendWaiting(this.#calls.sync, () => {
      this.#up();
      void this.#changed().catch(() => undefined);
    });
    await this.#changed();
    if (result.kind === "lost") this.#down();
    else if (result.kind === "busy") this.#backOff();
    else if (result.kind === "limited") {
      this.#set({ up: true });
      this.#later(Math.max(1, result.seconds) * 1000);
    } else {
      const stuck = result.kind === "sent" ? null : result.kind;
      this.#up(stuck);
      if (stuck) this.#later(LONGEST_WAIT_MS);
    }
  }
}

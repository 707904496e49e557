import { RecentMap } from "@/lib/observe/once";

/** Reads that run at once: with one, a slow answer would hold up everybody. */
const IN_FLIGHT = 2;
const MOST_KEYS = 200;

/**
 * A function that reads one row by its key. Keys asked for while reads are in flight share the next one, so that no answer is
 * older than its question. `read` must wait for no lock; an error of it is thrown to all who share it.
 */
export function readTogether<Row>(
  read: (keys: string[]) => Promise<Map<string, Row>>,
): (key: string) => Promise<Row | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<Row | undefined>>();
  let inFlight = 0;

  async function send(): Promise<void> {
    if (inFlight === IN_FLIGHT || waiting.size === 0) return;
    const batch = [...waiting].slice(0, MOST_KEYS);
    for (const [key] of batch) waiting.delete(key);
    inFlight++;
    try {
      const rows = await read(batch.map(([key]) => key));
      for (const [key, { resolve }] of batch) resolve(rows.get(key));
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
    inFlight--;
    void send();
  }
  return (key) => {
    const asked = waiting.get(key) ?? Promise.withResolvers<Row | undefined>();
    waiting.set(key, asked);
    void send();
    return asked.promise;
  };
}

const REMEMBERED_MS = 5_000;
/** Milliseconds after which, without a sign that announcements arrive, nothing is remembered. */
const HEARD_MS = 1_000;
const MOST_SESSIONS = 10_000;

export type Remembered = { sessionId: string; userId: string; merchantId: string | null };
/** Maps the subject of an announcement (trigger announce_session_change) to a field of the session. */
const SUBJECTS = { session: "sessionId", user: "userId", merchant: "merchantId" } as const;

/**
 * Sessions that this process read in the last five seconds. It answers only while it is sure that a change announced more
 * than a second ago was heard (`heardUntil`, by lib/accounts/session-listener.ts), and never what was read before a change.
 */
export class SessionMemory<Row extends Remembered> {
  private readonly entries = new RecentMap<string, { row: Row; readAt: number }>(MOST_SESSIONS);
  /** Counts announcements: what was being read while one arrived may be older than it. */
  private version = 0;
  private heard = Number.NEGATIVE_INFINITY;

  /** `now` is the clock of `heardUntil`, in milliseconds. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** The session of this key, read less than five seconds ago; undefined if it must be read. */
  find(key: string): Row | undefined {
    const now = this.now();
    if (now - this.heard > HEARD_MS) return undefined;
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (now - entry.readAt <= REMEMBERED_MS) return entry.row;
    this.entries.delete(key);
    return undefined;
  }

  /** Call it before a session is read, and the answer with what was read. */
  reading(): (key: string, row: Row) => void {
    const { version } = this;
    const readAt = this.now();
    return (key, row) => {
      if (version === this.version && readAt - this.heard <= HEARD_MS) this.entries.set(key, { row, readAt });
    };
  }

  /** Forgets the sessions that an announcement is about: all of them if it is not understood. */
  forget(announcement: string): void {
    this.version += 1;
    const [subject = "", id = ""] = announcement.split(":");
    const field = Object.hasOwn(SUBJECTS, subject) ? SUBJECTS[subject as keyof typeof SUBJECTS] : undefined;
    for (const [key, { row }] of this.entries) {
      if (!field || row[field] === id) this.entries.delete(key);
    }
  }

  /** Every change announced before this moment of the clock was heard. */
  heardUntil(moment: number): void {
    this.heard = moment;
  }

  /** Announcements may have been missed. */
  forgetAll(): void {
    this.heard = Number.NEGATIVE_INFINITY;
    this.version += 1;
    this.entries.clear();
  }

  get size(): number {
    return this.entries.size;
  }
}

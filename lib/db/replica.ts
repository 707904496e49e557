import { Pool } from "pg";
import type { Actor } from "@/lib/domain/actor";
import { readUrl } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import { oncePerProcess } from "@/lib/observe/once";
import { type ClientSettings, createDb, type Db, settingsOf } from "./client";
import { isDatabaseUnavailable, QUERY_CANCELED, sqlState } from "./faults";

/** A replica that is further behind is not read. */
const MOST_LAG_MS = 1_000;
const CHECK_MS = 250;
const PATIENCE_MS = 1_000;
/** Positions of the primary that are remembered: as many as a lag of a second can have. */
const MARKS = 8;

const WRITTEN = "select pg_current_wal_flush_lsn() - '0/0' as at";
// Without a receiver it follows no primary: it may be a former one, whose positions mean nothing.
const REPLAYED = `select pg_last_wal_replay_lsn() - '0/0' as at
  where pg_is_in_recovery() and exists (select from pg_stat_wal_receiver)`;

const READ_ONLY = "25006";

const positionOf = (rows: { at: string }[]): number => Number(rows[0]?.at ?? Number.NaN);

const probe = (connectionString: string): Pool =>
  new Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    allowExitOnIdle: true,
    application_name: "wallet replica",
  }).on("error", () => {});

/**
 * A client of a streaming standby, and the proof that it is less than a second behind: it has replayed a position that the
 * primary had then. The proof needs no write, no right to see statistics, and no clock of the other machines.
 */
class Replica {
  readonly db: Db;
  private readonly probes: { primary: Pool; replica: Pool };
  private marks: { position: number; since: number }[] = [];
  private provenAt = Number.NEGATIVE_INFINITY;
  private isKnownAway = false;
  private timer: NodeJS.Timeout | undefined;
  private hasEnded = false;
  private checking: Promise<void>;
  readonly known: Promise<void>;

  constructor(primary: ClientSettings, url: string) {
    const { max, statements } = primary;
    this.db = createDb(url, max, { statements, server: "replica" });
    this.probes = { primary: probe(primary.url), replica: probe(url) };
    this.checking = this.keepChecking();
    this.known = this.checking;
  }

  private async keepChecking(): Promise<void> {
    await this.check();
    if (this.hasEnded) return;
    this.timer = setTimeout(() => {
      this.checking = this.keepChecking();
    }, CHECK_MS);
    this.timer.unref();
  }

  private async check(): Promise<void> {
    try {
      const since = performance.now();
      const written = await this.probes.primary.query<{ at: string }>(WRITTEN);
      this.marks = [...this.marks, { position: positionOf(written.rows), since }].slice(-MARKS);
      const { rows } = await this.probes.replica.query<{ at: string }>(REPLAYED);
      if (rows.length === 0) throw new Error("it follows no primary");
      const replayed = positionOf(rows);
      const proof = this.marks.findLast(({ position }) => position <= replayed);
      if (proof) this.provenAt = proof.since;
      if (this.isFresh()) this.isKnownAway = false;
      else this.tellAway(new Error("it is more than a second behind"));
    } catch (error) {
      this.provenAt = Number.NEGATIVE_INFINITY;
      this.tellAway(error);
    }
  }

  private tellAway(error: unknown): void {
    if (!this.isKnownAway) log("warn", "the replica is not read", { error });
    this.isKnownAway = true;
  }

  isFresh(): boolean {
    return performance.now() - this.provenAt <= MOST_LAG_MS;
  }

  async checked(): Promise<void> {
    await this.checking;
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    clearTimeout(this.timer);
    await this.checking;
    await Promise.all([this.db.$disconnect(), this.probes.primary.end(), this.probes.replica.end()]);
  }
}

const replicas = oncePerProcess("replicas", () => new WeakMap<Db, Replica>());
const primaries = oncePerProcess("primaries", () => new WeakMap<Db, Db>());

/** The client that writes beside this one, which may be a replica's. */
export const primaryOf = (db: Db): Db => primaries.get(db) ?? db;

/** The replica beside a client of the primary, watched from its first use on. A transaction has none, nor a double of a test. */
function replicaOf(primary: Db): Replica | undefined {
  const [url, settings] = [readUrl(), settingsOf(primary)];
  if (!url || !settings || primaries.has(primary)) return undefined;
  const known = replicas.get(primary);
  if (known) return known;
  const made = new Replica(settings, url);
  replicas.set(primary, made);
  primaries.set(made.db, primary);
  return made;
}

/** Ends the connections to the replica, if there are any. Call it before its database goes. */
export async function endReplica(db: Db): Promise<void> {
  const made = replicas.get(db);
  replicas.delete(db);
  await made?.end();
}

/** The standby cancelled the statement for its replay, or is gone. A time limit of the statement says nothing of it. */
const isLostOnReplica = (error: unknown): boolean =>
  isDatabaseUnavailable(error) && sqlState(error) !== QUERY_CANCELED;

/** Reads a part of an export where it began, or on the primary if the replica breaks off. Throws what `read` throws. */
export async function readPart<Ctx extends { db: Db }, T>(
  ctx: Ctx,
  read: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  if (!primaries.has(ctx.db)) return read(ctx);
  try {
    const answer = await read(ctx);
    metrics().reads.inc({ server: "replica" });
    return answer;
  } catch (error) {
    if (!isLostOnReplica(error)) throw error;
    if (sqlState(error) === READ_ONLY) log("error", "an operation that may lag writes", { error });
    metrics().reads.inc({ server: "primary" });
    return read({ ...ctx, db: primaryOf(ctx.db) });
  }
}

/**
 * Reads from the replica where there is one that is at most a second behind, and the actor wrote nothing in the last five
 * seconds; otherwise from the primary. A read that the replica breaks off is repeated once on the primary, so `read` must
 * change nothing. Throws what `read` throws.
 */
export async function readLagging<Ctx extends { db: Db; actor: Actor | null }, T>(
  ctx: Ctx,
  read: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  if (primaries.has(ctx.db)) return readPart(ctx, read);
  const replica = replicaOf(ctx.db);
  if (!replica) return read(ctx);
  // Otherwise the first read of a process never reads it, and an export stays on the server that it began on.
  await replica.known;
  // The writes of a session are noted in it (lib/accounts/session.ts); those of other actors may be missing on a replica.
  const { actor }: { actor: Actor | null } = ctx;
  const hasOwnWrites = actor?.type === "user" && actor.wroteLately !== true;
  if (replica.isFresh() && hasOwnWrites) return readPart({ ...ctx, db: replica.db }, read);
  metrics().reads.inc({ server: "primary" });
  return read(ctx);
}

/** The same for the program's own commands and jobs, which first wait until it is known how far the replica is. */
export async function readLaggingAsProgram<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  const replica = replicaOf(db);
  await replica?.checked();
  if (!replica?.isFresh()) return read(db);
  return readPart({ db: replica.db }, (ctx) => read(ctx.db));
}

import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { log } from "@/lib/observe/log";

const HEARTBEAT_MS = 2_500;
/** Seconds without a heartbeat after which a process counts as dead and others take over its work. */
const DEAD_AFTER_SECONDS = 15;

/** This process in background_workers. What it claimed stays its own while its heartbeat shows it alive. */
export class Presence {
  readonly id = randomUUID();
  private jobPool: string | null = null;
  private lastBeat = 0;
  private beating: Promise<void> | undefined;

  // The pool of the job queue, because the pool of the requests may be busy for longer than DEAD_AFTER_SECONDS.
  private constructor(private readonly pool: Pool) {}

  /** Registers this process during `work`, which releases its claims. Throws what `work` and Postgres do. */
  static async during(pool: Pool, work: (presence: Presence) => Promise<void>): Promise<void> {
    const presence = new Presence(pool);
    await presence.beat();
    const timer = setInterval(() => presence.tick(), HEARTBEAT_MS).unref();
    try {
      await work(presence);
    } finally {
      clearInterval(timer);
      await presence.beating;
      await pool.query("delete from background_workers where id = $1", [presence.id]);
    }
  }

  /** Sets the name of this process's pool of graphile-worker, which the queue stores with each job it runs. */
  setJobPool(name: string): void {
    this.jobPool = name;
    this.tick();
  }

  /** Unlocks the jobs of this process's pool after it ended, since a pool that crashed leaves them locked. */
  async freeOwnJobs(): Promise<void> {
    if (this.jobPool) await this.pool.query("select free_jobs_of(array[$1::text])", [this.jobPool]);
  }

  private async beat(): Promise<void> {
    await this.pool.query(
      `insert into background_workers (id, job_pool) values ($1, $2)
      on conflict (id) do update set job_pool = excluded.job_pool, seen_at = now()`,
      [this.id, this.jobPool],
    );
    this.lastBeat = Date.now();
  }

  private tick(): void {
    this.beating ??= this.beatAndTakeOver()
      .catch((error: unknown) => {
        log("error", "jobs", { error });
      })
      .finally(() => {
        this.beating = undefined;
      });
  }

  private async beatAndTakeOver(): Promise<void> {
    // After a pause (database down, machine asleep) the other processes get time for their own heartbeat first.
    const wasAway = Date.now() - this.lastBeat > 3 * HEARTBEAT_MS;
    await this.beat();
    if (!wasAway) await takeOverFromDead(this.pool);
  }
}

/** Makes the work of dead processes due again; a heartbeat calls it, so at most 20 seconds after a death. */
export async function takeOverFromDead(pool: Pool): Promise<void> {
  await pool.query("select take_over_from_dead($1 * interval '1 second')", [DEAD_AFTER_SECONDS]);
}

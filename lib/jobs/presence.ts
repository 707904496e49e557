import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { redactEmails } from "@/lib/domain/contact";

/** Milliseconds between two signs of life. */
const BEAT_MS = 2_500;
/** Seconds without a sign of life after which a process counts as dead: its work is free for the others. */
const DEAD_AFTER = 15;

/**
 * A process that does background work, as the others see it: a row that says when it was last alive. While it is, what
 * it claimed is its own; when it is not, whoever notices first takes that over.
 */
export class Presence {
  readonly id = randomUUID();
  private jobPool: string | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastBeat = 0;
  private beating: Promise<void> | undefined;

  // The job queue's pool: the one of the requests may be busy for longer than a process may be silent.
  private constructor(private readonly pool: Pool) {}

  /** Says that this process is alive from now on. Throws when the database cannot be reached. */
  static async start(pool: Pool): Promise<Presence> {
    const presence = new Presence(pool);
    await presence.beat();
    presence.timer = setInterval(() => presence.tick(), BEAT_MS);
    presence.timer.unref();
    return presence;
  }

  /** The job queue's pool of workers in this process: its name is what the queue writes beside a job that it runs. */
  setJobPool(name: string): void {
    this.jobPool = name;
    this.tick();
  }

  /** Frees the jobs of this process's pool of workers, which has ended: where it broke off they would stay locked. */
  async freeOwnJobs(): Promise<void> {
    if (this.jobPool) await this.pool.query("select free_jobs_of(array[$1::text])", [this.jobPool]);
  }

  /** Signs off. What was claimed must be given back or done by then. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beating;
    await this.pool.query("delete from background_workers where id = $1", [this.id]);
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
    this.beating ??= this.beatAndLook()
      .catch((error: unknown) => {
        console.error("jobs:", redactEmails(error instanceof Error ? error.message : String(error)));
      })
      .finally(() => {
        this.beating = undefined;
      });
  }

  private async beatAndLook(): Promise<void> {
    // Whoever was away (the database stopped, the machine slept) lets the others say first that they are alive.
    const wasAway = Date.now() - this.lastBeat > 3 * BEAT_MS;
    await this.beat();
    if (!wasAway) await takeOverFromDead(this.pool);
  }
}

/**
 * Frees what dead processes held: e-mails they had claimed and jobs they ran are due again. Every process that does
 * background work calls it at each sign of life, so that it is done 20 seconds after a death at the latest.
 */
export async function takeOverFromDead(pool: Pool): Promise<void> {
  await pool.query("select take_over_from_dead($1 * interval '1 second')", [DEAD_AFTER]);
}

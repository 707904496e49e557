type Window = { used: number; until: number };

/**
 * Counts in fixed windows, in this process only: for the edge, where the rate limiter's library does not run.
 * `points` a `seconds` window for each key; what is over is forgotten, so it holds one window's callers at most.
 */
export class WindowCounter {
  private readonly windows = new Map<string, Window>();
  private sweepAt = 0;

  constructor(
    private readonly points: number,
    private readonly seconds: number,
  ) {}

  /** Counts one. Answers null within the limit, else the whole seconds to wait. `now` in milliseconds. */
  hit(key: string, now: number): number | null {
    if (now >= this.sweepAt) {
      for (const [known, window] of this.windows) if (window.until <= now) this.windows.delete(known);
      this.sweepAt = now + this.seconds * 1000;
    }
    const found = this.windows.get(key);
    const window = found && found.until > now ? found : { used: 0, until: now + this.seconds * 1000 };
    window.used++;
    this.windows.set(key, window);
    return window.used > this.points ? Math.ceil((window.until - now) / 1000) : null;
  }
}

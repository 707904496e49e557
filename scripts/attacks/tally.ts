/** Counts the tries of an attack, and lists those that the program did not hold. */
export class Tally {
  tries = 0;
  readonly broken: string[] = [];

  /** Counts a try. `held`: the program refused it, or did nothing that it should not. */
  try(held: boolean, what: string): void {
    this.tries += 1;
    if (!held) this.broken.push(what);
  }

  /** Counts a try that must be answered with one of these statuses. */
  status(found: number, wanted: number[], what: string): void {
    this.try(wanted.includes(found), `${what}: ${found}, not ${wanted.join(" or ")}`);
  }

  /** Something that must work, so that a refusal next to it says something. Not a try. */
  works(worked: boolean, what: string): void {
    if (!worked) this.broken.push(`${what} does not work, so the attack proves nothing`);
  }
}

/** One row of the table. */
export type Attack = {
  name: string;
  /** `handlers` may run without a built server, on the route handlers of this process. */
  needs: "handlers" | "server";
  run(tally: Tally): Promise<void>;
};

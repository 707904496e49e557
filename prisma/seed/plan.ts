import { qatarDay, qatarMidnight } from "@/lib/domain/time";
import type { House } from "./people";

const DAYS = 60;
const DAY = 86_400_000;

/** A movement as the shop's days bring it; staff and branch are indexes into the house. */
export type Planned = {
  key: string;
  type: "TOP_UP" | "REDEEM";
  customer: number;
  branch: number;
  /** -1 is the owner. */
  staff: number;
  points: number;
  at: Date;
  /** The staff saw the mistake at once. */
  undone: boolean;
};

/** Numbers from 0 to 1 that are the same at every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(list: readonly T[], next: () => number): T => list[Math.floor(next() * list.length)] as T;

/** The days a customer's card is old when the demo starts: most are older than the 60 days, a few joined lately. */
export function cardAge(customer: number): number {
  return customer % 6 === 5 ? 4 + ((customer * 7) % 50) : 70 + ((customer * 37) % 200);
}

/** Whether the customer comes nearly every day, now and then, or hardly ever. */
const habit = (customer: number): number => [4, 1, 2, 3, 1][customer % 5] ?? 1;

/** Fridays and Saturdays are the weekend; Thursday evening begins it. */
const busyness = (weekday: number): number => [1, 0.9, 0.9, 1, 1.4, 1.6, 1.3][weekday] ?? 1;

const minutesOfDay = (next: () => number): number => {
  // Two rushes: the morning's and the evening's.
  const centre = next() < 0.4 ? 9 * 60 : 19 * 60;
  return Math.round(Math.min(22.9 * 60, Math.max(7 * 60, centre + (next() + next() - 1) * 210)));
};

/**
 * Sixty days at a house's counters up to `now`, in order of time; no balance ever falls below 0 or past 5,000.
 * The same at every run but for the dates, so that a repeated seed meets its own idempotency keys.
 */
export function planOf(house: House, now: Date, seed: number): Planned[] {
  const next = random(seed);
  const balances = house.customers.map(() => 0);
  const planned: Planned[] = [];
  const midnight = qatarMidnight(now).getTime();
  for (let back = DAYS - 1; back >= 0; back--) {
    const dawn = midnight - back * DAY;
    const visits = Math.round((9 + next() * 6) * busyness(new Date(qatarDay(new Date(dawn))).getUTCDay()));
    const minutes = Array.from({ length: visits }, () => minutesOfDay(next)).sort((a, b) => a - b);
    const regulars = house.customers.flatMap((_, index) =>
      cardAge(index) > back + 1 ? Array<number>(habit(index)).fill(index) : [],
    );
    for (const [nth, minute] of minutes.entries()) {
      const at = new Date(dawn + minute * 60_000 + Math.floor(next() * 60) * 1000);
      const visit = { ...oneVisit(house, pick(regulars, next), balances, next), at };
      // The key counts the days from the first, so it names the same visit whenever the seed runs.
      if (at < now) planned.push({ ...visit, key: `demo-${house.key}-${DAYS - back}-${nth}` });
    }
  }
  return planned;
}

function oneVisit(
  house: House,
  customer: number,
  balances: number[],
  next: () => number,
): Omit<Planned, "at" | "key"> {
  const balance = balances[customer] ?? 0;
  const wanted = pick(house.purchases, next);
  const topsUp = balance < wanted || (balance < 260 && next() < 0.4);
  const points = topsUp ? pick(house.topUps, next) : wanted;
  const undone = next() < 0.02;
  if (!undone) balances[customer] = balance + (topsUp ? points : -points);
  const branch = next() < 0.62 ? 0 : 1;
  const served = house.workers.findIndex((worker) => worker.branch === branch);
  const staff = next() < 0.1 ? -1 : served;
  return { type: topsUp ? "TOP_UP" : "REDEEM", customer, branch, staff, points, undone };
}

import { qatarDay, qatarMidnight } from "@/lib/domain/time";
import type { Tender } from "@/lib/ledger/model/tender";
import type { DemoMerchant } from "./people";

const DAYS = 60;
const DAY = 86_400_000;

/** A planned movement. Customer, staff and branch are indexes into the demo merchant. */
export type PlannedVisit = {
  key: string;
  type: "TOP_UP" | "REDEEM" | "BONUS";
  customer: number;
  branch: number;
  /** -1 is the owner. */
  staff: number;
  points: number;
  at: Date;
  /** Whether the staff undo it immediately, as a mistake. */
  undone: boolean;
  /** How many points of a redemption the owner refunds a little later. */
  refunded?: number;
  tender?: Tender;
  saleRef?: string;
  /** Why a bonus was given, and when it ends (exclusive; absent: never). */
  reason?: string;
  endsAt?: Date;
};

/** A generator of numbers from 0 to 1 that are the same in every run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(list: readonly T[], next: () => number): T => list[Math.floor(next() * list.length)] as T;

/** The age of a customer's card in days: most are older than the 60 days, some are newer. */
export function cardAge(customer: number): number {
  return customer % 6 === 5 ? 4 + ((customer * 7) % 50) : 70 + ((customer * 37) % 200);
}

const visitWeight = (customer: number): number => [4, 1, 2, 3, 1][customer % 5] ?? 1;

/** The relative number of visits on a weekday. The weekend is Friday and Saturday and begins on Thursday evening. */
const weekdayFactor = (weekday: number): number => [1, 0.9, 0.9, 1, 1.4, 1.6, 1.3][weekday] ?? 1;

const minutesOfDay = (next: () => number): number => {
  // Two peaks: morning and evening.
  const centre = next() < 0.4 ? 9 * 60 : 19 * 60;
  return Math.round(Math.min(22.9 * 60, Math.max(7 * 60, centre + (next() + next() - 1) * 210)));
};

/** Given on each of these days, `daysAgo`, to a few customers. A bonus that is not used in time ends. */
const BONUSES = [
  { daysAgo: 45, customers: [1, 4, 6, 9, 13], points: 60, days: 7, reason: "Weekend offer" },
  { daysAgo: 30, customers: [0, 2, 7], points: 25, days: null, reason: "Loyal customer" },
  { daysAgo: 3, customers: [2, 4, 10], points: 90, days: null, reason: "Birthday" },
  { daysAgo: 2, customers: [0, 3, 8, 12], points: 75, days: 21, reason: "Thank you" },
] as const;

/** The bonuses of a day, before the shop opens. They are not in the plan's balances, so these are never too high. */
function planBonuses(demo: DemoMerchant, daysAgo: number, dayStart: number): PlannedVisit[] {
  return BONUSES.filter((bonus) => bonus.daysAgo === daysAgo).flatMap(({ customers, points, days, reason }) =>
    customers.map((customer) => ({
      key: `demo-${demo.key}-bonus-${daysAgo}-${customer}`,
      type: "BONUS" as const,
      undone: false,
      customer,
      branch: 0,
      staff: -1,
      points,
      reason,
      at: new Date(dayStart + 6.5 * 3_600_000),
      endsAt: days === null ? undefined : new Date(dayStart + days * DAY),
    })),
  );
}

/** How the `nth` top-up was paid for: most in cash, some by card, few otherwise. */
const TENDER_OF: readonly Tender[] = [
  ...(["cash", "card", "cash", "cash", "card", "online", "cash", "card", "bank", "cash", "other"] as const),
];

/** Adds bill numbers, tenders and refunds by the place in the plan, so that the visits themselves stay as they are. */
function withSales(visits: readonly PlannedVisit[]): PlannedVisit[] {
  return visits.map((visit, nth) => {
    if (visit.type === "BONUS") return visit;
    const saleRef = nth % 10 < 7 ? `B-${10_400 + nth}` : undefined;
    if (visit.type === "TOP_UP") return { ...visit, saleRef, tender: TENDER_OF[nth % TENDER_OF.length] };
    const refunded = nth % 67 === 11 && !visit.undone ? Math.ceil(visit.points / 2) : undefined;
    return { ...visit, saleRef, refunded };
  });
}

/** Plans 60 days up to `now`, balances from 0 to 5,000. Only dates differ between runs; keys do not. */
export function planVisits(demo: DemoMerchant, now: Date, seed: number): PlannedVisit[] {
  const next = seededRandom(seed);
  const balances = demo.customers.map(() => 0);
  const planned: PlannedVisit[] = [];
  const midnight = qatarMidnight(now).getTime();
  for (let daysAgo = DAYS - 1; daysAgo >= 0; daysAgo--) {
    const dayStart = midnight - daysAgo * DAY;
    const visits = Math.round(
      (9 + next() * 6) * weekdayFactor(new Date(qatarDay(new Date(dayStart))).getUTCDay()),
    );
    const minutes = Array.from({ length: visits }, () => minutesOfDay(next)).sort((a, b) => a - b);
    const regulars = demo.customers.flatMap((_, index) =>
      cardAge(index) > daysAgo + 1 ? Array<number>(visitWeight(index)).fill(index) : [],
    );
    planned.push(...planBonuses(demo, daysAgo, dayStart));
    for (const [nth, minute] of minutes.entries()) {
      const at = new Date(dayStart + minute * 60_000 + Math.floor(next() * 60) * 1000);
      const visit = { ...planVisit(demo, pick(regulars, next), balances, next), at };
      // The key counts the days from the first one, so it names the same visit in every run.
      if (at < now) planned.push({ ...visit, key: `demo-${demo.key}-${DAYS - daysAgo}-${nth}` });
    }
  }
  return withSales(planned);
}

function planVisit(
  demo: DemoMerchant,
  customer: number,
  balances: number[],
  next: () => number,
): Omit<PlannedVisit, "at" | "key"> {
  const balance = balances[customer] ?? 0;
  const purchase = pick(demo.purchases, next);
  const topsUp = balance < purchase || (balance < 260 && next() < 0.4);
  const points = topsUp ? pick(demo.topUps, next) : purchase;
  const undone = next() < 0.02;
  if (!undone) balances[customer] = balance + (topsUp ? points : -points);
  const branch = next() < 0.62 ? 0 : 1;
  const worker = demo.workers.findIndex((candidate) => candidate.branch === branch);
  const staff = next() < 0.1 ? -1 : worker;
  return { type: topsUp ? "TOP_UP" : "REDEEM", customer, branch, staff, points, undone };
}

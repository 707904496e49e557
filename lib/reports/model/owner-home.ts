import type { BranchRef } from "@/lib/domain/localized-names";
import { addDays, dayStart, lastDays, monthStart, qatarDay, weekStart } from "@/lib/domain/time";

export const HOME_PERIODS = ["today", "yesterday", "thisWeek", "week", "month", "custom"] as const;
export type HomePeriod = (typeof HOME_PERIODS)[number];

/** The query of the owner's home. `from` and `to` (Asia/Qatar, both included) are for the custom period. */
export type OwnerHomeQuery = { period?: HomePeriod; from?: string; to?: string; branchId?: string };

/** Days in Asia/Qatar, both included. With `until`, the last day counts up to that moment only. */
export type PeriodSpan = { from: string; to: string; until: Date | null };
export type HomeSpans = {
  period: HomePeriod;
  now: PeriodSpan;
  /** As many days before, ending at the same hour. */
  before: PeriodSpan;
};

const MOST_DAYS = 366;
const WEEK = 7;
const daysBetween = (from: string, to: string) =>
  Math.round((dayStart(to).getTime() - dayStart(from).getTime()) / 86_400_000);

/** The same day of the month before, or that month's last day. */
function monthBefore(day: string): string {
  const lastOfBefore = addDays(monthStart(day), -1);
  const same = `${lastOfBefore.slice(0, 8)}${day.slice(8)}`;
  return same < lastOfBefore ? same : lastOfBefore;
}

/** The days of a custom period: at most a year, none in the future, and today where one is missing. */
function customDays({ from, to }: OwnerHomeQuery, today: string): { from: string; to: string } {
  const last = to === undefined || to > today ? today : to;
  const first = from === undefined || from > last ? last : from;
  const earliest = addDays(last, 1 - MOST_DAYS);
  return { from: [first, earliest].sort().at(-1) ?? last, to: last };
}

function daysOf(query: OwnerHomeQuery, period: HomePeriod, today: string): { from: string; to: string } {
  if (period === "yesterday") return { from: addDays(today, -1), to: addDays(today, -1) };
  if (period === "thisWeek") return { from: weekStart(today), to: today };
  if (period === "week") return { from: addDays(today, 1 - WEEK), to: today };
  if (period === "month") return { from: monthStart(today), to: today };
  return period === "custom" ? customDays(query, today) : { from: today, to: today };
}

/**
 * The asked period (today by default) and what it is compared with: the same weekdays of the weeks before, or of a month
 * the same days of the month before. A period that ends today is compared up to the same time of the day.
 */
export function homeSpans(query: OwnerHomeQuery, at: Date): HomeSpans {
  const today = qatarDay(at);
  const period = query.period ?? "today";
  const { from, to } = daysOf(query, period, today);
  const weeks = Math.ceil((daysBetween(from, to) + 1) / WEEK) * WEEK;
  const before =
    period === "month"
      ? { from: monthBefore(from), to: monthBefore(to) }
      : { from: addDays(from, -weeks), to: addDays(to, -weeks) };
  const sinceMidnight = at.getTime() - dayStart(today).getTime();
  const until = to === today ? new Date(dayStart(before.to).getTime() + sinceMidnight) : null;
  return { period, now: { from, to, until: null }, before: { ...before, until } };
}

const CHART_DAYS = 30;
const MOST_CHART_DAYS = 92;

/** The days of the chart, oldest first: they end with the period, and begin with it if it is longer than thirty days. */
export function chartDays({ from, to }: PeriodSpan): string[] {
  const asked = daysBetween(from, to) + 1;
  return lastDays(to, Math.min(Math.max(asked, CHART_DAYS), MOST_CHART_DAYS));
}

/** The money of a period, in dirhams and in points, net of what was undone; and how many movements, except reversals. */
export type MoneyFigures = {
  taken: number;
  /** The part of `taken` that was paid in cash. */
  cash: number;
  redeemed: number;
  takenPoints: number;
  redeemedPoints: number;
  topUps: number;
  redeems: number;
};
/** A day of a chart, with what it draws: a browser gets each field of each day. */
export type MoneyDay = Omit<MoneyFigures, "cash" | "topUps" | "redeems"> & { day: string };

export type HomeBranch = {
  /** Null for what was posted at no branch. */
  branch: BranchRef | null;
  now: MoneyFigures;
  before: MoneyFigures;
  /** The money taken on each day of the chart, in dirhams. */
  days: number[];
};

/** The steps of a new shop's checklist. The checklist is null when every step is done. */
export const HOME_STEPS = ["image", "branch", "worker", "poster", "topUp"] as const;
export type HomeStep = (typeof HOME_STEPS)[number];
export type Checklist = Record<HomeStep, boolean>;

export type OwnerHome = {
  spans: HomeSpans;
  now: MoneyFigures;
  before: MoneyFigures;
  /** The open branches and those with figures, most money first. */
  branches: HomeBranch[];
  /** The days of chartDays. */
  days: MoneyDay[];
  owed: { points: number; cashValue: string };
  checklist: Checklist | null;
};

import type { Result } from "./report";

/** Where a figure is measured. */
type Command =
  | "bench"
  | "bench:growth"
  | "bench:jobs"
  | "bench:storage"
  | "bench:web"
  | "test"
  | "test:failover"
  | "test:faults";

/** A row of what the product must carry, with its bound. `ratio` and `row` say where `npm run bench` finds the figure. */
type Budget = {
  what: string;
  unit: string;
  by: Command;
  most?: number;
  least?: number;
  ratio?: string;
  row?: [name: string, field: "p95" | "p99" | "server"];
};

/** The only place of the bounds. Milliseconds are of a machine with two cores, which the load generator shares. */
const BUDGETS = [
  {
    what: "posting at 50/s beside 20 pages/s",
    unit: "p99 ms",
    by: "bench",
    most: 100,
    row: ["chain: postings", "p99"],
  },
  {
    what: "a page at 20/s beside 50 postings/s",
    unit: "p95 ms",
    by: "bench",
    most: 150,
    row: ["chain: pages", "p95"],
  },
  {
    what: "posting, one client: pgbench's p50 / the API's",
    unit: "×",
    by: "bench",
    least: 0.33,
    ratio: "pgbench p50 / POST top-up p50, one client",
  },
  {
    what: "a top-up's own CPU of the server, 64 clients",
    unit: "ms",
    by: "bench",
    most: 0.83,
    row: ["POST top-up", "server"],
  },
  {
    what: "most postings, 64 clients / best pgbench",
    unit: "×",
    by: "bench",
    least: 0.65,
    ratio: "POST top-up / best pgbench",
  },
  {
    what: "profile / Next's empty handler",
    unit: "×",
    by: "bench",
    least: 3,
    ratio: "GET profile / Next's no-op handler",
  },
  { what: "lists, search, totals, dashboards at 10 M", unit: "p99 ms", by: "bench:growth", most: 50 },
  { what: "the same / at 10,000 movements", unit: "×", by: "bench:growth", most: 2 },
  { what: "Lighthouse: performance on a phone", unit: "score", by: "bench:web", least: 95 },
  { what: "receipts by SMTP beside a loaded server", unit: "a second", by: "bench:jobs", least: 60 },
  { what: "bytes of a movement", unit: "bytes", by: "bench:storage", most: 700 },
  { what: "log of a posting", unit: "kB", by: "bench:storage", most: 6 },
  { what: "writing again after the loss of the primary", unit: "s", by: "test:failover", most: 30 },
  { what: "postings lost or doubled with an app server", unit: "", by: "test:faults", most: 0 },
  { what: "JS of a page, compressed", unit: "kB", by: "test", most: 230 },
] as const satisfies Budget[];

/** The bound of a budget that has one figure of this name. */
export function mostOf(what: (typeof BUDGETS)[number]["what"]): number {
  const found: Budget | undefined = BUDGETS.find((budget) => budget.what === what);
  return found?.most ?? Number.POSITIVE_INFINITY;
}

type Spread = Result["ratios"][string];
type Verdict = { line: string; isMissed: boolean };

const boundOf = ({ most, least }: Budget): string => (most === undefined ? `≥ ${least}` : `≤ ${most}`);

/** How a figure stands to its budget. It is missed where it lies beyond the bound by more than the runs differ. */
function judge(budget: Budget, figure: Spread | undefined): Verdict {
  const cells = [budget.what.padEnd(52), boundOf(budget).padStart(8), budget.unit.padEnd(9)];
  if (budget.by !== "bench") return { line: [...cells, `npm run ${budget.by}`].join("  "), isMissed: false };
  if (!figure) return { line: [...cells, "not measured"].join("  "), isMissed: false };
  const { median, least, most } = figure;
  const over = budget.most === undefined ? (budget.least ?? 0) - median : median - budget.most;
  const shown = median.toPrecision(3).padStart(8);
  return {
    line: [...cells, shown, over > 0 ? "misses" : "holds"].join("  "),
    isMissed: over > most - least,
  };
}

/** Each budget with its figure in the result of this side; `isMissed` counts for --check. */
export function judgeBudgets({ rows, ratios }: Pick<Result, "rows" | "ratios">, side: string): Verdict[] {
  return BUDGETS.map((budget: Budget) => {
    const [name, field] = budget.row ?? [];
    const ofRow = name && field ? rows[side]?.[name]?.[field] : undefined;
    return judge(budget, budget.ratio ? ratios[budget.ratio] : ofRow);
  });
}

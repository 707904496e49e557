import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { projectRoot, runCommand } from "@/scripts/lib/command";
import { seed } from "@/scripts/lib/demo-data";
import { idsOf, launchBrowser, signIn } from "@/scripts/lib/demo-visit";
import { startForTests } from "@/scripts/lib/serve";
import { findChromium } from "@/scripts/lib/tools";
import { startEmptyNext } from "./empty-next";
import { loadOf, whyBusy } from "./machine";

// npm run bench:web: Lighthouse (mobile, simulated slow 4G) on pages of the demo. docs/operate/bench.md says how to read it.

// 170 MB that nobody else needs: npm fetches this version when the command runs.
const LIGHTHOUSE = "lighthouse@13.5.0";
const MOST_TRIES = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const TIMES = {
  LCP: "largest-contentful-paint",
  FCP: "first-contentful-paint",
  TBT: "total-blocking-time",
  CLS: "cumulative-layout-shift",
} as const;

type Category = (typeof CATEGORIES)[number];
type Goals = Partial<Record<Category, number>>;
const PRIVATE: Goals = { performance: 95, accessibility: 100, "best-practices": 100 };
const PUBLIC: Goals = { ...PRIVATE, seo: 100 };
/** `site` is given where the page is not one of the demo's. */
type BenchPage = { name: string; path: string; goals: Goals; email?: string; site?: string };

/** The parts of Lighthouse's report that are read here. */
type Report = {
  finalDisplayedUrl: string;
  runtimeError?: { code: string; message: string };
  environment: { benchmarkIndex: number };
  categories: Record<Category, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
};
type Figures = Record<Category | keyof typeof TIMES | "processor", number>;

/** Runs Lighthouse on an address and answers its report, or what went wrong: on a busy machine a trace may be cut off. */
async function report(url: string, headers: string, file: string): Promise<Report | string> {
  const args = [
    ...["exec", "--yes", `--package=${LIGHTHOUSE}`, "--", "lighthouse", url],
    ...[`--only-categories=${CATEGORIES.join(",")}`, "--output=json", `--output-path=${file}`, "--quiet"],
    ...[`--extra-headers=${headers}`, "--chrome-flags=--headless=new --no-sandbox --disable-gpu"],
  ];
  const run = spawn("npm", args, {
    env: { ...process.env, CHROME_PATH: findChromium() },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  run.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const code = await new Promise((done, fail) => run.on("close", done).on("error", fail));
  if (code !== 0) return `Lighthouse ended with ${code}: ${said}`;
  const found = JSON.parse(readFileSync(file, "utf8")) as Report;
  return found.runtimeError?.message ?? found;
}

/** Measures a page. Throws if the run ended on another one: a redirect to sign-in scores well. */
async function measure(url: string, headers: string, file: string): Promise<Figures> {
  let found: Report | string = "";
  for (let left = MOST_TRIES; left > 0 && typeof found === "string"; left--)
    found = await report(url, headers, file);
  if (typeof found === "string") throw new Error(`${url}: ${found}`);
  const { finalDisplayedUrl, categories, audits, environment } = found;
  if (finalDisplayedUrl !== url)
    throw new Error(`${url} was not measured: the run ended on ${finalDisplayedUrl}`);
  const scores = CATEGORIES.map((name) => [name, Math.round((categories[name].score ?? 0) * 100)]);
  const times = Object.entries(TIMES).map(([name, audit]) => [name, audits[audit]?.numericValue ?? 0]);
  return Object.fromEntries([...scores, ...times, ["processor", environment.benchmarkIndex]]) as Figures;
}

const medianOf = (values: number[]): number =>
  values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** The medians of the runs as a line of the table. */
function lineOf(name: string, figures: Figures): string {
  const cells = [
    ...CATEGORIES.map((category) => String(figures[category])),
    `${(figures.LCP / 1000).toFixed(1)} s`,
    `${(figures.FCP / 1000).toFixed(1)} s`,
    `${Math.round(figures.TBT)} ms`,
    figures.CLS.toFixed(3),
    String(Math.round(figures.processor)),
  ];
  return name.padEnd(18) + cells.map((cell) => cell.padStart(16)).join("");
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [""] },
      runs: { type: "string", default: "3" },
      keep: { type: "string" },
      check: { type: "boolean", default: false },
    },
  });
  const env = await startForTests({ APP_ENV: "demo" });
  Object.assign(process.env, env);
  const { DATABASE_URL: database = "", APP_URL: site = "", DATA_DIR: dataDir = "" } = env;
  await seed(database);
  const ids = await idsOf(database);
  const pages: BenchPage[] = [
    { name: "card", path: `/customer/loyalty-card/${ids.customer}`, goals: PRIVATE },
    { name: "customer sign-up", path: `/customer/signup/${ids.merchantLink}`, goals: PUBLIC },
    { name: "merchant sign-up", path: "/signup", goals: PUBLIC },
    { name: "sign-in", path: "/login", goals: PUBLIC },
    { name: "help", path: "/help", goals: PUBLIC },
    { name: "counter", path: "/employee/topup", goals: PRIVATE, email: "worker@karak.test" },
    // What Next and React cost by themselves on this machine: no page of the demo can be better.
    { name: "Next, one word", path: "/", goals: {}, site: (await startEmptyNext()).base },
  ];
  const chosen = pages.filter(({ name }) => values.only.some((part) => name.includes(part)));

  const reports = resolve(projectRoot, values.keep ?? join(dataDir, "lighthouse"));
  mkdirSync(reports, { recursive: true });
  // Signs in before anything is measured, and gives each page's cookies to Lighthouse as a header.
  const browser = await launchBrowser();
  const headersOf = new Map<BenchPage, string>();
  for (const page of chosen) {
    const context = await browser.newContext({ baseURL: site });
    if (page.email) await signIn(await context.newPage(), page.email);
    const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`);
    const file = join(dataDir, `${page.name}-headers.json`);
    writeFileSync(file, JSON.stringify(cookies.length > 0 ? { Cookie: cookies.join("; ") } : {}));
    headersOf.set(page, file);
    await context.close();
  }
  await browser.close();

  const busy = whyBusy(await loadOf());
  if (busy) console.log(`The machine is busy, and the figures are too: ${busy}`);
  const runs = new Map<BenchPage, Figures[]>(chosen.map((page) => [page, []]));
  // Round by round, so that a busy minute of the machine does not meet all the runs of one page.
  for (let round = 1; round <= Number(values.runs); round++) {
    for (const [page, figures] of runs) {
      const file = join(reports, `${page.name.replaceAll(" ", "-")}-${round}.json`);
      figures.push(await measure(`${page.site ?? site}${page.path}`, headersOf.get(page) ?? "", file));
    }
  }
  const head = [...CATEGORIES, ...Object.keys(TIMES), "processor"].map((cell) => cell.padStart(16)).join("");
  console.log(`\n${"".padEnd(18)}${head}`);
  const missed: string[] = [];
  for (const [{ name, goals }, figures] of runs) {
    const fields = Object.keys(figures[0] ?? {}) as (keyof Figures)[];
    const medians = Object.fromEntries(
      fields.map((field) => [field, medianOf(figures.map((run) => run[field]))]),
    ) as Figures;
    console.log(lineOf(name, medians));
    for (const [category, goal] of Object.entries(goals) as [Category, number][])
      if (medians[category] < goal) missed.push(`${name}: ${category} ${medians[category]} of ${goal}`);
  }
  console.log(
    missed.length > 0 ? `\nBelow the goal: ${missed.join(" · ")}` : "\nEach page reaches its goals.",
  );
  return values.check && missed.length > 0 ? 1 : 0;
});

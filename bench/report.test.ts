import { expect, test } from "vitest";
import { judgeBudgets } from "./budgets";
import { type Run, ratiosOf, rowsOf, worseThan } from "./report";

const run = (rate: number): Run => ({
  rate,
  p50: 1,
  p95: 1.5,
  p99: 2,
  bytes: 10,
  count: 100,
  server: 1,
  postgres: 1,
});
const runs = (rates: Record<string, number[]>) =>
  new Map(Object.entries(rates).map(([name, all]) => [name, all.map(run)]));

test("a ratio is formed within each round, against the best pgbench of that round and the other version", () => {
  const here = runs({
    "POST top-up": [100, 90, 120],
    "pgbench, 1": [50, 50, 50],
    "pgbench, 16": [100, 100, 100],
    "pgbench, 64": [80, 80, 200],
  });
  const ratios = ratiosOf(
    new Map([
      ["here", here],
      ["v1", runs({ "POST top-up": [50, 30, 40] })],
    ]),
    "here",
    "v1",
  );
  expect(ratios["POST top-up / best pgbench"]).toEqual({ median: 0.9, least: 0.6, most: 1 });
  expect(ratios["POST top-up / the same of v1"]).toEqual({ median: 3, least: 2, most: 3 });
  // Rows that were not run have no ratio: the third is of pgbench's p50 and the top-up's p99.
  expect(Object.keys(ratios)).toHaveLength(3);
});

test("a check fails below the recorded median by more than the run's own spread only", () => {
  const recorded = { a: { median: 2, least: 1.9, most: 2.1 } };
  expect(worseThan(recorded, { a: { median: 1.8, least: 1.7, most: 1.95 } })).toEqual([]);
  expect(worseThan(recorded, { a: { median: 1.7, least: 1.65, most: 1.75 } })).toHaveLength(1);
  expect(worseThan(recorded, { b: { median: 0.1, least: 0.1, most: 0.1 } })).toEqual([]);
});

test("a budget is missed where the median lies beyond the bound by more than the runs differ", () => {
  const server = (...all: number[]) =>
    rowsOf(new Map([["here", new Map([["POST top-up", all.map((one) => ({ ...run(1), server: one }))]])]]));
  const ofTopUp = (...all: number[]) =>
    judgeBudgets({ rows: server(...all), ratios: {} }, "here").find(({ line }) => line.includes("own CPU"));
  expect(ofTopUp(0.7, 0.8, 0.81)).toMatchObject({ line: expect.stringContaining("holds"), isMissed: false });
  expect(ofTopUp(0.8, 0.9, 0.95)).toMatchObject({ line: expect.stringContaining("misses"), isMissed: false });
  expect(ofTopUp(1.1, 1.1, 1.15)).toMatchObject({ line: expect.stringContaining("misses"), isMissed: true });
});

test("a budget says which command measures it, or that this run did not", () => {
  const ratios = { "POST top-up / best pgbench": { median: 0.7, least: 0.6, most: 0.8 } };
  const lines = judgeBudgets({ rows: {}, ratios }, "here").map(({ line }) => line.replaceAll(/ +/g, " "));
  expect(lines).toContainEqual("most postings, 64 clients / best pgbench ≥ 0.65 × 0.700 holds");
  expect(lines.filter((line) => line.endsWith("not measured"))).toHaveLength(5);
  expect(lines).toContainEqual("bytes of a movement ≤ 700 bytes npm run bench:storage");
});

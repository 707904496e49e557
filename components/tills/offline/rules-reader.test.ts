import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rulesReader } from "./connection";
import type { TillCalls } from "./till-calls";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));
afterEach(() => vi.useRealTimers());

test("the till's rules and its clock are read once a minute, also where the clock was set back by a day", async () => {
  let asked = 0;
  const rules: TillCalls["rules"] = async () => {
    asked++;
    return { rules: { maxTopUp: 1, maxTotal: 1, nextEntry: 1 }, ahead: 0 };
  };
  const calls: TillCalls = { rules, ping: async () => true, sync: async () => ({ kind: "lost" }) };
  const reader = rulesReader("till", calls);
  // This process has no store for what was read.
  const read = () => reader().catch(() => undefined);
  await read();
  await read();
  expect(asked).toBe(1);
  vi.setSystemTime(Date.now() - 24 * 60 * 60_000);
  vi.advanceTimersByTime(60_000);
  await read();
  expect(asked).toBe(2);
});

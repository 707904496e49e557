import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cachedHits, cacheHits, clearSearchCache } from "./search-cache";
import type { CounterHit } from "./types";

const LAYLA: CounterHit = {
  publicId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
  fullName: "Layla",
  email: null,
  phone: null,
  balance: 5,
  cashValue: "5.00",
  businessName: "Shop",
  businessNameAr: null,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  clearSearchCache();
  vi.useRealTimers();
});

test("the server's hits are kept for a minute, for their session and whatever the case", () => {
  cacheHits("s1", "Lay", { kind: "ok", data: [LAYLA] });
  expect(cachedHits("s1", "lay")).toEqual([LAYLA]);
  expect(cachedHits("s2", "lay")).toBeNull();
  vi.advanceTimersByTime(60_000);
  expect(cachedHits("s1", "lay")).toBeNull();
});

test("what a till found without a connection is not kept: the server may know more", () => {
  cacheHits("s1", "lay", { kind: "ok", data: [], asOf: null });
  expect(cachedHits("s1", "lay")).toBeNull();
});

test("nothing is kept longer by a clock that is set back", () => {
  cacheHits("s1", "lay", { kind: "ok", data: [LAYLA] });
  vi.setSystemTime(Date.now() - 60 * 60_000);
  expect(cachedHits("s1", "lay")).toBeNull();
});

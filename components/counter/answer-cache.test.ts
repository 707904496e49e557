import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearAnswers, foundCustomers } from "./answer-cache";
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
  clearAnswers();
  vi.useRealTimers();
});

test("the server's hits are kept for a minute, for their session and no other", () => {
  foundCustomers.keep("s1", "lay", { kind: "ok", data: [LAYLA] });
  expect(foundCustomers.get("s1", "lay")).toEqual([LAYLA]);
  expect(foundCustomers.get("s2", "lay")).toBeNull();
  vi.advanceTimersByTime(60_000);
  expect(foundCustomers.get("s1", "lay")).toBeNull();
});

test("what a till found without a connection is not kept: the server may know more", () => {
  foundCustomers.keep("s1", "lay", { kind: "ok", data: [], asOf: null });
  expect(foundCustomers.get("s1", "lay")).toBeNull();
});

test("nothing is kept longer by a clock that is set back", () => {
  foundCustomers.keep("s1", "lay", { kind: "ok", data: [LAYLA] });
  vi.setSystemTime(Date.now() - 60 * 60_000);
  expect(foundCustomers.get("s1", "lay")).toBeNull();
});

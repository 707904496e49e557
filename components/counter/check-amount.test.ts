import { expect, test } from "vitest";
import { checkAmount, mostPoints } from "./check-amount";

const limits = { minTopUp: 10, maxTopUp: 5000, maxBalance: 6000, unconfirmed: 50 };

test("an amount is refused before it is sent: of a top-up by the limits, of a redemption by the balance", () => {
  const customer = { balance: 1200, limits };
  const problem = (text: string, mode: "topup" | "redeem") => checkAmount(text, mode, customer).problem;
  expect(checkAmount("٤٨٠٠", "topup", customer)).toEqual({ points: 4800, problem: null });
  expect(problem("4801", "topup")).toBe("full");
  expect(problem("999999", "topup")).toBe("above");
  expect(problem("9", "topup")).toBe("below");
  expect(problem("1.5", "topup")).toBe("whole");
  expect(problem("", "topup")).toBe("required");
  expect(problem("1200", "redeem")).toBeNull();
  expect(problem("1201", "redeem")).toBe("short");
});

test("the most that one posting may be", () => {
  expect(mostPoints("topup", { balance: 0, limits })).toBe(5000);
  expect(mostPoints("topup", { balance: 1200, limits })).toBe(4800);
  // Less room than the smallest top-up counts as none.
  expect(mostPoints("topup", { balance: 5991, limits })).toBe(0);
  expect(mostPoints("topup", { balance: 6001, limits })).toBe(0);
  expect(mostPoints("topup", { balance: 0 })).toBeNull();
  expect(mostPoints("redeem", { balance: 350, limits })).toBe(350);
});

test("what open holds reserve cannot be redeemed, and counts in the largest balance", () => {
  const customer = { balance: 1200, held: 200, limits };
  expect(checkAmount("1000", "redeem", customer).problem).toBeNull();
  expect(checkAmount("1001", "redeem", customer).problem).toBe("short");
  expect(mostPoints("redeem", customer)).toBe(1000);
  expect(mostPoints("topup", customer)).toBe(4800);
});

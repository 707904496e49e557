import { expect, test } from "vitest";
import { earlyAmount } from "./early-amount";

test("digits wait for the customer who is being opened", () => {
  const early = earlyAmount();
  expect(early.take("5")).toBe(false);
  early.wait(true);
  for (const key of ["5", "٠", "x", "Enter"]) early.take(key);
  early.wait(true);
  expect(early.typed()).toBe("5٠");
  early.wait(false);
  expect(early.take("7")).toBe(false);
  expect(early.typed()).toBe("5٠");
});

test("digits for a customer who could not be opened are not of the next one", () => {
  const early = earlyAmount();
  early.wait(true);
  early.take("5");
  early.wait(false);
  early.wait(true);
  early.take("8");
  expect(early.typed()).toBe("8");
});

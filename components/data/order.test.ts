import { expect, it } from "vitest";
import { ariaSort, nextSort } from "./order";

const fallback = "-joined";

it("a column's head sorts up, then down, then as the list is by itself", () => {
  expect(nextSort("name", { current: fallback, fallback })).toBe("name");
  expect(nextSort("name", { current: "name", fallback })).toBe("-name");
  expect(nextSort("name", { current: "-name", fallback })).toBe(fallback);
});

it("the head of the list's own order turns it, and comes back to it from another", () => {
  expect(nextSort("joined", { current: fallback, fallback })).toBe("joined");
  expect(nextSort("joined", { current: "joined", fallback })).toBe(fallback);
  expect(nextSort("joined", { current: "name", fallback })).toBe(fallback);
});

it("only the sorted column says so", () => {
  expect(ariaSort("joined", { current: fallback, fallback })).toBe("descending");
  expect(ariaSort("name", { current: "name", fallback })).toBe("ascending");
  expect(ariaSort("name", { current: fallback, fallback })).toBeUndefined();
  expect(ariaSort(undefined, { current: fallback, fallback })).toBeUndefined();
});

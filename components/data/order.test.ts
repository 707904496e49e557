import { expect, it } from "vitest";
import { ariaSort, nextSort } from "./order";

const fallback = "-joined";

it("a column's header sorts ascending, then descending, then restores the default order", () => {
  expect(nextSort("name", { current: fallback, fallback })).toBe("name");
  expect(nextSort("name", { current: "name", fallback })).toBe("-name");
  expect(nextSort("name", { current: "-name", fallback })).toBe(fallback);
});

it("the header of the default column reverses its order, and restores it from another column", () => {
  expect(nextSort("joined", { current: fallback, fallback })).toBe("joined");
  expect(nextSort("joined", { current: "joined", fallback })).toBe(fallback);
  expect(nextSort("joined", { current: "name", fallback })).toBe(fallback);
});

it("only the sorted column has aria-sort", () => {
  expect(ariaSort("joined", { current: fallback, fallback })).toBe("descending");
  expect(ariaSort("name", { current: "name", fallback })).toBe("ascending");
  expect(ariaSort("name", { current: fallback, fallback })).toBeUndefined();
  expect(ariaSort(undefined, { current: fallback, fallback })).toBeUndefined();
});

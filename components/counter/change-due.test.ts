import { expect, test } from "vitest";
import { changeFor } from "./success-view";

test("the change is named for the notes that cover an amount, and for no exact one", () => {
  expect(changeFor(13_500)).toEqual([
    { given: 140, change: 500 },
    { given: 150, change: 1_500 },
    { given: 200, change: 6_500 },
    { given: 500, change: 36_500 },
  ]);
  expect(changeFor(20_000).map(({ given }) => given)).toEqual([500]);
  expect(changeFor(100_000)).toEqual([]);
  expect(changeFor(1_250)[0]).toEqual({ given: 20, change: 750 });
});

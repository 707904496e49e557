import { expect, test } from "vitest";
import { WindowCounter } from "./window-counter";

test("lets its points through in a window, then says how long to wait, for each key by itself", () => {
  const counter = new WindowCounter(3, 60);
  const answers = [0, 10, 20, 15_000].map((now) => counter.hit("a", now));
  expect(answers).toEqual([null, null, null, 45]);
  expect(counter.hit("b", 15_000)).toBeNull();
  expect(counter.hit("a", 60_000)).toBeNull();
});

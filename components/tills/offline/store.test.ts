import { afterEach, expect, test, vi } from "vitest";
import { countToTell } from "./store";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a store that fails says of no top-up that it waits", async () => {
  const open = () => {
    throw new DOMException("the disk is full", "UnknownError");
  };
  vi.stubGlobal("indexedDB", { open });
  expect(await countToTell()).toBe(0);
});

test("a store that is blocked holds nobody up", async () => {
  class Silent extends EventTarget {}
  vi.stubGlobal("IDBRequest", Silent);
  vi.stubGlobal("indexedDB", { open: () => new Silent() });
  vi.useFakeTimers();
  const count = countToTell();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await count).toBe(0);
});

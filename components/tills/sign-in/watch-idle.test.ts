import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchIdle } from "./watch-idle";

const MINUTES = 3;
const MINUTE = 60_000;

/** A page of the till with this session. `idle` counts how often it asked who is there. */
function page(handle: string) {
  let idle = 0;
  const close = watchIdle(MINUTES, handle, () => {
    idle++;
  });
  return { close, idle: () => idle };
}

beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", new EventTarget());
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a till that nobody touches asks who is there, and one that somebody touches does not", () => {
  const { idle } = page("sara");
  vi.advanceTimersByTime(2 * MINUTE);
  window.dispatchEvent(new Event("keydown"));
  vi.advanceTimersByTime(2 * MINUTE);
  expect(idle()).toBe(0);
  vi.advanceTimersByTime(2 * MINUTE);
  expect(idle()).toBeGreaterThan(0);
});

test("a page that is loaded again after the idle minutes asks at once", () => {
  page("sara").close();
  vi.advanceTimersByTime(5 * 60 * MINUTE);
  expect(page("sara").idle()).toBe(1);
});

test("a page that is loaded again is no touch", () => {
  page("sara").close();
  vi.advanceTimersByTime(2 * MINUTE);
  const { idle } = page("sara");
  expect(idle()).toBe(0);
  vi.advanceTimersByTime(2 * MINUTE);
  expect(idle()).toBeGreaterThan(0);
});

test("a session that has just begun is not idle since the one before", () => {
  page("sara").close();
  vi.advanceTimersByTime(5 * 60 * MINUTE);
  const { idle } = page("omar");
  vi.advanceTimersByTime(2 * MINUTE);
  expect(idle()).toBe(0);
});

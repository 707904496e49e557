import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followTypedCode } from "./typed-code";

const CARD = "https://shop.test/topup/7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A field in which a hardware scanner types; `codes` are those that it reported. */
function field() {
  const codes: string[] = [];
  let text = "";
  const typed = followTypedCode((code) => {
    codes.push(code);
    text = "";
  });
  return {
    codes,
    typed,
    clear: () => {
      text = "";
      typed.change(text);
    },
    type: (keys: string, pause = 10) => {
      for (const key of keys) {
        text += key;
        typed.change(text);
        vi.advanceTimersByTime(pause);
      }
    },
  };
}

test("a code that a scanner types key by key keeps what follows its id", () => {
  const { codes, type } = field();
  const live = `${CARD}?code=59812345.AbC9dEf0GhI1jKl2`;
  type(live);
  vi.advanceTimersByTime(1_000);
  expect(codes).toEqual([live]);
});

test("Enter ends a typed code, and nothing else", () => {
  const { codes, typed, clear, type } = field();
  type("Layla");
  expect(typed.end()).toBe(false);
  clear();
  type(`${CARD}?src=apple`);
  expect(typed.end()).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(codes).toEqual([`${CARD}?src=apple`]);
});

test("a scanner that types some keys at once keeps what follows the id, too", () => {
  const { codes, typed } = field();
  typed.change(`${CARD}?co`);
  vi.advanceTimersByTime(40);
  typed.change(`${CARD}?code=59812345.AbC9dEf0GhI1jKl2`);
  vi.advanceTimersByTime(1_000);
  expect(codes).toEqual([`${CARD}?code=59812345.AbC9dEf0GhI1jKl2`]);
});

test("a code that was erased does not open", () => {
  const { codes, clear, type } = field();
  type(CARD);
  clear();
  vi.advanceTimersByTime(1_000);
  expect(codes).toEqual([]);
});

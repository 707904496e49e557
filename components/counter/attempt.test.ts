import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type Attempt,
  findUnansweredAttempt,
  forgetTyped,
  loadOrCreateAttempt,
  saveAttempt,
} from "./attempt";
import type { CounterCustomer } from "./types";

const SARA = "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19";
const LAYLA = { publicId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57", fullName: "Layla" } as CounterCustomer;
const load = () => loadOrCreateAttempt(SARA, "topup", LAYLA);
const place = { merchantId: "m", branchId: "b" };
const typed = { amount: "75", saleRef: "", tender: null, place };
const sent = { customerId: LAYLA.publicId, points: 75, branchId: "b" };

beforeEach(() => {
  const storage: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, text: string) => {
      storage[key] = text;
    },
    removeItem: (key: string) => {
      delete storage[key];
    },
  }))
    Object.defineProperty(storage, name, { value, enumerable: false });
  vi.stubGlobal("sessionStorage", storage);
});
afterEach(() => vi.unstubAllGlobals());

test("what was typed is read once", () => {
  saveAttempt({ ...load(), typed });
  const found = load();
  expect(found.typed).toEqual(typed);
  forgetTyped(found);
  expect(findUnansweredAttempt(SARA)).toBeNull();
  expect(load().key).not.toBe(found.key);
});

test("what was typed, and then sent without an answer, is repeated with its key by the next load of the page", () => {
  saveAttempt({ ...load(), typed });
  const found = load();
  forgetTyped(found);
  const under: Attempt = { ...found, sent };
  saveAttempt(under);
  // The sheet calls it again for each change of the attempt.
  forgetTyped(under);
  expect(findUnansweredAttempt(SARA)).toMatchObject({ key: found.key, sent });
  expect(load().key).toBe(found.key);
});

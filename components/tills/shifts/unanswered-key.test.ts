import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer } from "@/lib/api/client";
import { sendUnderKey } from "./unanswered-key";

const LOST = { kind: "lost", noAnswer: true } as const;
const REFUSED = { kind: "refused", code: "shift_closed", message: "Closed." } as const;
const DONE = { kind: "ok", data: null } as const;

/** A tab, in which the cashier sends a pay-out each time that the dialog is open; each opening brings a new key. */
function tab() {
  const keys: string[] = [];
  const send = (answer: Answer<null>) =>
    sendUnderKey("pay_out.shift", `key-${keys.length}`, async (key) => {
      keys.push(key);
      return answer;
    });
  return { keys, send };
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("what was sent and not answered has the same key when the dialog is opened again, until an answer comes", async () => {
  const { keys, send } = tab();
  for (const answer of [LOST, { kind: "signedOut", ended: true } as const, DONE, DONE]) await send(answer);
  expect(keys).toEqual(["key-0", "key-0", "key-0", "key-3"]);
});

test("a refusal is an answer", async () => {
  const { keys, send } = tab();
  for (const answer of [LOST, REFUSED, DONE]) await send(answer);
  expect(keys).toEqual(["key-0", "key-0", "key-2"]);
});

test("without storage the dialog's key counts", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  const { keys, send } = tab();
  expect(await send(LOST)).toBe(LOST);
  expect(keys).toEqual(["key-0"]);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer } from "@/lib/api/client";
import { sendUnderKey } from "./idempotency-key";

const LOST = { kind: "lost", noAnswer: true } as const;
const LIMITED = { kind: "refused", code: "rate_limited", message: "Later." } as const;
const REFUSED = { kind: "refused", code: "shift_closed", message: "Closed." } as const;
const DONE = { kind: "ok", data: null } as const;

/** Sends a pay-out once for each answer. Says which of them had the same key, by their order: "0 0 1". */
async function keysOf(...answers: Answer<null>[]): Promise<string> {
  const keys: string[] = [];
  for (const answer of answers)
    await sendUnderKey("pay_out.shift", async (key) => {
      keys.push(key);
      return answer;
    });
  const different = [...new Set(keys)];
  return keys.map((key) => different.indexOf(key)).join(" ");
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
  expect(await keysOf(LOST, { kind: "signedOut", ended: true }, DONE, DONE)).toBe("0 0 0 1");
});

test("a refusal is an answer", async () => {
  expect(await keysOf(LOST, REFUSED, DONE)).toBe("0 0 1");
});

test("a repeat that was too much for the server says nothing of what was sent before", async () => {
  expect(await keysOf(LOST, LIMITED, DONE, DONE)).toBe("0 0 0 1");
});

test("a tab without storage keeps the key until the page is loaded again", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  expect(await keysOf(LOST, DONE, DONE)).toBe("0 0 1");
});

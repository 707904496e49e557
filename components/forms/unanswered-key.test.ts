import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer } from "@/lib/api/client";
import { sendUnderKey } from "./unanswered-key";

const LOST = { kind: "lost", noAnswer: true } as const;
const REFUSED = { kind: "refused", code: "shift_closed", message: "Closed." } as const;
const DONE = { kind: "ok", data: null } as const;

/** Sends a request once for each of these answers. Answers which keys were the same, such as [0, 0, 2]. */
async function keysOf(...answers: Answer<null>[]): Promise<number[]> {
  const keys: string[] = [];
  const request = crypto.randomUUID();
  for (const answer of answers) {
    const taken = await sendUnderKey(request, async (key) => {
      keys.push(key);
      return answer;
    });
    expect(taken).toBe(answer);
  }
  return keys.map((key) => keys.indexOf(key));
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

const OVER = { kind: "signedOut", ended: true } as const;

test("what was sent and not answered has the same key when the dialog is opened again, until an answer comes", async () => {
  expect(await keysOf(LOST, OVER, DONE, DONE)).toEqual([0, 0, 0, 3]);
});

test("a refusal is an answer", async () => {
  expect(await keysOf(LOST, REFUSED, DONE)).toEqual([0, 0, 2]);
});

test("a page that was loaded again has the key from the tab's storage", async () => {
  const request = crypto.randomUUID();
  const keys: string[] = [];
  const lose = async (key: string) => {
    keys.push(key);
    return LOST;
  };
  await sendUnderKey(request, lose);
  vi.resetModules();
  const loaded = await import("./unanswered-key");
  await loaded.sendUnderKey(request, lose);
  expect(keys[1]).toBe(keys[0]);
});

test("without storage the page has the key", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  expect(await keysOf(LOST, LOST, DONE, DONE)).toEqual([0, 0, 0, 3]);
});

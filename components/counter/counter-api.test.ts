import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { counterApi } from "./counter-api";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("an undo without an answer is repeated with its key, by which the server answers what it did", async () => {
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_path: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get("idempotency-key"));
    if (keys.length === 1) throw new TypeError("the connection is lost");
    return Response.json({ code: "already_reversed", message: "Reversed." }, { status: 409 });
  });
  const { undo } = counterApi("handle", "worker");
  const answers = [await undo("m", null), await undo("m", null), await undo("m", null)];
  expect(answers.map(({ kind }) => kind)).toEqual(["lost", "refused", "refused"]);
  const [first, second, third] = keys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

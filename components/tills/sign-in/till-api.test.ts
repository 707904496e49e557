import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newKeys } from "../device/device";
import { readMark, writeMark } from "../device/mark";
import { endSession, readOwnTill } from "./till-api";

/** A till's browser, whose requests all get this answer. */
async function tillThatGets(status: number, body: object, headers: Record<string, string> = {}) {
  vi.stubGlobal("fetch", async () => Response.json(body, { status, headers }));
  return { keys: await newKeys(), till: { id: "t", name: "Front", branch: "B", merchant: "M" } };
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("location", { href: "http://localhost:3000/employee/topup" });
  vi.stubGlobal("document", {});
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  });
  writeMark("paired");
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ["another server", {}, {}],
  ["the clock", { code: "use_dpop_nonce" }, { "dpop-nonce": "1.x" }],
])("a 401 about %s retires no till and ends no session", async (_of, body, headers) => {
  const device = await tillThatGets(401, body, headers);
  expect(await readOwnTill(device)).toEqual({ kind: "lost" });
  expect(readMark()).toBe("paired");
  expect(await endSession(device, { handle: "h" })).toBe("lost");
});

test("a till whose key is refused is retired", async () => {
  const device = await tillThatGets(401, { code: "invalid_dpop_proof" });
  expect(await readOwnTill(device)).toEqual({ kind: "retired" });
  expect(readMark()).toBe("retired");
  expect(await endSession(device, { handle: "h" })).toBe("refused");
});

test.each([
  [401, "unauthenticated"],
  [417, "session_ended"],
])("a session that the server answers as over (%i) is", async (status, code) => {
  const device = await tillThatGets(status, { code });
  expect(await endSession(device, { handle: "h" })).toBe("ended");
});

import { afterEach, expect, test, vi } from "vitest";
import type { SignedEntry } from "@/lib/tills/model/offline";
import { newKeys } from "../device/device";
import { tillCalls } from "./till-calls";

const ENTRY: SignedEntry = {
  n: 1,
  sKey: "key-1",
  iWorkerId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
  customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
  iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
  sPoints: 100,
  eTender: "cash",
  dOccurredAt: "2026-11-22T08:15:00.000Z",
  sSig: "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl",
};

afterEach(() => vi.unstubAllGlobals());

// What is "invalid" leaves the till: the server was asked and understands it never.
test.each([
  [400, { code: "validation" }, { kind: "invalid" }],
  [404, { message: "no Route matched with those values" }, { kind: "lost" }],
  [409, {}, { kind: "lost" }],
  [429, { code: "rate_limited" }, { kind: "limited", seconds: 30 }],
  // A fault of the server alone takes the connection from nobody.
  [500, { code: "internal" }, { kind: "limited", seconds: 30 }],
  [503, { code: "unavailable" }, { kind: "lost" }],
])("a sync that is answered %i with %o", async (status, body, expected) => {
  vi.stubGlobal("location", { href: "http://localhost:3000/employee/topup" });
  vi.stubGlobal("fetch", async () => Response.json(body, { status }));
  const keys = await newKeys();
  const { sync } = tillCalls(keys, async () => "handle");
  expect(await sync(keys, [ENTRY])).toEqual(expected);
});

/** A store of the browser that has what was opened in it, and fails. */
function failingStore() {
  const opened: string[] = [];
  const open = (name: string) => {
    opened.push(name);
    throw new DOMException("the store fails", "UnknownError");
  };
  vi.stubGlobal("indexedDB", { open });
  return opened;
}

// The key of a session signs for its cashier what other cashiers send, so that it is lost only with the session.
test.each([
  [403, "merchant_suspended", []],
  [403, "forbidden", []],
  [401, "unauthenticated", ["till-offline"]],
  [417, "session_ended", ["till-offline"]],
])(
  "a sync that is answered %i %s waits for a cashier; its key is deleted: %o",
  async (status, code, deleted) => {
    vi.stubGlobal("location", { href: "http://localhost:3000/employee/topup" });
    vi.stubGlobal("fetch", async () => Response.json({ code }, { status }));
    const opened = failingStore();
    const keys = await newKeys();
    const { sync } = tillCalls(keys, async () => "handle");
    expect(await sync(keys, [ENTRY])).toEqual({ kind: "signedOut" });
    expect(opened).toEqual(deleted);
  },
);

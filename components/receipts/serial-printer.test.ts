import { randomBytes } from "node:crypto";
import { build } from "esbuild";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { choosePrinter, forgetPrinter, KeptPrinter, keptPrinter, sendBytes } from "./printer";

// The driver that is shipped, on a port of streams as Web Serial has them. What a browser does below its streams (opening
// the device, its speed) is not here: it needs a printer.

/** A port whose printer takes bytes at its own pace, until it has no more paper or is pulled out. */
class StreamPort extends EventTarget {
  readable: ReadableStream<Uint8Array> | null = null;
  writable: WritableStream<Uint8Array> | null = null;
  taken: number[] = [];
  opened = 0;
  paper = Number.POSITIVE_INFINITY;
  pulled = false;
  #open = false;

  getInfo() {
    return { usbVendorId: 0x1a86, usbProductId: 0x7523 };
  }
  async open({ baudRate }: { baudRate: number }) {
    if (this.#open) throw new DOMException("The port is already open.", "InvalidStateError");
    expect(baudRate).toBe(115_200);
    this.#open = true;
    this.opened++;
    this.readable = new ReadableStream<Uint8Array>({});
    this.writable = new WritableStream<Uint8Array>({ write: (bytes) => this.#take(bytes) });
  }
  async close() {
    if (this.readable?.locked || this.writable?.locked) throw new TypeError("locked");
    this.#open = false;
  }
  async #take(bytes: Uint8Array) {
    for (let at = 0; at < bytes.length; at += 64) {
      await new Promise(setImmediate);
      if (this.pulled) throw new DOMException("The device has been lost.", "NetworkError");
      if (this.taken.length >= this.paper) await new Promise(() => undefined);
      this.taken.push(...bytes.subarray(at, at + 64));
    }
  }
}

const port = () => {
  const made = new StreamPort();
  const serial = Object.assign(new EventTarget(), {
    requestPort: async () => made,
    getPorts: async () => [made],
  });
  const kept = new Map<string, string>();
  vi.stubGlobal("navigator", { serial });
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  return made;
};

/** The program's module with its drivers, which are packed for browsers alone. */
let bundled = "";
beforeAll(async () => {
  const options = { bundle: true, write: false, format: "esm", platform: "browser" } as const;
  const result = await build({ ...options, entryPoints: ["components/receipts/printer.ts"] });
  bundled = result.outputFiles[0]?.text ?? "";
});
let loads = 0;
type Printer = {
  choosePrinter: typeof choosePrinter;
  forgetPrinter: typeof forgetPrinter;
  keptPrinter: typeof keptPrinter;
  sendBytes: typeof sendBytes;
};
/** The module as a page loads it anew. */
const load = (): Promise<Printer> => {
  const code = Buffer.from(`${bundled}\n// ${loads++}`).toString("base64");
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
};

let printer: Printer;
let stubbed: StreamPort;
const set = async (): Promise<KeptPrinter> => {
  const chosen = await printer.choosePrinter("serial", 80);
  if (!chosen) throw new Error("no printer");
  return chosen;
};

beforeEach(async () => {
  stubbed = port();
  printer = await load();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a picture's bytes reach the printer whole and in order before it counts as printed", async () => {
  const to = await set();
  const [first, second] = [randomBytes(20_000), randomBytes(3_000)];
  const one = printer.sendBytes(to, first);
  const two = printer.sendBytes(to, second);
  expect(await one).toBeNull();
  expect(stubbed.taken.length).toBeGreaterThanOrEqual(first.length);
  expect(await two).toBeNull();
  expect(Buffer.from(stubbed.taken).equals(Buffer.concat([first, second]))).toBe(true);
});

test("a printer that was pulled out in the middle is away, and prints again once it is back", async () => {
  const to = await set();
  const sent = printer.sendBytes(to, randomBytes(20_000));
  stubbed.pulled = true;
  expect(await sent).toBe("away");
  expect(stubbed.taken.length).toBeLessThan(20_000);
  // A port that was lost is another one when it is plugged in.
  const kept = localStorage.getItem("receiptPrinter");
  const again = port();
  if (kept) localStorage.setItem("receiptPrinter", kept);
  const bytes = randomBytes(500);
  expect(await printer.sendBytes(to, bytes)).toBeNull();
  expect(Buffer.from(again.taken).equals(bytes)).toBe(true);
});

test("a printer without paper takes no more bytes, and is away after twenty seconds", async () => {
  const to = await set();
  stubbed.paper = 640;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const sent = printer.sendBytes(to, randomBytes(20_000));
  await vi.waitFor(() => expect(stubbed.taken.length).toBe(640), { timeout: 60_000 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await sent).toBe("away");
});

test("a printer that is forgotten lets its port go, so that it can be set up again", async () => {
  await set();
  await printer.forgetPrinter();
  expect(printer.keptPrinter()).toBeNull();
  await set();
  expect(stubbed.opened).toBe(2);
});

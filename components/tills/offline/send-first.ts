import type { Device } from "../device/device";
import { sendWaiting } from "./send-waiting";
import { tillCalls } from "./till-calls";

/**
 * Sends the till's top-ups with the session of this handle, before that session ends. Later nobody else may
 * be there to send them. Waits for another tab or the service worker that is sending. Answers whether nothing
 * is left that the server takes now.
 */
export async function sendFirst({ keys }: Device, handle: string): Promise<boolean> {
  const { sync } = tillCalls(keys, async () => handle);
  for (;;) {
    const { kind } = await sendWaiting(sync);
    if (kind !== "busy") return kind !== "lost" && kind !== "limited";
    await navigator.locks.request("till-send", () => undefined);
  }
}

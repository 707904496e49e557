import { readDevice } from "@/components/tills/device/device";
import { sendWaiting } from "@/components/tills/offline/send-waiting";
import { tillCalls } from "@/components/tills/offline/till-calls";
import { readCashierHandle } from "@/components/tills/offline/till-record";
import { LINE_CHANNEL } from "@/lib/tills/model/offline-counter";

/**
 * Sends the waiting top-ups with the session of the cashier who is signed in here. Throws if the browser must
 * try again. It also throws while a page sends, because the page may be closed before it has sent everything.
 */
export async function sendInBackground(): Promise<void> {
  const device = await readDevice();
  if (!device) return;
  const { sync } = tillCalls(device.keys, readCashierHandle);
  const { kind } = await sendWaiting(sync);
  new BroadcastChannel(LINE_CHANNEL).postMessage("changed");
  if (kind === "lost" || kind === "limited" || kind === "busy") throw new Error(kind);
}

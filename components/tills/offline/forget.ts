import { TILL_PAGES_CACHE, TILL_PAGES_LOCK } from "@/lib/tills/model/offline-counter";
import { openStore } from "./store";

/** Removes the data of the cashier whose session ends: the counter's pages, and the handle of the session. */
export async function forgetCashier(): Promise<void> {
  await navigator.locks.request(TILL_PAGES_LOCK, async () => {
    for (const name of "caches" in globalThis ? await caches.keys() : []) {
      if (name.startsWith(TILL_PAGES_CACHE)) await caches.delete(name);
    }
    await (await openStore()).clear("cashier");
  });
}

/**
 * Removes the data of the cashier and the customers from this till: when the cashier signs out, and when the
 * till is retired or unpaired. Waiting top-ups stay until the server has them. They do not carry a session.
 */
export async function forgetTill(): Promise<void> {
  await forgetCashier();
  await (await openStore()).clear("customers");
}

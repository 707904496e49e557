import { TILL_PAGES_CACHE, TILL_PAGES_LOCK } from "@/lib/domain/offline-counter";
import { openStore } from "./store";

/** Removes what this browser kept of the cashier whose session ends: the counter's pages, and whose session it is. */
export async function forgetCashier(): Promise<void> {
  await navigator.locks.request(TILL_PAGES_LOCK, async () => {
    for (const name of "caches" in globalThis ? await caches.keys() : []) {
      if (name.startsWith(TILL_PAGES_CACHE)) await caches.delete(name);
    }
    await (await openStore()).clear("cashier");
  });
}

/**
 * Removes what this till kept of its cashier and its customers: when its cashier signs out, and when it is retired or
 * unpaired. What waits stays until the server has it; it carries nobody's session.
 */
export async function forgetTill(): Promise<void> {
  await forgetCashier();
  await (await openStore()).clear("customers");
}

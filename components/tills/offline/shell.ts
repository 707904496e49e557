import {
  TILL_CASHIER_URL,
  TILL_PAGES,
  TILL_PAGES_CACHE,
  TILL_SCOPE,
  WORKER_SCRIPT,
  type WorkerMessage,
} from "@/lib/tills/model/offline-counter";

/** Whether the counter's pages are kept for this session already. */
async function isKeptFor(handle: string): Promise<boolean> {
  const kept = (url: string) => caches.match(url, { cacheName: TILL_PAGES_CACHE });
  const cashier = await kept(TILL_CASHIER_URL);
  if ((await cashier?.text()) !== handle) return false;
  return (await Promise.all(TILL_PAGES.map(kept))).every((page) => page !== undefined);
}

/**
 * Makes the counter open without a connection on this till, for the cashier with this session's handle. Only in builds:
 * the development server's files change under their names.
 */
export async function keepShell(handle: string): Promise<void> {
  if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(WORKER_SCRIPT, { scope: TILL_SCOPE });
  if (await isKeptFor(handle)) return;
  const { active } = await navigator.serviceWorker.ready;
  const message: WorkerMessage = { keepTill: handle };
  active?.postMessage(message);
}

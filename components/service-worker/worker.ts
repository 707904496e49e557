import { CacheFirst, NetworkFirst, type RuntimeCaching, Serwist } from "serwist";
import { readDevice } from "@/components/tills/device/device";
import { sendWaiting } from "@/components/tills/offline/send-waiting";
import { tillCalls } from "@/components/tills/offline/till-calls";
import { readCashierHandle } from "@/components/tills/offline/till-record";
import { CARD_SCOPE, LINE_CHANNEL, SYNC_TAG, type WorkerMessage } from "@/lib/tills/model/offline-counter";
import { gatewayIsNoConnection, keepNewest, shell, worker } from "./shared";
import { isFile, keepTill, prepareTill, switchTill, tillRoutes } from "./till";

// The cache name of the previous service worker, so that its files stay available.
const CACHE = "card-v1";
const plugins = [gatewayIsNoConnection, keepNewest(CACHE, 120)];
const loose = { ignoreVary: true, ignoreSearch: true };

/** The newest page while there is a connection, else the last one. */
const newest = new NetworkFirst({ cacheName: CACHE, matchOptions: loose, plugins });
/** A file with a hash in its name never changes, so the cache answers first. */
const first = new CacheFirst({
  cacheName: CACHE,
  matchOptions: { ignoreVary: true },
  plugins,
});

/** The card's page, its looks and its picture. */
const cardRoutes: RuntimeCaching[] = [
  { matcher: ({ request, sameOrigin }) => sameOrigin && request.mode === "navigate", handler: newest },
  { matcher: ({ url, sameOrigin }) => sameOrigin && isFile(url), handler: first },
  {
    matcher: ({ request, url, sameOrigin }) =>
      sameOrigin && request.destination === "image" && !url.pathname.startsWith("/_next/"),
    handler: newest,
  },
];

/**
 * Keeps a page that did not load through this service worker, and its parts. The page comes last, because it
 * needs the parts.
 */
async function keepCard(event: ExtendableEvent, page: string, parts: string[]): Promise<void> {
  const kept = (url: string) => newest.handleAll({ event, request: new Request(url) })[1];
  await Promise.allSettled(parts.map(kept));
  await kept(page);
}

/** Removes the caches of older versions of the service worker. */
async function dropOldCards(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("card-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

// The service worker. It is registered twice, for the customer's card and for the counter, and serves each its own way.
const ofCard = new URL(worker.registration.scope).pathname === CARD_SCOPE;

/** The files of this build that could not be fetched. */
const missing: string[] = [];
const serwist = new Serwist({
  precacheEntries: ofCard ? [] : shell,
  precacheOptions: {
    cleanupOutdatedCaches: true,
    plugins: [
      {
        // serwist 9.5 waits without an end for a file whose fetch throws (github.com/serwist/serwist/issues/367).
        handlerDidError: async ({ request }) => {
          missing.push(request.url);
          return Response.error();
        },
      },
    ],
  },
  skipWaiting: true,
  clientsClaim: true,
  runtimeCaching: ofCard ? cardRoutes : tillRoutes,
});

async function keepFiles(event: ExtendableEvent): Promise<void> {
  await serwist.handleInstall(event);
  if (missing.length > 0) throw new Error(`not fetched: ${missing.join(" ")}`);
}

worker.addEventListener("install", (event) => {
  event.waitUntil(keepFiles(event));
  if (!ofCard) event.waitUntil(prepareTill(event));
});
worker.addEventListener("fetch", serwist.handleFetch);
worker.addEventListener("activate", serwist.handleActivate);
worker.addEventListener("message", serwist.handleCache);
worker.addEventListener("activate", (event) => event.waitUntil(ofCard ? dropOldCards() : switchTill()));
worker.addEventListener("message", (event) => {
  const message = (event.data ?? {}) as Partial<WorkerMessage>;
  // Ignore a failed fetch: the next page that opens asks for the files again.
  const kept = (keeping: Promise<void>) => event.waitUntil(keeping.catch(() => undefined));
  if (ofCard && "page" in message && message.page) kept(keepCard(event, message.page, message.parts ?? []));
  if (!ofCard && "keepTill" in message && message.keepTill) kept(keepTill(event, message.keepTill));
});
worker.addEventListener("sync", (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendInBackground());
});

/**
 * Sends the waiting top-ups with the session of the cashier who is signed in here. Throws if the browser must
 * try again. It also throws while a page sends, because the page may be closed before it has sent everything.
 */
async function sendInBackground(): Promise<void> {
  const device = await readDevice();
  if (!device) return;
  const { sync } = tillCalls(device.keys, readCashierHandle);
  const { kind } = await sendWaiting(sync);
  new BroadcastChannel(LINE_CHANNEL).postMessage("changed");
  if (kind === "lost" || kind === "limited" || kind === "busy") throw new Error(kind);
}

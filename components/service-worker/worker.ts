import { Serwist } from "serwist";
import { CARD_SCOPE, SYNC_TAG, type WorkerMessage } from "@/lib/tills/model/offline-counter";
import { sendInBackground } from "./background-sync";
import { cardRoutes, dropOldCards, keepCard } from "./card";
import { shell, worker } from "./scope";
import { keepTill, prepareTill, switchTill, tillRoutes } from "./till";

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

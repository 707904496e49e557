import { CacheFirst, NetworkFirst, type RuntimeCaching } from "serwist";
import { isFile } from "./files";
import { gatewayIsNoConnection, keepNewest } from "./plugins";

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
export const cardRoutes: RuntimeCaching[] = [
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
export async function keepCard(event: ExtendableEvent, page: string, parts: string[]): Promise<void> {
  const kept = (url: string) => newest.handleAll({ event, request: new Request(url) })[1];
  await Promise.allSettled(parts.map(kept));
  await kept(page);
}

/** Removes the caches of older versions of the service worker. */
export async function dropOldCards(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("card-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

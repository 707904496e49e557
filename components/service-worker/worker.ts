/// <reference lib="webworker" />
import {
  CacheFirst,
  NetworkFirst,
  NetworkOnly,
  type PrecacheEntry,
  type RuntimeCaching,
  Serwist,
  type SerwistPlugin,
} from "serwist";
import { readDevice } from "@/components/tills/device/device";
import { sendWaiting, tillCalls } from "@/components/tills/offline/till-calls";
import { readCashierHandle } from "@/components/tills/offline/till-record";
import {
  CARD_SCOPE,
  LINE_CHANNEL,
  SYNC_TAG,
  TILL_CACHE_PREFIX,
  TILL_CASHIER_URL,
  TILL_PAGES,
  TILL_PAGES_CACHE,
  TILL_PAGES_LOCK,
  type WorkerMessage,
} from "@/lib/tills/model/offline-counter";

declare const self: ServiceWorkerGlobalScope & {
  /** Written in by the build: what the counter's pages load, and the page that is shown without any. */
  __SHELL: PrecacheEntry[];
  __OFFLINE_PAGE: string;
};

const shell = self.__SHELL;

/** Counts a gateway without a server behind it as no connection: what is kept is shown, else the gateway's own answer. */
const gatewayIsNoConnection: SerwistPlugin = {
  fetchDidSucceed: async ({ response, state }) => {
    if (response.status < 502 || response.status > 504) return response;
    if (state) state.answer = response;
    throw new Error(`gateway ${response.status}`);
  },
  handlerDidError: async ({ state }) => state?.answer as Response | undefined,
};

/** Keeps only whole answers of the address itself, and of them the newest `most`. */
function keepNewest(cacheName: string, most: number): SerwistPlugin {
  return {
    cacheWillUpdate: async ({ response }) => (response.ok && !response.redirected ? response : null),
    cacheDidUpdate: async () => {
      const cache = await caches.open(cacheName);
      const kept = await cache.keys();
      await Promise.all(kept.slice(0, Math.max(0, kept.length - most)).map((old) => cache.delete(old)));
    },
  };
}

/** Files of builds: their names have a hash, so they never change. */
const FILE_NAMES = /\/_next\/static\/[\w./-]+\.(?:js|css|woff2)/g;

const SCRIPTS = /<script[^>]* src="(\/_next\/static\/[^"?]+\.js)/g;

const isFile = ({ pathname }: URL): boolean => pathname.startsWith("/_next/static/");

const STATIC_CACHE = `${TILL_CACHE_PREFIX}static`;
/** The pages that a new build's service worker has fetched. It shows them once it is active. */
const NEXT_CACHE = `${TILL_PAGES_CACHE}-next`;
/** If a connection brings nothing for so many seconds, it counts as missing. */
const PATIENCE = 8;

const ownFiles = new Set(shell.map(({ url }) => url));

const isPage = ({ pathname }: URL) => TILL_PAGES.some((page) => page === pathname);

/** The counter's pages: from the server, else as the signed-in cashier saw them last. */
const pages = new NetworkFirst({
  cacheName: TILL_PAGES_CACHE,
  networkTimeoutSeconds: PATIENCE,
  matchOptions: { ignoreSearch: true, ignoreVary: true },
  plugins: [
    {
      fetchDidSucceed: async ({ response }) => {
        // The session is over: nothing of it stays.
        if (response.type === "opaqueredirect") await caches.delete(TILL_PAGES_CACHE);
        return response;
      },
      // An address with a customer in it is not the counter as it opens; and nothing is kept unless a till asked for it.
      cacheWillUpdate: async ({ request, response }) => {
        const keeps = response.ok && !response.redirected && new URL(request.url).search === "";
        return keeps && (await caches.has(TILL_PAGES_CACHE)) ? response : null;
      },
      handlerDidError: async () => noConnection(),
    },
    gatewayIsNoConnection,
  ],
});

function noConnection(): Response {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return new Response(self.__OFFLINE_PAGE, {
    status: 503,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
  });
}

const other = new NetworkOnly({ plugins: [{ handlerDidError: async () => noConnection() }] });
const files = new CacheFirst({
  cacheName: STATIC_CACHE,
  matchOptions: { ignoreVary: true },
  plugins: [keepNewest(STATIC_CACHE, 200)],
});

/** The counter's pages and the files that builds name. Never an answer of the API, nor another page. */
const tillRoutes: RuntimeCaching[] = [
  {
    matcher: ({ request, url, sameOrigin }) => sameOrigin && request.mode === "navigate" && isPage(url),
    handler: pages,
  },
  { matcher: ({ request, sameOrigin }) => sameOrigin && request.mode === "navigate", handler: other },
  { matcher: ({ url, sameOrigin }) => sameOrigin && isFile(url), handler: files },
];

/** Keeps a file that a page names, unless this build's service worker already keeps it. Throws if it does not exist. */
async function keepFile(event: ExtendableEvent, url: string): Promise<void> {
  if (ownFiles.has(url)) return;
  const [answer, kept] = files.handleAll({ event, request: new Request(url) });
  const response = await answer;
  await kept;
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
}

/** Throws if a page is of another build than this service worker. Files that it loads later would not be kept any more. */
function assertOwnBuild(path: string, html: string): void {
  for (const [, src = ""] of html.matchAll(SCRIPTS))
    if (!ownFiles.has(src) && !src.includes("polyfill"))
      throw new Error(`${path} is of another build: ${src}`);
}

type FetchedPage = { path: string; response: Response };

/** Null: the session has ended. Throws without all pages, with `own` also if one is of another build. */
async function fetchPages(event: ExtendableEvent, own = false): Promise<FetchedPage[] | null> {
  const fetched = await Promise.all(
    TILL_PAGES.map(async (path) => {
      const response = await fetch(path, { cache: "no-store", redirect: "manual" });
      return { path, response };
    }),
  );
  if (fetched.some(({ response }) => response.type === "opaqueredirect")) return null;
  const failed = fetched.find(({ response }) => !response.ok);
  if (failed) throw new Error(`${failed.path}: ${failed.response.status}`);
  for (const { path, response } of fetched) {
    const html = await response.clone().text();
    if (own) assertOwnBuild(path, html);
    await Promise.all([...new Set(html.match(FILE_NAMES))].map((url) => keepFile(event, url)));
  }
  return fetched;
}

async function putPages(cacheName: string, fetched: FetchedPage[], handle: string): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const { path, response } of fetched) await cache.put(path, response);
  await cache.put(TILL_CASHIER_URL, new Response(handle));
}

const handleIn = async (cacheName: string) => (await caches.match(TILL_CASHIER_URL, { cacheName }))?.text();

/** Keeps the counter's pages for the cashier with this handle. They replace the pages of the previous cashier. */
async function keepTill(event: ExtendableEvent, handle: string): Promise<void> {
  await caches.delete(TILL_PAGES_CACHE);
  const fetched = await fetchPages(event);
  if (!fetched) return;
  await navigator.locks.request(TILL_PAGES_LOCK, async () => {
    // Do not store the pages if the cashier signed out meanwhile: the sign-out has already removed its data.
    if ((await readCashierHandle()) === handle) await putPages(TILL_PAGES_CACHE, fetched, handle);
  });
}

/** Fetches this build's pages. If this fails, this worker is not installed, because old pages do not run on new files. */
async function prepareTill(event: ExtendableEvent): Promise<void> {
  // A service worker whose installation failed may have left pages here.
  await caches.delete(NEXT_CACHE);
  const handle = await handleIn(TILL_PAGES_CACHE);
  if (handle === undefined) return;
  const fetched = await fetchPages(event, true);
  if (fetched) await putPages(NEXT_CACHE, fetched, handle);
  else await caches.delete(TILL_PAGES_CACHE);
}

async function switchTill(): Promise<void> {
  await navigator.locks.request(TILL_PAGES_LOCK, async () => {
    const handle = await handleIn(NEXT_CACHE);
    if (handle !== undefined && handle === (await handleIn(TILL_PAGES_CACHE))) {
      const next = await caches.open(NEXT_CACHE);
      await caches.delete(TILL_PAGES_CACHE);
      const cache = await caches.open(TILL_PAGES_CACHE);
      for (const request of await next.keys()) {
        const response = await next.match(request);
        if (response) await cache.put(request, response);
      }
    }
    await caches.delete(NEXT_CACHE);
  });
}

// The cache name of the previous service worker, so that its files stay available.
const CACHE = "card-v1";
const plugins = [gatewayIsNoConnection, keepNewest(CACHE, 120)];
const newest = new NetworkFirst({
  cacheName: CACHE,
  matchOptions: { ignoreVary: true, ignoreSearch: true },
  plugins,
});
const first = new CacheFirst({ cacheName: CACHE, matchOptions: { ignoreVary: true }, plugins });

const cardRoutes: RuntimeCaching[] = [
  { matcher: ({ request, sameOrigin }) => sameOrigin && request.mode === "navigate", handler: newest },
  { matcher: ({ url, sameOrigin }) => sameOrigin && isFile(url), handler: first },
  {
    matcher: ({ request, url, sameOrigin }) =>
      sameOrigin && request.destination === "image" && !url.pathname.startsWith("/_next/"),
    handler: newest,
  },
];

/** Keeps a page that did not load through this service worker, and before it the parts that it needs. */
async function keepCard(event: ExtendableEvent, page: string, parts: string[]): Promise<void> {
  const kept = (url: string) => newest.handleAll({ event, request: new Request(url) })[1];
  await Promise.allSettled(parts.map(kept));
  await kept(page);
}

// The service worker. It is registered twice, for the customer's card and for the counter, and serves each its own way.
const ofCard = new URL(self.registration.scope).pathname === CARD_SCOPE;

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

self.addEventListener("install", (event) => {
  const keepFiles = async () => {
    await serwist.handleInstall(event);
    if (missing.length > 0) throw new Error(`not fetched: ${missing.join(" ")}`);
  };
  event.waitUntil(keepFiles());
  if (!ofCard) event.waitUntil(prepareTill(event));
});
self.addEventListener("fetch", serwist.handleFetch);
self.addEventListener("activate", serwist.handleActivate);
self.addEventListener("activate", (event) => {
  if (!ofCard) event.waitUntil(switchTill());
});
self.addEventListener("message", (event) => {
  const message = (event.data ?? {}) as Partial<WorkerMessage>;
  // Ignore a failed fetch: the next page that opens asks for the files again.
  const kept = (keeping: Promise<void>) => event.waitUntil(keeping.catch(() => undefined));
  if (ofCard && "page" in message && message.page) kept(keepCard(event, message.page, message.parts ?? []));
  if (!ofCard && "keepTill" in message && message.keepTill) kept(keepTill(event, message.keepTill));
});
self.addEventListener("sync", (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendInBackground());
});

/** Throws if the browser must try again, also while a page sends: it may be closed before it has sent all. */
async function sendInBackground(): Promise<void> {
  const device = await readDevice();
  if (!device) return;
  const { sync } = tillCalls(device.keys, readCashierHandle);
  const { kind } = await sendWaiting(sync);
  new BroadcastChannel(LINE_CHANNEL).postMessage("changed");
  if (kind === "lost" || kind === "limited" || kind === "busy") throw new Error(kind);
}

// Keeps the card at hand without a connection: its page, its looks and its picture. It serves /customer/loyalty-card only.
const CACHE = "card-v1";
const MOST = 120;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

async function keep(request, response) {
  if (!response.ok || response.redirected) return;
  const cache = await caches.open(CACHE);
  await cache.put(request, response.clone());
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST)).map((old) => cache.delete(old)));
}

// What stood before this worker did, or was come to from another page: the page last, since it needs the rest.
async function keepAll(page, parts) {
  const fetched = (url) => fetch(url).then((response) => keep(new Request(url), response));
  await Promise.allSettled(parts.map(fetched));
  await fetched(page);
}

self.addEventListener("message", (event) => {
  const { page, parts = [] } = event.data ?? {};
  if (page) event.waitUntil(keepAll(page, parts).catch(() => undefined));
});

// The newest page while there is a connection, else the last one.
async function networkFirst(event) {
  try {
    const response = await fetch(event.request);
    event.waitUntil(keep(event.request, response.clone()));
    return response;
  } catch (error) {
    const kept = await caches.match(event.request, { ignoreVary: true, ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

// What carries a hash in its name never changes.
async function cacheFirst(event) {
  const kept = await caches.match(event.request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(event.request);
  event.waitUntil(keep(event.request, response.clone()));
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(networkFirst(event));
  else if (url.pathname.startsWith("/_next/static/")) event.respondWith(cacheFirst(event));
  else if (request.destination === "image" && !url.pathname.startsWith("/_next/")) event.respondWith(networkFirst(event));
});

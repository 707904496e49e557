/// <reference lib="webworker" />
import type { PrecacheEntry, SerwistPlugin } from "serwist";

declare const self: ServiceWorkerGlobalScope & {
  /** Written in by the build: what the counter's pages load, and the page that is shown without any. */
  __SHELL: PrecacheEntry[];
  __OFFLINE_PAGE: string;
};

/** The global scope of the service worker. */
export const worker = self;
export const shell = self.__SHELL;
export const offlinePage = self.__OFFLINE_PAGE;

/**
 * Counts a gateway without a server behind it as no connection, so that what is kept is shown. Where nothing is kept, the
 * gateway's own answer is.
 */
export const gatewayIsNoConnection: SerwistPlugin = {
  fetchDidSucceed: async ({ response, state }) => {
    if (response.status < 502 || response.status > 504) return response;
    if (state) state.answer = response;
    throw new Error(`gateway ${response.status}`);
  },
  handlerDidError: async ({ state }) => state?.answer as Response | undefined,
};

/** Keeps only whole answers of the address itself, and of them the newest `most`. */
export function keepNewest(cacheName: string, most: number): SerwistPlugin {
  return {
    cacheWillUpdate: async ({ response }) => (response.ok && !response.redirected ? response : null),
    cacheDidUpdate: async () => {
      const cache = await caches.open(cacheName);
      const kept = await cache.keys();
      await Promise.all(kept.slice(0, Math.max(0, kept.length - most)).map((old) => cache.delete(old)));
    },
  };
}

import type { SerwistPlugin } from "serwist";

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

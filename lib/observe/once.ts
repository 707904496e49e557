// Pages, the server of the API, routes and the middleware are bundled apart: a module's own variable exists once in each.
const shared = globalThis as typeof globalThis & { wallet?: Map<string, unknown> };
shared.wallet ??= new Map();
const made = shared.wallet;

/** The state of this name, if it was made. */
export const madeOnce = <T>(name: string): T | undefined => made.get(name) as T | undefined;

/** The state of this name in this process, made at first use: pools, limits, memories, metrics. A hot reload keeps it. */
export function oncePerProcess<T>(name: string, make: () => T): T {
  if (!made.has(name)) made.set(name, make());
  return made.get(name) as T;
}

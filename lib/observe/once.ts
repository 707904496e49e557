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

/** A memory of at most `most` entries: beyond that, the one that was set longest ago goes. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.most && oldest !== undefined) this.delete(oldest);
    return this;
  }
}

/** A memory of what is slow to make: a second caller gets the promise of the first. A failure is forgotten. */
export function remembering<Value>(most: number) {
  const known = new RecentMap<string, Promise<Value>>(most);
  return (key: string, make: () => Promise<Value>): Promise<Value> => {
    const before = known.get(key);
    if (before) return before;
    const made = make();
    known.set(key, made);
    made.catch(() => known.delete(key));
    return made;
  };
}

// The order of the lists' indexes: Unicode's root collation.
const { compare } = new Intl.Collator("und");

/** For sorting choices by name, as the lists are: small and capital letters together, each alphabet by itself. */
export function byName<T>(nameOf: (one: T) => string): (a: T, b: T) => number {
  return (a, b) => compare(nameOf(a), nameOf(b));
}

import type { Answer, CounterHit } from "./types";

const CACHE_MS = 60_000;

const cache = new Map<string, { at: number; results: CounterHit[] }>();
const keyOf = (session: string, term: string) => `${session} ${term.toLowerCase()}`;

/** Clears the cached results, whose balances are outdated after a posting. */
export function clearSearchCache(): void {
  cache.clear();
}

/** The results for a term in the session with this handle, if the server gave them at most a minute ago; else null. */
export function cachedHits(session: string, term: string): CounterHit[] | null {
  const cached = cache.get(keyOf(session, term));
  if (!cached) return null;
  // A moment to come is of a clock that was set back since.
  const age = Date.now() - cached.at;
  return age >= 0 && age < CACHE_MS ? cached.results : null;
}

/** Keeps an answer for a term, unless a till gave it without a connection: the server may know more. */
export function cacheHits(
  session: string,
  term: string,
  { data, asOf }: Extract<Answer<CounterHit[]>, { kind: "ok" }>,
): void {
  if (asOf === undefined) cache.set(keyOf(session, term), { at: Date.now(), results: data });
}

"use client";

import { useEffect, useRef, useState } from "react";
import { MIN_SEARCH_LENGTH } from "@/lib/counter/model/panel-search";
import type { CounterHit, CounterSetting } from "./types";

const DEBOUNCE_MS = 300;
const CACHE_MS = 60_000;

export type SearchState = { term: string; busy: boolean; failed: boolean; results: CounterHit[] | null };

const cache = new Map<string, { at: number; results: CounterHit[] }>();

/** Clears the cached results, whose balances are outdated after a posting. */
export function clearSearchCache(): void {
  cache.clear();
}

/**
 * Searches while the user types: 300 ms after the last key, with results cached for 60 seconds. A newer term aborts the
 * request for an older one, so an old answer never replaces a newer one.
 */
export function useSearch({ search, session }: CounterSetting["api"], onSignedOut: (ended: boolean) => void) {
  const [term, setTerm] = useState("");
  const [state, setState] = useState<SearchState>({ term: "", busy: false, failed: false, results: null });
  const [retries, setRetries] = useState(0);
  const latestOnSignedOut = useRef(onSignedOut);
  latestOnSignedOut.current = onSignedOut;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry searches for the same term again
  useEffect(() => {
    const trimmed = term.trim();
    if (trimmed.length < MIN_SEARCH_LENGTH) {
      setState({ term: trimmed, busy: false, failed: false, results: null });
      return;
    }
    const cacheKey = `${session} ${trimmed.toLowerCase()}`;
    const cached = cache.get(cacheKey);
    if (cached && Date.now() - cached.at < CACHE_MS) {
      setState({ term: trimmed, busy: false, failed: false, results: cached.results });
      return;
    }
    const abort = new AbortController();
    setState((previous) => ({ ...previous, busy: true, failed: false }));
    const timer = setTimeout(async () => {
      const answer = await search(trimmed, abort.signal);
      if (abort.signal.aborted) return;
      if (answer.kind === "signedOut") return latestOnSignedOut.current(answer.ended);
      if (answer.kind !== "ok") return setState({ term: trimmed, busy: false, failed: true, results: null });
      cache.set(cacheKey, { at: Date.now(), results: answer.data });
      setState({ term: trimmed, busy: false, failed: false, results: answer.data });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [term, retries, search, session]);

  return { term, setTerm, state, retry: () => setRetries((count) => count + 1) };
}

"use client";

import { useEffect, useRef, useState } from "react";
import type { CustomerHit } from "@/lib/domain/counter";
import { MIN_SEARCH_LENGTH } from "@/lib/domain/paging";
import type { CounterApi } from "./types";

const DEBOUNCE = 300;
const CACHE_FOR = 60_000;

export type SearchState = { term: string; busy: boolean; failed: boolean; results: CustomerHit[] | null };

const kept = new Map<string, { at: number; results: CustomerHit[] }>();

/** Forgets what was found: after money moved, the balances in it are old. */
export function forgetSearches(): void {
  kept.clear();
}

/**
 * Searches as the person types: 300 ms after the last key, answers cached for 60 seconds. A request for an older term
 * is given up when a newer one is typed, so its answer can never stand over the newer one's.
 */
export function useSearch({ search, session }: CounterApi, onSignedOut: (ended: boolean) => void) {
  const [term, setTerm] = useState("");
  const [state, setState] = useState<SearchState>({ term: "", busy: false, failed: false, results: null });
  const [round, setRound] = useState(0);
  const signedOut = useRef(onSignedOut);
  signedOut.current = onSignedOut;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks for the same term again
  useEffect(() => {
    const wanted = term.trim();
    if (wanted.length < MIN_SEARCH_LENGTH) {
      setState({ term: wanted, busy: false, failed: false, results: null });
      return;
    }
    const name = `${session} ${wanted.toLowerCase()}`;
    const known = kept.get(name);
    if (known && Date.now() - known.at < CACHE_FOR) {
      setState({ term: wanted, busy: false, failed: false, results: known.results });
      return;
    }
    const abort = new AbortController();
    setState((before) => ({ ...before, busy: true, failed: false }));
    const timer = setTimeout(async () => {
      const answer = await search(wanted, abort.signal);
      if (abort.signal.aborted) return;
      if (answer.kind === "signedOut") return signedOut.current(answer.ended);
      if (answer.kind !== "ok") return setState({ term: wanted, busy: false, failed: true, results: null });
      kept.set(name, { at: Date.now(), results: answer.data });
      setState({ term: wanted, busy: false, failed: false, results: answer.data });
    }, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [term, round, search, session]);

  return { term, setTerm, state, again: () => setRound((count) => count + 1) };
}

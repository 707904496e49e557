"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { CounterMode, CounterSetting, RecentMovement } from "./types";

const CACHE_MS = 30_000;
const cache = new Map<string, { at: number; movements: RecentMovement[] }>();

/** Clears the cache, after a posting on a page that does not show this list. */
export function clearRecentCache(): void {
  cache.clear();
}

export type RecentState = {
  busy: boolean;
  failed: boolean;
  movements: RecentMovement[] | null;
  /** Same as in the answer: set if the rows come from the till's store. */
  asOf?: number | null | undefined;
};

/** The latest movements of a mode, cached for 30 seconds; `refresh` reloads them after a posting. */
export function useRecent(api: CounterSetting["api"], mode: CounterMode) {
  const [state, setState] = useState<RecentState>({ busy: true, failed: false, movements: null });

  // Only the newest request sets the state, and none does after the page was left.
  const asked = useRef(0);

  const load = useCallback(
    async (fresh = true) => {
      const mine = ++asked.current;
      const cacheKey = `${api.session} ${mode}`;
      const cached = cache.get(cacheKey);
      if (!fresh && cached && Date.now() - cached.at < CACHE_MS) {
        return setState({ busy: false, failed: false, movements: cached.movements });
      }
      setState((previous) => ({ ...previous, busy: true, failed: false }));
      const answer = await api.recent(mode);
      if (mine !== asked.current) return;
      if (answer.kind !== "ok") return setState((previous) => ({ ...previous, busy: false, failed: true }));
      const { data: movements, asOf } = answer;
      if (asOf === undefined) cache.set(cacheKey, { at: Date.now(), movements });
      setState({ busy: false, failed: false, movements, asOf });
    },
    [api, mode],
  );

  useEffect(() => {
    void load(false);
    const stop = api.followRecent?.(load);
    return () => {
      asked.current++;
      stop?.();
    };
  }, [api, load]);

  const refresh = useCallback(() => {
    clearRecentCache();
    void load();
  }, [load]);
  /** The next page that shows them loads them again. */
  const forget = useCallback(() => clearRecentCache(), []);
  return { ...state, refresh, forget };
}

"use client";

import { useCallback, useEffect, useState } from "react";
import type { CounterMode, CounterSetting, RecentMovement } from "./types";

const CACHE_MS = 30_000;
const cache = new Map<string, { at: number; movements: RecentMovement[] }>();

/** Clears the cache, after a posting on a page that does not show this list. */
export function clearRecentCache(): void {
  cache.clear();
}

export type RecentState = { busy: boolean; failed: boolean; movements: RecentMovement[] | null };

/** The latest movements of a mode, cached for 30 seconds; `refresh` reloads them after a posting. */
export function useRecent(api: CounterSetting["api"], mode: CounterMode) {
  const [state, setState] = useState<RecentState>({ busy: true, failed: false, movements: null });

  const load = useCallback(
    async (fresh: boolean, isMounted: () => boolean) => {
      const cacheKey = `${api.session} ${mode}`;
      const cached = cache.get(cacheKey);
      if (!fresh && cached && Date.now() - cached.at < CACHE_MS) {
        return setState({ busy: false, failed: false, movements: cached.movements });
      }
      setState((previous) => ({ ...previous, busy: true, failed: false }));
      const answer = await api.recent(mode);
      if (!isMounted()) return;
      if (answer.kind !== "ok") {
        return setState((previous) => ({ busy: false, failed: true, movements: previous.movements }));
      }
      cache.set(cacheKey, { at: Date.now(), movements: answer.data });
      setState({ busy: false, failed: false, movements: answer.data });
    },
    [api, mode],
  );

  useEffect(() => {
    let mounted = true;
    void load(false, () => mounted);
    return () => {
      mounted = false;
    };
  }, [load]);

  const refresh = useCallback(() => {
    clearRecentCache();
    void load(true, () => true);
  }, [load]);
  /** What is shown next is asked for anew. */
  const forget = useCallback(() => clearRecentCache(), []);
  return { ...state, refresh, forget };
}

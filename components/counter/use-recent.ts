"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { byThisClock } from "./counter-api";
import type { CounterMode, CounterSetting, RecentMovement } from "./types";

const CACHE_MS = 30_000;
const cache = new Map<string, { at: number; movements: RecentMovement[] }>();

/** Lists that came with a page and were taken: the browser may show that page again, when they are old. */
const taken = new Set<string>();

/** A till's list has what it keeps, too. */
const cacheKeyOf = (api: CounterSetting["api"], mode: CounterMode) =>
  `${api.session} ${mode} ${api.followRecent ? "till" : ""}`;

/** Takes the list that came with the page into the cache, once. */
function takeFirst(api: CounterSetting["api"], mode: CounterMode): void {
  const { first } = api;
  if (first?.mode !== mode || taken.has(first.madeAt)) return;
  taken.add(first.madeAt);
  cache.set(cacheKeyOf(api, mode), { at: Date.now(), movements: byThisClock(first.rows, first.madeAt) });
}

/** The rows that came with the page, before it is known whether they are of now: none can be undone. */
function shownAtFirst({ first }: CounterSetting["api"], mode: CounterMode): RecentMovement[] | null {
  return first?.mode === mode ? first.rows.map((row) => ({ ...row, undoUntil: null })) : null;
}

/** Clears the cache, after a posting on a page that does not show this list or this mode. */
export function clearRecentCache(): void {
  cache.clear();
}

type RecentState = {
  of: CounterMode;
  busy: boolean;
  failed: boolean;
  movements: RecentMovement[] | null;
  /** Same as in the answer: set if the rows come from the till's store. */
  asOf?: number | null | undefined;
  /** The rows came with the page and are not taken yet. */
  isOld?: true;
};

/**
 * The latest movements of a mode, at first those that came with the page. They are cached for 30 seconds; `refresh` reloads
 * them after a posting.
 */
export function useRecent(api: CounterSetting["api"], mode: CounterMode) {
  const [state, setState] = useState<RecentState>(() => {
    const movements = shownAtFirst(api, mode);
    return { of: mode, busy: movements === null, failed: false, movements, isOld: true };
  });

  // Only the newest request sets the state, and none does after the page was left.
  const asked = useRef(0);

  const load = useCallback(
    async (fresh = true) => {
      const mine = ++asked.current;
      takeFirst(api, mode);
      const cacheKey = cacheKeyOf(api, mode);
      const cached = cache.get(cacheKey);
      if (!fresh && cached && Date.now() - cached.at < CACHE_MS) {
        const { movements } = cached;
        return setState({ of: mode, busy: false, failed: false, movements });
      }
      // Rows of the other mode go, and those of an old page: they would stay where nothing can be loaded.
      setState(({ of, movements, isOld }) => ({
        of: mode,
        busy: true,
        failed: false,
        movements: of === mode && !isOld ? movements : null,
      }));
      const answer = await api.recent(mode);
      if (mine !== asked.current) return;
      if (answer.kind !== "ok") return setState((previous) => ({ ...previous, busy: false, failed: true }));
      const { data: movements, asOf } = answer;
      if (asOf === undefined) cache.set(cacheKey, { at: Date.now(), movements });
      setState({ of: mode, busy: false, failed: false, movements, asOf });
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
  return { ...state, refresh };
}

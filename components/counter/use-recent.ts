"use client";

import { useCallback, useEffect, useState } from "react";
import type { CounterApi, CounterMode, CounterMovement } from "./types";

const CACHE_FOR = 30_000;
const kept = new Map<string, { at: number; movements: CounterMovement[] }>();

/** Forgets the latest movements: after money moved elsewhere than on the page that lists them. */
export function forgetRecent(): void {
  kept.clear();
}

export type RecentState = { busy: boolean; failed: boolean; movements: CounterMovement[] | null };

/** The latest movements of a kind, cached for 30 seconds; `refresh` reads them anew after money moved. */
export function useRecent(api: CounterApi, mode: CounterMode) {
  const [state, setState] = useState<RecentState>({ busy: true, failed: false, movements: null });

  const load = useCallback(
    async (fresh: boolean, alive: () => boolean) => {
      const name = `${api.session} ${mode}`;
      const known = kept.get(name);
      if (!fresh && known && Date.now() - known.at < CACHE_FOR) {
        return setState({ busy: false, failed: false, movements: known.movements });
      }
      setState((before) => ({ ...before, busy: true, failed: false }));
      const answer = await api.recent(mode);
      if (!alive()) return;
      if (answer.kind !== "ok") {
        return setState((before) => ({ busy: false, failed: true, movements: before.movements }));
      }
      kept.set(name, { at: Date.now(), movements: answer.data });
      setState({ busy: false, failed: false, movements: answer.data });
    },
    [api, mode],
  );

  useEffect(() => {
    let here = true;
    void load(false, () => here);
    return () => {
      here = false;
    };
  }, [load]);

  const refresh = useCallback(() => {
    forgetRecent();
    void load(true, () => true);
  }, [load]);
  return { ...state, refresh };
}

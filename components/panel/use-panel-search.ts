import { useEffect, useState } from "react";
import { leaveIfSignedOut } from "@/components/accounts/session/session";
import { api } from "@/lib/api/client";
import type { HitKind } from "@/lib/counter/model/panel-search";
import { MIN_SEARCH_LENGTH } from "@/lib/counter/model/search";
import { searchCalls } from "@/lib/counter/names";

const PAUSE_MS = 200;

/** A hit as the API answers it. */
export type Hit = {
  _id: string;
  sName: string;
  sUUID?: string;
  sDetail?: string | null;
  sBusinessName?: string;
  sBusinessNameAr?: string | null;
  eType?: string;
  sPoints?: number;
  sSaleRef?: string | null;
};
export type Hits = Record<HitKind, Hit[]>;
type Search = { term: string; hits: Hits | null; failed: boolean };

async function read(term: string, signal: AbortSignal): Promise<Hits> {
  const answer = leaveIfSignedOut(await api(searchCalls.searchPanel, { search: term }, { signal }));
  if (answer.kind !== "ok") throw new Error(`search: ${answer.kind}`);
  return answer.data;
}

/**
 * Answers the API's hits for a term, after a pause in typing. `hits` is null while the answer is not known,
 * and if the term is too short.
 */
export function usePanelSearch(typed: string): { hits: Hits | null; failed: boolean; pending: boolean } {
  const term = typed.trim();
  const long = term.length >= MIN_SEARCH_LENGTH;
  const [found, setFound] = useState<Search>({ term: "", hits: null, failed: false });
  useEffect(() => {
    if (!long) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      read(term, stop.signal).then(
        (hits) => setFound({ term, hits, failed: false }),
        () => stop.signal.aborted || setFound({ term, hits: null, failed: true }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [term, long]);
  const current = long && found.term === term;
  // While the next answer is on its way, the last one stays.
  return { hits: long ? found.hits : null, failed: current && found.failed, pending: long && !current };
}

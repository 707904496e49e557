"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback, useTransition } from "react";
import { useListFrame } from "./list-frame";

/** Where the cursor of a list stands in the URL: any change of a filter drops it. */
export const CURSOR_PARAM = "cursor";

/** The query of the page as filters: a link shares the view, and coming back finds it again. */
export function useUrlFilters() {
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
  const { start } = useListFrame();
  const [pending, startTransition] = useTransition();

  /** The address with these filters changed; an empty value takes a filter away. */
  const hrefWith = useCallback(
    (patch: Record<string, string | null | undefined>) => {
      const next = new URLSearchParams(params);
      next.delete(CURSOR_PARAM);
      for (const [key, value] of Object.entries(patch)) {
        if (value) next.set(key, value);
        else next.delete(key);
      }
      const query = next.toString();
      return query ? `${path}?${query}` : path;
    },
    [params, path],
  );

  /** Leads there: in place of this address, or, a page further, after it. */
  const go = useCallback(
    (href: string, further = false) => {
      // Both tell of the wait: the control that was used, and the list's rows.
      start(() => {
        startTransition(() => {
          if (further) router.push(href);
          else router.replace(href, { scroll: false });
        });
      });
    },
    [router, start],
  );

  const set = useCallback(
    (patch: Record<string, string | null | undefined>) => go(hrefWith(patch)),
    [go, hrefWith],
  );

  return { path, params, get: (key: string) => params.get(key) ?? "", set, go, hrefWith, pending };
}

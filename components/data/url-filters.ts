"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useCallback, useTransition } from "react";

/** Where the cursor of a list stands in the URL: any change of a filter drops it. */
export const CURSOR_PARAM = "cursor";

/** The query of the page as filters: a link shares the view, and coming back finds it again. */
export function useUrlFilters() {
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
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

  const set = useCallback(
    (patch: Record<string, string | null | undefined>) => {
      startTransition(() => router.replace(hrefWith(patch), { scroll: false }));
    },
    [router, hrefWith],
  );

  return { path, params, get: (key: string) => params.get(key) ?? "", set, hrefWith, pending };
}

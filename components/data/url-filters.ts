"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useMemo, useTransition } from "react";
import { useListFrame } from "./list-frame";

/** The URL parameter of a list's cursor. Any change of a filter removes it. */
export const CURSOR_PARAM = "cursor";

/** Parameters to change; an empty one is removed. */
type Patch = Record<string, string | null | undefined>;

/** The page's query as filters, so that a view can be shared and restored. */
export function useUrlFilters() {
  const router = useRouter();
  const path = usePathname();
  const shown = useSearchParams();
  const { start, next, setNext } = useListFrame();
  const params = useMemo(() => (next === null ? shown : new URLSearchParams(next)), [next, shown]);
  const [pending, startTransition] = useTransition();

  const hrefWith = (patch: Patch) => {
    const next = new URLSearchParams(params);
    next.delete(CURSOR_PARAM);
    for (const [key, value] of Object.entries(patch)) {
      if (value) next.set(key, value);
      else next.delete(key);
    }
    const query = next.toString();
    return query ? `${path}?${query}` : path;
  };

  /** Navigates to a path: replaces the current history entry, or adds one with `push`. */
  const navigate = (href: string, push = false) => {
    // Both are shown as pending: the control that was used and the list's rows.
    start(() => {
      setNext(href.split("?")[1] ?? "");
      startTransition(() => {
        if (push) router.push(href);
        else router.replace(href, { scroll: false });
      });
    });
  };

  const linkTo = (href: string, push = false) => ({
    href,
    onNavigate: (event: { preventDefault: () => void }) => {
      event.preventDefault();
      navigate(href, push);
    },
  });

  const set = (patch: Patch) => navigate(hrefWith(patch));
  const get = (key: string) => params.get(key) ?? "";
  return { path, params, get, set, navigate, hrefWith, linkTo, pending };
}

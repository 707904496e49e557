"use client";

import { usePathname } from "next/navigation";
import { type ComponentProps, useSyncExternalStore } from "react";
import { VIEW_PREFIX } from "@/components/accounts/session/stored-session";
import { IntentLink } from "@/components/ui/intent-link";

const listeners = new Set<() => void>();

function read(path: string): string {
  try {
    return sessionStorage.getItem(VIEW_PREFIX + path) ?? "";
  } catch {
    return "";
  }
}

/** Saves a list's query (filters, order, page) in this tab, to restore it when the user returns to the list. */
export function saveListQuery(path: string, query: string): void {
  if (read(path) === query) return;
  try {
    if (query) sessionStorage.setItem(VIEW_PREFIX + path, query);
    else sessionStorage.removeItem(VIEW_PREFIX + path);
  } catch {
    // Without storage the user returns to the unfiltered list.
  }
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A link to a list with its saved query. On the list itself it links to the unfiltered list. */
export function SavedListLink({
  href,
  ...props
}: Omit<ComponentProps<typeof IntentLink>, "href"> & { href: string }) {
  const query = useSyncExternalStore(
    subscribe,
    () => read(href),
    () => "",
  );
  const atList = usePathname() === href;
  return <IntentLink href={query && !atList ? `${href}?${query}` : href} {...props} />;
}

"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ComponentProps, useSyncExternalStore } from "react";

const PREFIX = "view:";
const listeners = new Set<() => void>();

function read(path: string): string {
  try {
    return sessionStorage.getItem(PREFIX + path) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a list's filters, order and page (its query) in this tab, for whoever leaves the list and comes back. */
export function keepView(path: string, query: string): void {
  if (read(path) === query) return;
  try {
    if (query) sessionStorage.setItem(PREFIX + path, query);
    else sessionStorage.removeItem(PREFIX + path);
  } catch {
    // A browser that keeps nothing comes back to the whole list.
  }
  for (const hear of listeners) hear();
}

/** Forgets every list's view: for the next person at this browser. */
export function forgetViews(): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
    }
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

function listen(hear: () => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

/** The way back to a list as it was left in this tab. */
function useKeptHref(path: string): string {
  const query = useSyncExternalStore(
    listen,
    () => read(path),
    () => "",
  );
  return query ? `${path}?${query}` : path;
}

/** A link to a list as it was left; from the list itself it leads to the whole list. */
export function KeptLink({ href, ...props }: Omit<ComponentProps<typeof Link>, "href"> & { href: string }) {
  const kept = useKeptHref(href);
  return <Link href={usePathname() === href ? href : kept} {...props} />;
}

"use client";

import { useEffect } from "react";
import { z } from "zod";
import type { ShownState } from "./types";

const SCOPE = "/customer/loyalty-card";
const nameOf = (customerId: string) => `cardState:${customerId}`;

const stateSchema = z.object({
  balance: z.number(),
  endsNext: z.object({ points: z.number(), day: z.string() }).nullish(),
  cashValue: z.string(),
  status: z.enum(["active", "blocked", "frozen"]),
  at: z.string(),
});

/** Keeps the last known balance in this browser, for when there is no connection. */
export function keepState(
  customerId: string,
  { balance, endsNext, cashValue, status, at }: ShownState,
): void {
  try {
    localStorage.setItem(nameOf(customerId), JSON.stringify({ balance, endsNext, cashValue, status, at }));
  } catch {
    // A browser that keeps nothing shows the page's own state.
  }
}

/** The last known balance, when it is newer than what the page says. */
export function newerState(customerId: string, than: ShownState): Omit<ShownState, "qr"> | null {
  try {
    const kept = stateSchema.safeParse(JSON.parse(localStorage.getItem(nameOf(customerId)) ?? "null"));
    return kept.success && kept.data.at > than.at ? kept.data : null;
  } catch {
    return null;
  }
}

/**
 * Has the worker keep the open page and what it is made of. A page that was there before the worker, or that was come
 * to from the sign-up, was not loaded through it, and would be missing the first time that there is no connection.
 */
function keepPage({ installing, waiting, active }: ServiceWorkerRegistration): void {
  if (navigator.serviceWorker.controller) return;
  const { origin, pathname } = window.location;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const pictures = [...document.images].map(({ src }) => src);
  const parts = new Set([
    ...loaded.filter((url) => url.startsWith(`${origin}/_next/static/`)),
    ...pictures.filter((url) => url.startsWith(`${origin}/`)),
  ]);
  (installing ?? waiting ?? active)?.postMessage({ page: origin + pathname, parts: [...parts] });
}

/** Lets the card's pages open without a connection. */
export function useOffline(): void {
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
    // Without it the card works as long as there is a connection.
    navigator.serviceWorker
      .register("/card-sw.js", { scope: SCOPE })
      .then(keepPage)
      .catch(() => undefined);
  }, []);
}

/** Takes a deleted card out of this browser. */
export async function forgetCard(customerId: string): Promise<void> {
  localStorage.removeItem(nameOf(customerId));
  if (!("caches" in window)) return;
  for (const name of await caches.keys()) if (name.startsWith("card-")) await caches.delete(name);
}

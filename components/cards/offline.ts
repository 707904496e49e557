"use client";

import { useEffect } from "react";
import { readStored } from "@/components/accounts/session/stored-session";
import type { StatementLine } from "@/lib/cards/model/card";
import { CARD_SCOPE, WORKER_SCRIPT, type WorkerMessage } from "@/lib/tills/model/offline-counter";
import { clearCustomerInfo } from "./stored-data";
import type { CardViewState } from "./types";

const storageKey = (customerId: string) => `cardState:${customerId}`;

type Stored = Omit<CardViewState, "qr">;

/** Answers whether a stored value is a card's state. An older version or another program may have written it. */
function isStored(value: unknown): value is Stored {
  const { balance, cashValue, status, at } = (value ?? {}) as Record<keyof Stored, unknown>;
  return (
    typeof balance === "number" &&
    typeof cashValue === "string" &&
    typeof at === "string" &&
    (status === "active" || status === "blocked" || status === "frozen")
  );
}

function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage the page shows what it was rendered with.
  }
}

/** Keeps the last known balance. */
export function cacheCardState(
  customerId: string,
  { balance, endsNext, cashValue, held, holds, status, at }: CardViewState,
): void {
  keep(storageKey(customerId), { balance, endsNext, cashValue, held, holds, status, at });
}

/** The cached state if it is newer than `current`, else null. */
export function newerCachedState(customerId: string, current: CardViewState): Stored | null {
  const cached = readStored<unknown>("localStorage", storageKey(customerId));
  return isStored(cached) && cached.at > current.at ? cached : null;
}

const statementKey = (customerId: string) => `cardStatement:${customerId}`;

/** Keeps the newest lines of the statement; null forgets them. */
export function keepStatement(customerId: string, lines: readonly StatementLine[] | null): void {
  keep(statementKey(customerId), lines);
}

/** The lines that were kept, newest first; null without any. */
export function keptStatement(customerId: string): StatementLine[] | null {
  const kept = readStored<StatementLine[]>("localStorage", statementKey(customerId));
  if (!Array.isArray(kept)) return null;
  return kept.map((line) => ({ ...line, createdAt: new Date(line.createdAt) }));
}

/** Caches a page that did not load through the service worker: open before it, or reached by a Link. */
function cachePage({ installing, waiting, active }: ServiceWorkerRegistration): void {
  if (navigator.serviceWorker.controller) return;
  const { origin, pathname } = window.location;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const pictures = [...document.images].map(({ src }) => src);
  const parts = new Set([
    ...loaded.filter((url) => url.startsWith(`${origin}/_next/static/`)),
    ...pictures.filter((url) => url.startsWith(`${origin}/`)),
  ]);
  const message: WorkerMessage = { page: origin + pathname, parts: [...parts] };
  (installing ?? waiting ?? active)?.postMessage(message);
}

/** Registers the service worker that opens the card's pages without a connection. */
export function useOfflineCard(): void {
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
    // If registration fails, the card still works with a connection.
    navigator.serviceWorker
      .register(WORKER_SCRIPT, { scope: CARD_SCOPE })
      .then(cachePage)
      .catch(() => undefined);
  }, []);
}

/** Removes what this browser keeps of a deleted card, and of no other. It never throws. */
export async function clearCachedCard(customerId: string): Promise<void> {
  clearCustomerInfo(customerId);
  keepStatement(customerId, null);
  keep(storageKey(customerId), null);
  try {
    if (!("caches" in window)) return;
    for (const name of await caches.keys()) {
      if (!name.startsWith("card-")) continue;
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        if (request.url.toLowerCase().includes(customerId)) await cache.delete(request, { ignoreVary: true });
      }
    }
  } catch {
    // A browser that refuses storage keeps nothing of a card.
  }
}

import { createContext } from "react";
import { readStored } from "@/components/accounts/session/stored-session";
import type { ViewOf } from "@/lib/api/client";
import { merchantName } from "@/lib/domain/localized-names";
import type { Locale } from "@/lib/domain/roles";
import type { tillCalls } from "@/lib/tills/names";

export const toOwnTill = ({ workers, ...till }: ViewOf<typeof tillCalls.ownTill>) => ({
  ...till,
  workers: workers.map(({ firstName, lastName, ...face }) => ({ ...face, name: `${firstName} ${lastName}` })),
});

/** The data that a till shows before anybody has signed in, and the settings of its counter. */
export type OwnTill = ReturnType<typeof toOwnTill>;

/** The shop of a till, in this language. An answer that an earlier version kept has no note. */
export function shopOf({ merchant, logoUrl = null, note }: OwnTill, locale: Locale) {
  return { name: merchantName(merchant, locale), logoUrl, note };
}

/** Local storage: the last answer, to be there before the server answers. A new one is an event of the window. */
export const TILL_KNOWN = "till.known";

export const knownTill = (): OwnTill | null => readStored<OwnTill>("localStorage", TILL_KNOWN);

/** The cashier who signed in on this till by PIN: the session's public handle, the employee's id and name. */
export type Cashier = { handle: string; id: string; name: string };

/** Local storage. The server decides what a session may do; this only says whose name and sheet is shown. */
const CASHIER = "till.cashier";

/** The cashier of this till's browser, or null while it asks who is there. */
export function readCashier(): Cashier | null {
  const { handle, id, name } = readStored<Partial<Cashier>>("localStorage", CASHIER) ?? {};
  return handle && id && name ? { handle, id, name } : null;
}

export function writeCashier(cashier: Cashier | null): void {
  if (cashier === null) localStorage.removeItem(CASHIER);
  else localStorage.setItem(CASHIER, JSON.stringify(cashier));
}

/** Calls back when another tab changes the cashier. Answers a function that unsubscribes. */
export function followCashier(changed: (cashier: Cashier | null) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === CASHIER || key === null) changed(readCashier());
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

/** Runs what begins or ends the till's session one after the other in all tabs: a late end removes nobody who came since. */
export function oneSession<T>(change: () => Promise<T>): Promise<T> {
  return navigator.locks.request("till-session", change);
}

type TillSession = { cashier: Cashier; till: OwnTill; onSignedOut: () => void };

/** The PIN session that this page is in, or null where a password opened the session. */
export const TillContext = createContext<TillSession | null>(null);

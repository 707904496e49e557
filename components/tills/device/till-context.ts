"use client";

import { createContext, useContext } from "react";
import type { OwnTill } from "../sign-in/own-till";
import type { Cashier } from "./cashier";

/** A PIN session as its pages see it: who serves, at which till, and what to do when the session is over. */
export type TillSession = { cashier: Cashier; till: OwnTill; onSignedOut: () => void };

export const TillContext = createContext<TillSession | null>(null);

/** The PIN session that this page is in, or null where a password opened the session. */
export function useTillSession(): TillSession | null {
  return useContext(TillContext);
}

"use client";

import { useLocale } from "next-intl";
import { Fragment, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { SignedOutContext } from "@/components/accounts/session/session";
import { clearTab, TOKEN_KEY } from "@/components/accounts/session/stored-session";
import { Shell } from "@/components/panel/shell";
import { Skeleton } from "@/components/ui/skeleton";
import type { MenuEntry } from "@/lib/domain/panels";
import type { Role } from "@/lib/domain/roles";
import {
  type Cashier,
  followCashier,
  oneSession,
  readCashier,
  shopOf,
  TillContext,
} from "../device/own-till";
import { forget, TillBar, useTillLock } from "./till-bar";

const ROLE: Role = "branch_worker";

/** The frame of a PIN session's pages, which come without data, and start again for another cashier. */
export function TillFrame({ menu, children }: { menu: readonly MenuEntry[]; children: ReactNode }) {
  const locale = useLocale();
  const [cashier, setCashier] = useState<Cashier | null>(null);
  const { state, refresh, locked, setLocked, screen, change } = useTillLock(cashier?.handle ?? null);
  const served = useRef<Cashier | null>(null);
  const serve = useCallback(
    (next: Cashier) => {
      // Removes the data of the previous cashier from this tab. Attempts that were sent and not answered remain.
      if (served.current !== null && served.current.id !== next.id) clearTab();
      served.current = next;
      localStorage.setItem(TOKEN_KEY, next.handle);
      setCashier(next);
      setLocked(false);
    },
    [setLocked],
  );
  useEffect(() => {
    const follow = (next: Cashier | null) => (next ? serve(next) : setLocked(true));
    follow(readCashier());
    return followCashier(follow);
  }, [serve, setLocked]);
  const till = state.kind === "ready" ? state.till : null;
  const session = useMemo(() => {
    const onSignedOut = () => {
      // This is a late answer to a request of the previous cashier. Ignore it.
      if (served.current !== cashier) return;
      setLocked(true);
      // Unless another cashier has signed in by then, whose data it would be.
      void oneSession(async () => {
        if (readCashier()?.handle === cashier?.handle) await forget();
      });
      void refresh();
    };
    return cashier && till && { cashier, till, onSignedOut };
  }, [cashier, till, refresh, setLocked]);
  const asks = locked || (state.kind !== "ready" && state.kind !== "loading");
  return (
    <>
      <Shell
        role={ROLE}
        shop={till ? shopOf(till, locale) : undefined}
        userName={cashier?.name ?? ""}
        theme="blue"
        till
        menu={menu}
      >
        {session && <TillBar name={session.cashier.name} till={session.till} onChange={change} />}
        {session ? (
          <TillContext value={session}>
            <SignedOutContext value={session.onSignedOut}>
              <Fragment key={session.cashier.id}>{children}</Fragment>
            </SignedOutContext>
          </TillContext>
        ) : (
          <Skeleton className="h-64 rounded-xl" />
        )}
      </Shell>
      {asks && screen && <screen.LockScreen state={state} refresh={refresh} onSignedIn={serve} />}
    </>
  );
}

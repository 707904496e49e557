"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useLoaded } from "@/components/ui/use-loaded";
import { whenQuiet } from "@/components/ui/when-quiet";
import { findUnansweredAttempt } from "./attempt";
import { CustomerSearch, SEARCH_ID } from "./customer-search";
import { RecentList } from "./recent-list";
import { SCANNER_ID, ScanButton } from "./scan-button";
import type { CounterMode, CounterSetting } from "./types";
import { readLiveCode, useOpenCustomer } from "./use-open-customer";
import { clearRecentCache, useRecent } from "./use-recent";
import { clearSearchCache } from "./use-search";

const loadDialog = () => import("./money-dialog");
const loadScanner = () => import("./scanner");

/**
 * A panel's Top-up or Redeem page: scan or search, then the sheet, with the latest movements beside it. An unanswered
 * attempt reopens first.
 */
export function Counter({
  mode,
  setting,
  customerId,
}: {
  mode: CounterMode;
  setting: CounterSetting;
  /** A customer to open immediately, from a link. */
  customerId: string | null;
}) {
  const [camera, setCamera] = useState(false);
  // The list shows the kind that was posted last; the sheet can do both.
  const [listed, setListed] = useState(mode);
  const recent = useRecent(setting.api, listed);
  const { open, opening, openId, openCode, resume, close } = useOpenCustomer(mode, setting);
  const waits = useInitialCustomer(setting.api.user, customerId, openId, resume);
  const { part: scanner, want: wantScanner, failed: noScanner } = useLoaded(loadScanner);
  useEffect(() => {
    if (camera) wantScanner();
  }, [camera, wantScanner]);
  useEffect(() => {
    if (noScanner) setCamera(false);
  }, [noScanner]);
  useCameraAutoStart(setCamera);
  useInitialFocus(waits);
  const { part: dialog, want } = useLoaded(loadDialog);
  // Loaded soon, because the connection may be gone when a customer is there; tried again after a failure.
  useEffect(() => whenQuiet(want), [want]);
  useEffect(() => {
    if (open && !dialog) want();
  }, [open, dialog, want]);
  // A new search for each customer: otherwise the old hits with their old balances would stay after Done.
  const [served, setServed] = useState(0);
  const early = useEarlyAmount(opening !== null || (open !== null && !dialog));
  const refresh = () => {
    clearSearchCache();
    recent.refresh();
  };
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-start" onKeyDownCapture={early.onKeyDown}>
      <div className="grid min-w-0 grid-cols-1 gap-4 landscape-phone:grid-cols-2 landscape-phone:items-start">
        {camera && scanner ? (
          <scanner.Scanner active={!open} busy={opening !== null} onActive={setCamera} onText={openCode} />
        ) : (
          <ScanButton
            mode={mode}
            busy={camera || opening !== null}
            onStart={() => setCamera(true)}
            onText={openCode}
          />
        )}
        <CustomerSearch
          key={served}
          api={setting.api}
          opening={opening}
          onChoose={(customer) => openId(customer.publicId)}
          onCode={openCode}
          onSignedOut={setting.onSignedOut}
        />
      </div>
      <RecentList mode={listed} onMode={setListed} recent={recent} setting={setting} onChanged={refresh} />
      {open && dialog && (
        <dialog.MoneyDialog
          key={open.customer.publicId}
          mode={open.mode ?? mode}
          setting={setting}
          customer={open.customer}
          liveCode={open.liveCode ?? readLiveCode(open.customer)}
          found={open.found}
          startAmount={early.amount.current}
          onPosted={(_, posted) => {
            clearSearchCache();
            if (posted === listed) recent.refresh();
            else clearRecentCache();
            setListed(posted);
          }}
          onClosed={() => document.getElementById(camera ? SCANNER_ID : SEARCH_ID)?.focus()}
          onClose={(posted) => {
            early.amount.current = "";
            if (posted) setServed((count) => count + 1);
            close();
          }}
        />
      )}
    </div>
  );
}

/** Digits that a quick cashier types while the customer is still being opened: the sheet begins with them. */
function useEarlyAmount(waiting: boolean) {
  const amount = useRef("");
  const onKeyDown = (event: KeyboardEvent) => {
    if (!waiting || !/^[0-9\u0660-\u0669\u06f0-\u06f9]$/.test(event.key) || event.ctrlKey || event.metaKey)
      return;
    event.preventDefault();
    amount.current += event.key;
  };
  return { amount, onKeyDown };
}

/**
 * On the first render, opens the customer of an interrupted attempt, or else the customer from the link. Answers whether
 * there is one.
 */
function useInitialCustomer(
  user: string,
  customerId: string | null,
  openId: (id: string) => void,
  resume: ReturnType<typeof useOpenCustomer>["resume"],
) {
  const waits = useRef(false);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const interrupted = findUnansweredAttempt(user);
    waits.current = interrupted !== null || customerId !== null;
    if (interrupted) resume(interrupted.customer, interrupted.mode);
    else if (customerId) openId(customerId);
  }, [user, customerId, openId, resume]);
  return waits;
}

/** On devices with a keyboard the search gets the focus; on a phone the on-screen keyboard would cover the scanner. */
function useInitialFocus(customerWaits: { readonly current: boolean }) {
  useEffect(() => {
    const idle = document.activeElement === null || document.activeElement === document.body;
    if (customerWaits.current || !idle || !matchMedia("(pointer: fine)").matches) return;
    document.getElementById(SEARCH_ID)?.focus({ preventScroll: true });
  }, [customerWaits]);
}

/** Starts the camera automatically if it was allowed before, which saves a touch for each customer. */
function useCameraAutoStart(start: (on: boolean) => void) {
  useEffect(() => {
    let mounted = true;
    const startIfAllowed = async () => {
      const permission = await navigator.permissions.query({ name: "camera" });
      if (mounted && permission.state === "granted") start(true);
    };
    // In browsers without this query the camera starts by its button.
    startIfAllowed().catch(() => {});
    return () => {
      mounted = false;
    };
  }, [start]);
}

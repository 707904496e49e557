"use client";

import { CircleCheckIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useLoaded } from "@/components/ui/use-loaded";
import { findUnansweredAttempt } from "./attempt";
import { CustomerSearch, SEARCH_ID } from "./customer-search";
import { RecentList, useRecent } from "./recent-list";
import { Scanner } from "./scanner";
import type { CounterMode, CounterSetting } from "./types";
import { readLiveCode, useOpenCustomer } from "./use-open-customer";
import { clearSearchCache } from "./use-search";

const loadDialog = () => import("./money-dialog");

/**
 * A panel's Top-up or Redeem page: scan or search, then the dialog, with the latest movements beside it. An unanswered
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
  const recent = useRecent(setting.api, mode);
  const { open, opening, openId, openCode, resume, close } = useOpenCustomer(mode, setting);
  useInitialCustomer(setting.api.user, mode, customerId, openId, resume);
  useCameraAutoStart(setCamera);
  const { part: dialog, want } = useLoaded(loadDialog);
  // With the page, since the connection may be gone when a customer stands there; and again where that failed.
  useEffect(want, [want]);
  useEffect(() => {
    if (open && !dialog) want();
  }, [open, dialog, want]);
  // A new search for each customer: after Done the old one, with its balance of before, would stay.
  const [served, setServed] = useState(0);
  const t = useTranslations("counter");
  const refresh = () => {
    clearSearchCache();
    recent.refresh();
  };
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-start">
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <Scanner active={camera && !open} busy={opening !== null} onActive={setCamera} onText={openCode} />
        <CustomerSearch
          key={served}
          api={setting.api}
          opening={opening}
          onChoose={(customer) => openId(customer.id)}
          onCode={openCode}
          onSignedOut={setting.onSignedOut}
        />
      </div>
      <RecentList mode={mode} recent={recent} setting={setting} onUndone={refresh} onRetry={recent.refresh} />
      {open && dialog && (
        <dialog.MoneyDialog
          key={open.customer.id}
          mode={mode}
          setting={setting}
          customer={open.customer}
          liveCode={open.liveCode ?? readLiveCode(open.customer)}
          notice={open.found && <FoundNotice text={t("found")} />}
          onPosted={refresh}
          onClosed={camera ? undefined : () => document.getElementById(SEARCH_ID)?.focus()}
          onClose={(posted) => {
            if (posted) setServed((count) => count + 1);
            close();
          }}
        />
      )}
    </div>
  );
}

/** In the dialog, since a notification would cover the customer's name. */
function FoundNotice({ text }: { text: string }) {
  return (
    <p role="status" className="-mt-2 flex items-center gap-1.5 text-sm text-success-strong">
      <CircleCheckIcon className="size-4" aria-hidden />
      {text}
    </p>
  );
}

/** On the first render, opens the customer of an interrupted attempt, or else the customer from the link. */
function useInitialCustomer(
  user: string,
  mode: CounterMode,
  customerId: string | null,
  openId: (id: string) => void,
  resume: ReturnType<typeof useOpenCustomer>["resume"],
) {
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const interrupted = findUnansweredAttempt(user, mode);
    if (interrupted) resume(interrupted.customer);
    else if (customerId) openId(customerId);
  }, [user, mode, customerId, openId, resume]);
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

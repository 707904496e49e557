"use client";

import { useEffect, useRef, useState } from "react";
import { unansweredAttempt } from "./attempt";
import { CustomerSearch } from "./customer-search";
import { MoneyDialog } from "./money-dialog";
import { RecentList, useRecent } from "./recent-list";
import { Scanner } from "./scanner";
import type { CounterMode, CounterSetting } from "./types";
import { takeLiveCode, useOpenCustomer } from "./use-open-customer";
import { forgetSearches } from "./use-search";

/**
 * A panel's Top-up or Redeem page: scan or search, then the dialog; the latest movements beside it. An attempt that
 * was never answered opens again first.
 */
export function Counter({
  mode,
  setting,
  customerId,
}: {
  mode: CounterMode;
  setting: CounterSetting;
  /** A customer to open at once: from a link. */
  customerId: string | null;
}) {
  const [camera, setCamera] = useState(false);
  const recent = useRecent(setting.api, mode);
  const { open, opening, openId, openCode, resume, close } = useOpenCustomer(mode, setting);
  useFirstOpening(setting.api.user, mode, customerId, openId, resume);
  useAllowedCamera(setCamera);
  const moved = () => {
    forgetSearches();
    recent.refresh();
  };
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
      <div className="grid gap-5">
        <Scanner active={camera && !open} busy={opening !== null} onActive={setCamera} onText={openCode} />
        <CustomerSearch
          api={setting.api}
          opening={opening}
          onChoose={(customer) => openId(customer.id)}
          onCode={openCode}
          onSignedOut={setting.onSignedOut}
        />
      </div>
      <RecentList mode={mode} recent={recent} setting={setting} onUndone={moved} onAgain={recent.refresh} />
      {open && (
        <MoneyDialog
          key={open.customer.id}
          mode={mode}
          setting={setting}
          customer={open.customer}
          liveCode={open.liveCode ?? takeLiveCode(open.customer)}
          onPosted={moved}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Once: what a reload interrupted, else the customer a link names. */
function useFirstOpening(
  user: string,
  mode: CounterMode,
  customerId: string | null,
  openId: (id: string) => void,
  resume: ReturnType<typeof useOpenCustomer>["resume"],
) {
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const interrupted = unansweredAttempt(user, mode);
    if (interrupted) resume(interrupted.customer);
    else if (customerId) openId(customerId);
  }, [user, mode, customerId, openId, resume]);
}

/** A camera that was allowed before starts by itself: one touch less for every customer in the queue. */
function useAllowedCamera(start: (on: boolean) => void) {
  useEffect(() => {
    let here = true;
    const ask = async () => {
      const permission = await navigator.permissions.query({ name: "camera" });
      if (here && permission.state === "granted") start(true);
    };
    // Some browsers do not tell: there the camera waits for its button.
    ask().catch(() => {});
    return () => {
      here = false;
    };
  }, [start]);
}

"use client";

import { useMemo } from "react";
import { Counter } from "@/components/counter/counter";
import type { CounterMode, CounterSetting } from "@/components/counter/types";
import { useOfflineCounter } from "@/components/tills/offline/use-offline-counter";

/** The counter; on a till it goes on without a connection, and says so. */
export function ReadyCounter({
  mode,
  setting,
  customerId,
}: {
  mode: CounterMode;
  setting: CounterSetting;
  customerId: string | null;
}) {
  const { api, banner, recentNote } = useOfflineCounter(mode, setting);
  const ready = useMemo(() => ({ ...setting, api, transport: api, recentNote }), [setting, api, recentNote]);
  return (
    <>
      {banner}
      <Counter key={mode} mode={mode} setting={ready} customerId={customerId} />
    </>
  );
}

"use client";

import { useMemo } from "react";
import { Counter } from "@/components/counter/counter";
import type { CounterMode, CounterSetting } from "@/components/counter/types";
import { useOfflineCounter } from "@/components/tills/offline/use-offline-counter";
import type { NoteGround } from "@/lib/cards/model/card-colours";

/** The counter; on a till it goes on without a connection, and says so. */
export function ReadyCounter({
  mode,
  setting,
  note,
  customerId,
}: {
  mode: CounterMode;
  setting: CounterSetting;
  note: NoteGround | undefined;
  customerId: string | null;
}) {
  const { api, banner, recentNote } = useOfflineCounter(mode, setting);
  const ready = useMemo(
    () => ({ ...setting, api, transport: api, recentNote, note }),
    [setting, api, recentNote, note],
  );
  return (
    <>
      {banner}
      <Counter key={mode} mode={mode} setting={ready} customerId={customerId} />
    </>
  );
}

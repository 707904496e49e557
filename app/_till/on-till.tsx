"use client";

import { useState } from "react";
import { TillBar } from "@/components/till-door/till-bar";
import { useTillLock } from "./use-till-lock";

/** The cashier of a till who signed in with a password, with the way to change. */
export function OnTill({ name, handle }: { name: string; handle: string }) {
  const [locked, setLocked] = useState(false);
  const { state, refresh, screen, change } = useTillLock(handle, setLocked);
  if (state.kind !== "ready") return null;
  return (
    <>
      <TillBar name={name} till={state.till.name} onChange={change} />
      {locked && screen && (
        // The page has the data of whoever signed in with a password: the next cashier gets a page of their own.
        <screen.LockScreen state={state} refresh={refresh} onSignedIn={() => window.location.reload()} />
      )}
    </>
  );
}

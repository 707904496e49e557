"use client";

import { clearTab, keepTyped } from "@/components/accounts/session/stored-session";
import { TillBar, useTillLock } from "./till-bar";

/** The cashier of a till who signed in with a password, with the way to change. */
export function OnTill({ name, handle, userId }: { name: string; handle: string; userId: string }) {
  const { state, refresh, locked, screen, change } = useTillLock(handle);
  return (
    <>
      {state.kind === "ready" && <TillBar name={name} till={state.till} onChange={change} />}
      {locked && screen && (
        <screen.LockScreen
          state={state}
          refresh={refresh}
          onSignedIn={({ id }) => {
            if (id === userId) keepTyped();
            else clearTab();
            // This page has the data of the user who signed in with a password. A PIN session needs another page.
            window.location.reload();
          }}
        />
      )}
    </>
  );
}

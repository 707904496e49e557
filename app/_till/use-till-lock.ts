"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef } from "react";
import { postSignOut } from "@/components/session/stored-session";
import { writeCashier } from "@/components/till-device/cashier";
import type { Device } from "@/components/till-device/device";
import { useIdle } from "@/components/till-device/use-idle";
import { useNotify } from "@/components/ui/notify";
import { useLoaded } from "@/components/ui/use-loaded";
import { TILL_DOOR } from "@/lib/domain/paths";
import { oneSession } from "./one-session";
import { endSession } from "./till-api";
import { type TillState, useOwnTill } from "./use-own-till";

// A server that answers and takes nothing keeps no till open for longer.
const SEND_MS = 2 * 60_000;
const loadScreen = () => import("./lock-screen");

/** Whether nothing waits on this till any more that its cashier could send. */
async function sent(device: Device, handle: string): Promise<boolean> {
  try {
    const { countWaiting } = await import("@/components/till-store/count-waiting");
    return (await countWaiting()) === 0 || (await (await import("./send-first")).sendFirst(device, handle));
  } catch {
    // Without its store the browser has kept nothing; without the code that sends, the next cashier's page sends it.
    return true;
  }
}

/** Removes what the till kept of its cashier. The customers that it met are the next cashier's too. */
async function forget(): Promise<void> {
  try {
    await (await import("@/components/till-store/forget")).forgetCashier();
  } catch {
    // The session is over all the same, and whoever comes next replaces what was kept.
  }
}

/**
 * Ends the session of a till and asks who is there: by the button (`change`), and after the idle minutes of the merchant.
 * What waits is sent first, by the session that kept it. Without a connection the till stays open: nobody could sign in.
 * `setLocked` shows or hides the screen, which is loaded with the page.
 */
export function useTillLock(handle: string | null, setLocked: (locked: boolean) => void) {
  const t = useTranslations("atTill");
  const notify = useNotify();
  const own = useOwnTill();
  const { state, refresh } = own;
  const { part: screen, want } = useLoaded(loadScreen);
  useEffect(want, [want]);
  const ending = useRef<Promise<boolean> | null>(null);
  /** The session that was ended here, so that it is not ended again while nobody is there. */
  const over = useRef<string | null>(null);
  /** Since when what waits could not be sent; 0: it could. */
  const unsentSince = useRef(0);
  const end = useCallback(
    async (from: TillState): Promise<boolean> => {
      if (handle === null || from.kind !== "ready") return false;
      if (handle === over.current) return true;
      // Who asks meanwhile gets the same answer. Whatever fails, the till still locks the next time.
      ending.current ??= oneSession(async () => {
        const begun = Date.now();
        unsentSince.current = (await sent(from.device, handle)) ? 0 : unsentSince.current || begun;
        const mayEnd = unsentSince.current === 0 || begun - unsentSince.current > SEND_MS;
        const answer = mayEnd ? await endSession(from.device, { handle }) : "lost";
        // Without a server there was none to send to: it is sent first when there is one again.
        if (mayEnd && answer === "lost") unsentSince.current = 0;
        if (answer === "lost") return false;
        over.current = handle;
        writeCashier(null);
        // The cookie alone ends a session whose till is none any more.
        if (answer === "refused") postSignOut(TILL_DOOR, handle);
        else await forget();
        return true;
      }).finally(() => {
        ending.current = null;
      });
      return ending.current;
    },
    [handle],
  );
  const change = useCallback(async () => {
    setLocked(true);
    if (await end(state)) return refresh();
    setLocked(false);
    notify.error(t("changeLost"));
  }, [end, state, refresh, setLocked, notify, t]);
  const idle = useCallback(async () => {
    const asksAlready = ending.current !== null || (handle !== null && handle === over.current);
    if (asksAlready || !navigator.onLine || !(await end(state))) return;
    setLocked(true);
    await refresh();
  }, [handle, end, state, refresh, setLocked]);
  const minutes = handle !== null && state.kind === "ready" ? state.till.idleLockMinutes : 0;
  useIdle(minutes, idle);
  return { ...own, screen, change };
}

"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef } from "react";
import { writeCashier } from "@/components/till-device/cashier";
import { useIdle } from "@/components/till-device/use-idle";
import { useNotify } from "@/components/ui/notify";
import { useLoaded } from "@/components/ui/use-loaded";
import { endSession } from "./till-api";
import { type TillState, useOwnTill } from "./use-own-till";

const loadScreen = () => import("./lock-screen");

/**
 * Ends the session of a till and asks who is there: by the button (`change`), and after the idle minutes of the merchant.
 * Without a connection the till stays open: nobody could sign in. `setLocked` shows or hides the screen, which is loaded
 * with the page.
 */
export function useTillLock(handle: string | null, setLocked: (locked: boolean) => void) {
  const t = useTranslations("atTill");
  const notify = useNotify();
  const own = useOwnTill();
  const { state, refresh } = own;
  const { part: screen, want } = useLoaded(loadScreen);
  useEffect(want, [want]);
  const busy = useRef(false);
  const end = useCallback(
    async (from: TillState): Promise<boolean> => {
      if (handle === null || from.kind !== "ready" || busy.current) return false;
      busy.current = true;
      const over = await endSession(from.device, { handle });
      busy.current = false;
      if (over) {
        writeCashier(null);
        // The customers that this till met are the next cashier's too.
        await (await import("@/components/till-store/forget")).forgetCashier();
      }
      return over;
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
    if (!navigator.onLine || !(await end(state))) return;
    setLocked(true);
    await refresh();
  }, [end, state, refresh, setLocked]);
  const minutes = handle !== null && state.kind === "ready" ? state.till.idleLockMinutes : 0;
  useIdle(minutes, idle);
  return { ...own, screen, change };
}

"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef } from "react";
import { postSignOut } from "@/components/accounts/session/stored-session";
import { useNotify } from "@/components/ui/notify";
import { useLoaded } from "@/components/ui/use-loaded";
import { TILL_DOOR } from "@/lib/domain/paths";
import { lastTouched, oneSession, touchTill, writeCashier } from "../device/cashier";
import type { Device } from "../device/device";
import { type TillState, useOwnTill } from "../device/use-own-till";
import { endSession } from "./till-api";

const CHECK_MS = 5_000;
const NOTE_MS = 2_000;

/** Whether so many milliseconds have passed since a moment. A moment to come is of a clock that was set back since. */
function hasPassed(moment: number, milliseconds: number): boolean {
  const since = Date.now() - moment;
  return since >= milliseconds || since < 0;
}

/** Calls `onIdle` when nobody touched the till in any tab for so many minutes (0: never), then every few seconds. */
function useIdle(minutes: number, onIdle: () => void): void {
  useEffect(() => {
    if (minutes === 0) return;
    let noted = 0;
    const touched = () => {
      if (!hasPassed(noted, NOTE_MS)) return;
      noted = Date.now();
      touchTill();
    };
    touched();
    const check = () => {
      if (hasPassed(lastTouched(), minutes * 60_000)) onIdle();
    };
    const events = ["pointerdown", "keydown", "wheel", "touchmove"] as const;
    const following = new AbortController();
    const { signal } = following;
    for (const event of events)
      window.addEventListener(event, touched, { passive: true, capture: true, signal });
    // A device that wakes up is asked first.
    document.addEventListener("visibilitychange", check, { signal });
    const timer = setInterval(check, CHECK_MS);
    return () => {
      following.abort();
      clearInterval(timer);
    };
  }, [minutes, onIdle]);
}

// If the server answers but does not take the waiting top-ups, the till stays open for at most this time.
const SEND_MS = 2 * 60_000;
const loadScreen = () => import("./lock-screen");

/** Answers whether no top-up that the cashier could send waits on this till. */
async function sent(device: Device, handle: string): Promise<boolean> {
  try {
    const { countWaiting } = await import("../offline/store");
    return (
      (await countWaiting()) === 0 ||
      (await (await import("../offline/till-calls")).sendFirst(device, handle))
    );
  } catch {
    // If the store is missing, the browser has kept nothing. If the sending code did not load, the page of
    // the next cashier sends the top-ups.
    return true;
  }
}

/** Removes the cashier's data from the till. The stored customers remain, for the next cashier. */
export async function forget(): Promise<void> {
  try {
    await (await import("../offline/store")).forgetCashier();
  } catch {
    // The session is over anyway, and the next cashier replaces the kept data.
  }
}

/**
 * Ends the session of a till and asks who is there: by the button (`change`), and after the idle minutes of
 * the merchant. The session first sends the top-ups that it kept. Without a connection the till stays open,
 * because nobody could sign in. `setLocked` shows or hides the lock screen, which is loaded with the page.
 */
export function useTillLock(handle: string | null, setLocked: (locked: boolean) => void) {
  const t = useTranslations("atTill");
  const notify = useNotify();
  const own = useOwnTill();
  const { state, refresh } = own;
  const { part: screen, want } = useLoaded(loadScreen);
  useEffect(want, [want]);
  const ending = useRef<Promise<boolean> | null>(null);
  /** The session that this till has ended. It must not be ended again while nobody is there. */
  const over = useRef<string | null>(null);
  /** The time since which waiting top-ups could not be sent, in milliseconds. 0: the last send worked. */
  const unsentSince = useRef(0);
  const end = useCallback(
    async (from: TillState): Promise<boolean> => {
      if (handle === null || from.kind !== "ready") return false;
      if (handle === over.current) return true;
      // A second call meanwhile gets the same answer. After any failure, the next call can still lock the
      // till.
      ending.current ??= oneSession(async () => {
        const begun = Date.now();
        unsentSince.current = (await sent(from.device, handle)) ? 0 : unsentSince.current || begun;
        const mayEnd = unsentSince.current === 0 || begun - unsentSince.current > SEND_MS;
        const answer = mayEnd ? await endSession(from.device, { handle }) : "lost";
        // The server was not reachable, so sending could not work. Try to send first again once it is back.
        if (mayEnd && answer === "lost") unsentSince.current = 0;
        if (answer === "lost") return false;
        over.current = handle;
        writeCashier(null);
        // If the server no longer knows the till, only the cookie can end the session.
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

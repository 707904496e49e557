"use client";

import { useEffect } from "react";
import { lastTouched, touchTill } from "./cashier";

const CHECK_MS = 5_000;
const NOTE_MS = 2_000;

/** Whether so many milliseconds have passed since a moment. A moment to come is of a clock that was set back since. */
function hasPassed(moment: number, milliseconds: number): boolean {
  const since = Date.now() - moment;
  return since >= milliseconds || since < 0;
}

/** Calls `onIdle` when nobody touched the till in any tab for so many minutes (0: never), then every few seconds. */
export function useIdle(minutes: number, onIdle: () => void): void {
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
    for (const event of events) window.addEventListener(event, touched, { passive: true, capture: true });
    // A device that wakes up is asked first.
    document.addEventListener("visibilitychange", check);
    const timer = setInterval(check, CHECK_MS);
    return () => {
      for (const event of events) window.removeEventListener(event, touched, { capture: true });
      document.removeEventListener("visibilitychange", check);
      clearInterval(timer);
    };
  }, [minutes, onIdle]);
}

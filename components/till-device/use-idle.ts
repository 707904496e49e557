"use client";

import { useEffect } from "react";
import { lastTouched, touchTill } from "./cashier";

const CHECK_MS = 5_000;
const NOTE_MS = 2_000;

/** Calls `onIdle` when nobody touched the till in any tab for so many minutes (0: never), then every few seconds. */
export function useIdle(minutes: number, onIdle: () => void): void {
  useEffect(() => {
    if (minutes === 0) return;
    let noted = 0;
    const touched = () => {
      if (Date.now() - noted < NOTE_MS) return;
      noted = Date.now();
      touchTill();
    };
    touched();
    const check = () => {
      if (Date.now() - lastTouched() >= minutes * 60_000) onIdle();
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

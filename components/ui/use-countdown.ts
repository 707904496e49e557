"use client";

import { useEffect, useReducer } from "react";

/** Whole seconds left until a moment (milliseconds since 1970), counted down to 0; null without a moment. */
export function useCountdown(endsAt: number | null): number | null {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  const left = endsAt === null ? null : Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
  const running = left !== null && left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [running]);
  return left;
}

/** Seconds as m:ss. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

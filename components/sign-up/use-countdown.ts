"use client";

import { useCallback, useEffect, useState } from "react";

/** Whole seconds left until a moment (milliseconds), counted down to 0; null while there is none. */
export function useCountdown(): { left: number | null; runUntil: (deadline: number) => void } {
  const [deadline, setDeadline] = useState<number | null>(null);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (deadline === null || now >= deadline) return;
    const timer = setTimeout(() => setNow(Date.now()), 250);
    return () => clearTimeout(timer);
  }, [deadline, now]);
  const runUntil = useCallback((moment: number) => {
    setNow(Date.now());
    setDeadline(moment);
  }, []);
  return { left: deadline === null ? null : Math.max(0, Math.ceil((deadline - now) / 1000)), runUntil };
}

/** Seconds as m:ss. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

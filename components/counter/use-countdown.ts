"use client";

import { useEffect, useState } from "react";

/** Whole seconds left until a moment of this page's own clock (performance.now), counted down to 0. */
export function useCountdown(endsAt: number | null): number {
  const left = () => (endsAt === null ? 0 : Math.max(0, Math.ceil((endsAt - performance.now()) / 1000)));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` reads nothing but endsAt
  useEffect(() => {
    setSeconds(left());
    if (endsAt === null) return;
    const timer = setInterval(() => setSeconds(left()), 500);
    return () => clearInterval(timer);
  }, [endsAt]);
  return seconds;
}

/** "14:05" */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

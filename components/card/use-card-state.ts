"use client";

import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import type { ShownState } from "./types";

const EVERY_MILLISECONDS = 4_000;
const SLOW_MILLISECONDS = 15_000;

const answerSchema = z.object({
  data: z.object({
    sBalance: z.number(),
    sCashValue: z.string(),
    eStatus: z.enum(["active", "blocked", "frozen"]),
    sLiveQRCode: z.string().nullable(),
    dAt: z.string(),
  }),
});

async function readState(
  customerId: string,
  signal: AbortSignal,
): Promise<Omit<ShownState, "qr"> & { qr: string | null }> {
  const response = await fetch(`/api/customer/${customerId}/balance`, { cache: "no-store", signal });
  if (!response.ok) throw new Error(String(response.status));
  const { data } = answerSchema.parse(await response.json());
  const { sBalance, sCashValue, eStatus, sLiveQRCode, dAt } = data;
  return { balance: sBalance, cashValue: sCashValue, status: eStatus, qr: sLiveQRCode, at: dAt };
}

/**
 * The card's state, asked again every four seconds while the page is visible and at once when it becomes so.
 * `stale` says that the last question was not answered: what is shown is of `state.at`.
 */
export function useCardState(
  customerId: string,
  first: ShownState,
  stopped = false,
): { state: ShownState; stale: boolean } {
  const [state, setState] = useState(first);
  const [stale, setStale] = useState(false);
  const printed = useRef(first.qr);
  useEffect(() => {
    if (stopped) return;
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function ask() {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      let pause = EVERY_MILLISECONDS;
      try {
        const next = await readState(customerId, control.signal);
        setState({ ...next, qr: next.qr ?? printed.current });
        setStale(false);
      } catch (error) {
        if (control.signal.aborted) return;
        setStale(true);
        // Too many questions from one address: ask less often.
        if (error instanceof Error && error.message === "429") pause = SLOW_MILLISECONDS;
      }
      clearTimeout(timer);
      timer = setTimeout(ask, pause);
    }
    const wake = () => void ask();
    void ask();
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    return () => {
      control.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("online", wake);
    };
  }, [customerId, stopped]);
  return { state, stale };
}

"use client";

import { useEffect, useState } from "react";
import { z } from "zod";
import { keepState, newerState } from "./offline";
import type { ShownState } from "./types";

const EVERY_MILLISECONDS = 4_000;
const SLOW_MILLISECONDS = 15_000;

const answerSchema = z.object({
  data: z.object({
    sBalance: z.number(),
    sCashValue: z.string(),
    oPockets: z.object({ iEndsNext: z.number().optional(), dEndsNext: z.string().optional() }),
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
  const { sBalance, sCashValue, oPockets, eStatus, sLiveQRCode, dAt } = data;
  const { iEndsNext, dEndsNext } = oPockets;
  const endsNext = iEndsNext && dEndsNext ? { points: iEndsNext, day: dEndsNext } : null;
  return { balance: sBalance, endsNext, cashValue: sCashValue, status: eStatus, qr: sLiveQRCode, at: dAt };
}

/**
 * The card's state, asked again every four seconds while the page is visible and at once when it becomes so.
 * `stale` says that the last question was not answered: what is shown is the last that was known, of `state.at`, and
 * the printed QR, since a live code would be too old.
 */
export function useCardState(
  customerId: string,
  first: ShownState,
  printedQr: string,
): { state: ShownState; stale: boolean } {
  const [state, setState] = useState(first);
  const [stale, setStale] = useState(false);
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function ask() {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      let pause = EVERY_MILLISECONDS;
      try {
        const next = await readState(customerId, control.signal);
        const fresh = { ...next, qr: next.qr ?? printedQr };
        keepState(customerId, fresh);
        setState(fresh);
        setStale(false);
      } catch (error) {
        if (control.signal.aborted) return;
        setStale(true);
        setState((shown) => ({ ...shown, ...newerState(customerId, shown), qr: printedQr }));
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
  }, [customerId, printedQr]);
  return { state, stale };
}

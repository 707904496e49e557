"use client";

import { useEffect, useState } from "react";
import { z } from "zod";
import { cacheCardState, newerCachedState } from "./offline";
import type { CardViewState } from "./types";

const POLL_MILLISECONDS = 4_000;
const RATE_LIMITED_POLL_MILLISECONDS = 15_000;

const answerSchema = z.object({
  data: z.object({
    sBalance: z.number(),
    sCashValue: z.string(),
    oPockets: z.object({ iEndsNext: z.number().optional(), dEndsNext: z.string().optional() }),
    eStatus: z.enum(["active", "blocked", "frozen"]),
    bSuspended: z.boolean().default(false),
    sLiveQRCode: z.string().nullable(),
    oJustPaid: z.object({ sPoints: z.number(), dAt: z.string(), sFreezeUrl: z.string() }).nullish(),
    dAt: z.string(),
  }),
});

async function readState(
  customerId: string,
  signal: AbortSignal,
): Promise<Omit<CardViewState, "qr"> & { qr: string | null }> {
  const response = await fetch(`/api/customer/${customerId}/balance`, { cache: "no-store", signal });
  if (!response.ok) throw new Error(String(response.status));
  const { data } = answerSchema.parse(await response.json());
  const { sBalance, sCashValue, oPockets, eStatus, bSuspended, sLiveQRCode, oJustPaid, dAt } = data;
  const { iEndsNext, dEndsNext } = oPockets;
  const endsNext = iEndsNext && dEndsNext ? { points: iEndsNext, day: dEndsNext } : null;
  const justPaid = oJustPaid
    ? { points: oJustPaid.sPoints, at: oJustPaid.dAt, freezeUrl: oJustPaid.sFreezeUrl }
    : null;
  const money = { balance: sBalance, endsNext, cashValue: sCashValue, justPaid };
  return { ...money, status: eStatus, suspended: bSuspended, qr: sLiveQRCode, at: dAt };
}

/**
 * Polls the card's state every four seconds while the page is visible, and immediately when it becomes visible or online.
 * `stale` means that the last request failed: the state is then the last known one, of `state.at`, with the printed QR,
 * since a live code would have expired.
 */
export function useCardState(
  customerId: string,
  initialState: CardViewState,
  printedQr: string,
): { state: CardViewState; stale: boolean } {
  const [state, setState] = useState(initialState);
  const [stale, setStale] = useState(false);
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll() {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      let pause = POLL_MILLISECONDS;
      try {
        const next = await readState(customerId, control.signal);
        const fresh = { ...next, qr: next.qr ?? printedQr };
        cacheCardState(customerId, { ...fresh, justPaid: null });
        setState(fresh);
        setStale(false);
      } catch (error) {
        if (control.signal.aborted) return;
        setStale(true);
        setState((shown) => ({ ...shown, ...newerCachedState(customerId, shown), qr: printedQr }));
        // This address is rate-limited, so poll less often.
        if (error instanceof Error && error.message === "429") pause = RATE_LIMITED_POLL_MILLISECONDS;
      }
      clearTimeout(timer);
      timer = setTimeout(poll, pause);
    }
    const pollNow = () => void poll();
    void poll();
    document.addEventListener("visibilitychange", pollNow);
    window.addEventListener("online", pollNow);
    return () => {
      control.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", pollNow);
      window.removeEventListener("online", pollNow);
    };
  }, [customerId, printedQr]);
  return { state, stale };
}

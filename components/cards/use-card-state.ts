"use client";

import { useEffect, useRef, useState } from "react";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { cacheCardState, newerCachedState } from "./offline";
import type { CardViewState } from "./types";

const POLL_MILLISECONDS = 4_000;
const RATE_LIMITED_POLL_MILLISECONDS = 15_000;
/**
 * After this time a stalled request counts as a lost connection, because a live code lives only 30 seconds.
 */
const TIMEOUT_MILLISECONDS = 8_000;

/** The answer of GET /api/customer/{id}/balance. */
type Answer = {
  data: {
    sBalance: number;
    iHeld?: number;
    aHolds?: { iPoints: number; sBranchName: string; sBranchNameAr?: string | null; dExpiresAt: string }[];
    sCashValue: string;
    oPockets: { iEndsNext?: number; dEndsNext?: string };
    eStatus: CardViewState["status"];
    bSuspended?: boolean;
    sLiveQRCode: string | null;
    oJustPaid?: { sPoints: number; dAt: string; sFreezeUrl: string } | null;
    dAt: string;
  };
};

/** The card was deleted. */
class CardGone extends Error {}

/** Answers the code of a refusal. Null if the answer is not from this API, such as a proxy's page. */
async function errorCodeOf(response: Response): Promise<string | null> {
  const answer = (await response.json().catch(() => null)) as { code?: string } | null;
  return answer?.code ?? null;
}

async function readState(
  customerId: string,
  signal: AbortSignal,
): Promise<Omit<CardViewState, "qr"> & { qr: string | null }> {
  const response = await fetch(`/api/customer/${customerId}/balance`, {
    cache: "no-store",
    headers: TUNNEL_HEADER,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]),
  });
  if (response.status === 404 && (await errorCodeOf(response)) === "customer_not_found") throw new CardGone();
  if (!response.ok) throw new Error(String(response.status));
  const { data } = (await response.json()) as Answer;
  // The answer may be the page of a proxy or a captive portal.
  if (typeof data?.sBalance !== "number") throw new Error("no state");
  const { sBalance, sCashValue, oPockets, eStatus, bSuspended = false, sLiveQRCode, oJustPaid, dAt } = data;
  const holds = (data.aHolds ?? []).map(({ iPoints, sBranchName, sBranchNameAr, dExpiresAt: until }) => ({
    points: iPoints,
    branch: { name: sBranchName, nameAr: sBranchNameAr ?? null },
    until,
  }));
  const { iEndsNext, dEndsNext } = oPockets;
  const endsNext = iEndsNext && dEndsNext ? { points: iEndsNext, day: dEndsNext } : null;
  const justPaid = oJustPaid
    ? { points: oJustPaid.sPoints, at: oJustPaid.dAt, freezeUrl: oJustPaid.sFreezeUrl }
    : null;
  const money = {
    balance: sBalance,
    endsNext,
    cashValue: sCashValue,
    held: data.iHeld ?? 0,
    holds,
    justPaid,
  };
  return { ...money, status: eStatus, suspended: bSuspended, qr: sLiveQRCode, at: dAt };
}

/**
 * Polls the card's state every four seconds while the page is visible, and immediately when it becomes visible or online.
 * `stale` means that the last request failed: the state is then the last known one, of `state.at`, with the printed QR,
 * since a live code would have expired. `onGone` is called when the card is found to be deleted.
 */
export function useCardState(
  customerId: string,
  initialState: CardViewState,
  printedQr: string,
  onGone: () => void,
): { state: CardViewState; stale: boolean } {
  const [state, setState] = useState(initialState);
  const [stale, setStale] = useState(false);
  const gone = useRef(onGone);
  gone.current = onGone;
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
        if (error instanceof CardGone) gone.current();
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

"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useNotify } from "@/components/ui/notify";
import type { CounterSetting, RecentMovement } from "./types";

export type FoundSale = ReturnType<typeof useFoundSale>;

/** The redemptions of a bill number; `again` asks once more, after a refund. */
export function useFoundSale({ api, onSignedOut }: CounterSetting) {
  const t = useTranslations("counter.recent");
  const notify = useNotify();
  const [saleRef, setSaleRef] = useState("");
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<RecentMovement[] | null>(null);
  const asked = useRef("");
  const find = async (term: string) => {
    asked.current = term;
    setBusy(true);
    const answer = await api.findRedemptions(term);
    // A newer search has started, or the search was cleared.
    if (asked.current !== term) return;
    setBusy(false);
    if (answer.kind === "signedOut") return onSignedOut(answer.ended);
    if (answer.kind !== "ok") return notify.error(answer.kind === "lost" ? t("failed") : answer.message);
    setFound(answer.data);
  };
  return {
    saleRef,
    setSaleRef,
    busy,
    found,
    find: () => {
      if (saleRef.trim()) void find(saleRef.trim());
    },
    again: () => {
      if (found !== null) void find(asked.current);
    },
    clear: () => {
      asked.current = "";
      setSaleRef("");
      setBusy(false);
      setFound(null);
    },
  };
}

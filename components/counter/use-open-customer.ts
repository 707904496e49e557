"use client";

import { useTranslations } from "next-intl";
import { useCallback, useRef, useState } from "react";
import { useNotify } from "@/components/ui/notify";
import { parseCardCode } from "@/lib/domain/card";
import type { CounterCustomer, CounterMode, CounterSetting } from "./types";

export type OpenCustomer = { customer: CounterCustomer; liveCode: string | null };

/** From an id, a search result or a scanned code to the customer whose dialog is open. */
export function useOpenCustomer(mode: CounterMode, setting: CounterSetting) {
  const t = useTranslations("counter");
  const notify = useNotify();
  const [open, setOpen] = useState<OpenCustomer | null>(null);
  const [opening, setOpening] = useState<string | null>(null);
  const busy = useRef(false);

  const fetchCustomer = useCallback(
    async (id: string, liveCode: string | null, scanned: boolean) => {
      if (busy.current) return;
      busy.current = true;
      setOpening(id);
      const answer = await setting.api.view(id);
      busy.current = false;
      setOpening(null);
      if (answer.kind === "signedOut") return setting.onSignedOut(answer.ended);
      if (answer.kind === "lost") return notify.error(t("fetchFailed"));
      if (answer.kind === "refused") {
        const missing = answer.code.endsWith("not_found");
        return notify.error(missing && scanned ? t("notFoundWithCode") : answer.message);
      }
      if (scanned) notify.success(t("found"));
      setOpen({ customer: answer.data, liveCode });
    },
    [setting, notify, t],
  );

  const openCode = useCallback(
    (text: string) => {
      const code = parseCardCode(text);
      if (!code) return notify.error(t("noCustomerId"));
      if (code.source) notify.neutral(t(`${code.source}Detected.${mode}`));
      void fetchCustomer(code.id, code.liveCode, true);
    },
    [fetchCustomer, mode, notify, t],
  );

  return {
    open,
    opening,
    openId: useCallback((id: string) => void fetchCustomer(id, null, false), [fetchCustomer]),
    openCode,
    resume: useCallback((customer: CounterCustomer) => setOpen({ customer, liveCode: null }), []),
    close: useCallback(() => setOpen(null), []),
  };
}

const NAME = "counter.liveCode";
// A live code is accepted within 60 seconds.
const LASTS = 60_000;

type Kept = { id: string; code: string; at: number };

/** Keeps the live code that came with a `/topup` link, for the redeem that may follow. */
export function keepLiveCode(id: string, code: string): void {
  try {
    const kept: Kept = { id, code, at: Date.now() };
    sessionStorage.setItem(NAME, JSON.stringify(kept));
  } catch {}
}

/** The live code that was kept for this customer, while it can still be accepted; else null. */
export function takeLiveCode(customer: Pick<CounterCustomer, "id" | "publicId">): string | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? "null") as Kept | null;
    if (!kept || Date.now() - kept.at > LASTS) return null;
    return kept.id === customer.id || kept.id === customer.publicId ? kept.code : null;
  } catch {
    return null;
  }
}

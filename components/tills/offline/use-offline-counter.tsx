"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { CounterApi, CounterMode, CounterSetting } from "@/components/counter/types";
import { readMark } from "../device/mark";
import type { OpenTill } from "./open-till";

/**
 * The counter's calls on this device, and a banner above it: on a paired till they go on without a connection. Everywhere
 * else they are those that were passed in, and nothing is loaded.
 */
export function useOfflineCounter(
  mode: CounterMode,
  { api: base, merchants }: Pick<CounterSetting, "api" | "merchants">,
): { api: CounterApi; banner: ReactNode; recentNote: CounterSetting["recentNote"] } {
  const t = useTranslations("offlineCounter");
  const locale = useLocale();
  const [till, setTill] = useState<OpenTill | null>(null);
  const handle = base.session;
  // A user who serves all merchants keeps nothing here, because a till may not send top-ups of other
  // merchants.
  const ofMerchant = merchants === null;
  useEffect(() => {
    if (readMark() === null || !ofMerchant) return;
    let left = false;
    let close = () => {};
    const start = async () => {
      const { openTill } = await import("./open-till");
      const opened = await openTill(handle);
      if (!opened) return;
      close = opened.close;
      if (left) close();
      else setTill(opened);
    };
    // If they cannot be loaded, the till works like any browser.
    start().catch(() => undefined);
    return () => {
      left = true;
      close();
    };
  }, [handle, ofMerchant]);
  const api = useMemo(() => till?.api(base, t, locale) ?? base, [till, base, t, locale]);
  const banner = till && <till.Banner line={till.line} mode={mode} />;
  return { api, banner, recentNote: till?.recentNote };
}

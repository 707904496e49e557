"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { LIVE_CODE_KEY, readStored } from "@/components/accounts/session/stored-session";
import { useNotify } from "@/components/ui/notify";
import { parseCardCode } from "@/lib/cards/model/card";
import type { Answer, CounterCustomer, CounterMode, CounterSetting } from "./types";

/** `found`: by a scanned code, which the sheet says. `mode`: that of an attempt to continue. */
type OpenCustomer = {
  customer: CounterCustomer;
  liveCode: string | null;
  found: boolean;
  mode?: CounterMode;
};

export type Served = ReturnType<typeof useOpenCustomer>;

/** Fetches a customer by id or scanned code, and holds the one whose dialog is open. */
export function useOpenCustomer(mode: CounterMode, setting: CounterSetting) {
  const t = useTranslations("counter");
  const notify = useNotify();
  const [open, setOpen] = useState<OpenCustomer | null>(null);
  const [opening, setOpening] = useState<string | null>(null);
  const busy = useRef(false);

  const fetchCustomer = async (id: string, liveCode: string | null, scanned: boolean) => {
    if (busy.current) return;
    busy.current = true;
    setOpening(id);
    const answer = await setting.api.view(id).catch((): Answer<CounterCustomer> => ({ kind: "lost" }));
    busy.current = false;
    setOpening(null);
    if (answer.kind === "signedOut") return setting.onSignedOut(answer.ended);
    if (answer.kind === "lost") return notify.error(t("fetchFailed"));
    if (answer.kind === "refused") {
      const missing = answer.code.endsWith("not_found");
      return notify.error(missing && scanned ? t("notFoundWithCode") : answer.message);
    }
    // A photo may be read so slowly that another customer is served by then.
    setOpen((now) => now ?? { customer: answer.data, liveCode, found: scanned });
  };

  return {
    open,
    opening,
    openId: (id: string) => void fetchCustomer(id, null, false),
    openCode: (text: string) => {
      const code = parseCardCode(text);
      if (!code) return notify.error(t("noCustomerId"));
      if (code.source) notify.neutral(t(`${code.source}Detected.${mode}`));
      void fetchCustomer(code.id, code.liveCode, true);
    },
    resume: (customer: CounterCustomer, attempted: CounterMode) =>
      setOpen({ customer, liveCode: null, found: false, mode: attempted }),
    close: () => setOpen(null),
  };
}

const LIVE_CODE_MS = 60_000;

/** Stores the live code of a `/topup` link for a redemption that may follow. */
export function saveLiveCode(id: string, code: string): void {
  try {
    sessionStorage.setItem(LIVE_CODE_KEY, JSON.stringify({ id, code, at: Date.now() }));
  } catch {}
}

/** The stored live code of this customer while it is valid, else null. */
export function readLiveCode(customer: Pick<CounterCustomer, "publicId">): string | null {
  const stored = readStored<{ id: string; code: string; at: number }>("sessionStorage", LIVE_CODE_KEY);
  if (!stored || Date.now() - stored.at > LIVE_CODE_MS) return null;
  return stored.id === customer.publicId ? stored.code : null;
}

"use client";

import { SearchIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import type { CounterSetting, RecentMovement } from "./types";

/** Finds the redemptions of a bill number, with the form that asks for it; `again` asks once more, after a refund. */
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
  const clear = () => {
    asked.current = "";
    setSaleRef("");
    setBusy(false);
    setFound(null);
  };
  const form = (
    <form
      noValidate
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (saleRef.trim()) void find(saleRef.trim());
      }}
    >
      <Input
        size="xl"
        aria-label={t("findSale")}
        placeholder={t("findSale")}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={64}
        value={saleRef}
        onChange={(event) => setSaleRef(event.target.value)}
      />
      {found !== null && (
        <Button variant="outline" size="icon-xl" aria-label={t("showLatest")} onClick={clear}>
          <XIcon aria-hidden />
        </Button>
      )}
      <Button type="submit" variant="outline" size="icon-xl" aria-label={t("find")} disabled={busy}>
        {busy ? <Spinner /> : <SearchIcon aria-hidden />}
      </Button>
    </form>
  );
  const again = () => {
    if (found !== null) void find(asked.current);
  };
  return { found, form, again };
}

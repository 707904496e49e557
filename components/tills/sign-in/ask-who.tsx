"use client";

import { KeyRoundIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { TILL_DOOR } from "@/lib/domain/paths";
import type { Cashier } from "../device/own-till";
import type { TillState } from "../device/use-own-till";
import { Notice, toPassword, WhoIsThere } from "./who-is-there";

/** The title above AskWho: its question, or the reason why it cannot ask. */
export function AskTitle({ state: { kind } }: { state: TillState }) {
  const t = useTranslations("atTill");
  if (kind === "retired") return t("retiredTitle");
  return kind === "none" ? t("noneTitle") : t("title");
}

export type AskProps = {
  state: TillState;
  refresh: () => Promise<void>;
  onSignedIn: (cashier: Cashier) => void;
};

/** The faces of this till's employees. If this browser is not a till any more, it says what to do. */
export function AskWho({
  state,
  refresh,
  onSignedIn,
  onPairAgain = () => window.location.assign(TILL_DOOR),
}: AskProps & { onPairAgain?: () => void }) {
  const t = useTranslations("atTill");
  const { kind } = state;
  if (kind === "loading")
    return (
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {["first", "second", "third"].map((key) => (
          <Skeleton key={key} className="h-32 rounded-xl" />
        ))}
      </div>
    );
  if (kind === "ready") return <WhoIsThere {...state} refresh={refresh} onSignedIn={onSignedIn} />;
  const lost = kind === "lost";
  const over = kind === "retired" ? "retiredText" : "noneText";
  return (
    <div className="flex flex-col gap-4">
      <Notice>
        <p>{t(lost ? "lost" : over)}</p>
        {!lost && <StillSaved />}
      </Notice>
      {lost && (
        <Button size="lg" onClick={() => void refresh()}>
          {t("again")}
        </Button>
      )}
      <Button size="lg" variant={lost ? "outline" : "default"} onClick={toPassword}>
        {t("password")}
      </Button>
      {!lost && (
        <Button size="lg" variant="outline" onClick={onPairAgain}>
          {t("pairAgain")}
        </Button>
      )}
    </div>
  );
}

/** Says that this former till still keeps unsent top-ups, and how they get to the owner. */
function StillSaved() {
  const t = useTranslations("atTill");
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    const read = async () => setSaved((await (await import("../offline/store")).countWaiting()) > 0);
    // Without its store the browser has kept nothing.
    read().catch(() => undefined);
  }, []);
  return saved && <p className="mt-2 font-medium">{t("stillSaved")}</p>;
}

/** Shown to a PIN session instead of a page that needs a password. */
export function NeedsPassword() {
  const t = useTranslations("atTill");
  return (
    <EmptyState
      icon={KeyRoundIcon}
      title={t("needsPassword")}
      description={t("needsPasswordText")}
      action={
        <Button size="lg" onClick={toPassword}>
          {t("password")}
        </Button>
      }
    />
  );
}

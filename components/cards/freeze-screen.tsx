"use client";

import { BanIcon, ShieldAlertIcon, SnowflakeIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { CustomerNotice } from "@/components/layout/customer-frame";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import type { ActionResult } from "@/lib/domain/errors";

/** The page behind "This was not me": one button freezes the card. */
export function FreezeScreen({
  token,
  businessName,
  status,
  used,
  after,
  action,
}: {
  token: string;
  businessName: string;
  status: "active" | "blocked" | "frozen";
  /** Whether this link has frozen the card before. */
  used: boolean;
  /** The link that is shown after the freeze, or when nothing can be frozen. */
  after: ReactNode;
  action: (input: { token: string }) => Promise<ActionResult<unknown>>;
}) {
  const t = useTranslations("freeze");
  const errors = useTranslations("errors");
  const notify = useNotify();
  const [frozen, setFrozen] = useState(status === "frozen");
  const [busy, setBusy] = useState(false);
  async function freeze() {
    setBusy(true);
    try {
      const result = await action({ token });
      if (result.ok) setFrozen(true);
      else notify.error(result.message);
    } catch {
      notify.error(errors("unavailable"));
    } finally {
      setBusy(false);
    }
  }
  if (used && status === "active") {
    return (
      <CustomerNotice icon={ShieldAlertIcon} title={t("usedTitle")} action={after}>
        {t("usedText", { merchant: businessName })}
      </CustomerNotice>
    );
  }
  if (frozen) {
    return (
      <CustomerNotice
        icon={SnowflakeIcon}
        title={t(status === "frozen" ? "alreadyTitle" : "doneTitle")}
        action={after}
        live
      >
        {t("doneText", { merchant: businessName })}
      </CustomerNotice>
    );
  }
  if (status === "blocked") {
    return (
      <CustomerNotice icon={BanIcon} title={t("blockedTitle")} action={after}>
        {t("blockedText", { merchant: businessName })}
      </CustomerNotice>
    );
  }
  return (
    <CustomerNotice
      icon={ShieldAlertIcon}
      title={t("title")}
      live
      action={
        <Button variant="destructive" size="xl" disabled={busy} onClick={freeze}>
          {busy && <Spinner aria-hidden />}
          {t("freeze")}
        </Button>
      }
    >
      {t("text", { merchant: businessName })}
    </CustomerNotice>
  );
}

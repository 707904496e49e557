"use client";

import { WalletCardsIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { openCardAction } from "@/app/customer/actions";
import { CustomerNotice } from "@/components/layout/customer-frame";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";

/** The page behind a mailed card link: one button opens the card on this device, since opening a link changes nothing. */
export function OpenCard({ token, merchant }: { token: string; merchant: string }) {
  const t = useTranslations("cardLinks.open");
  const errors = useTranslations("errors");
  const notify = useNotify();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  async function open() {
    setBusy(true);
    const result = await openCardAction({ token }).catch(() => null);
    if (result?.ok) return router.replace(`/customer/loyalty-card/${result.data.customerId}`);
    setBusy(false);
    notify.error(result?.message ?? errors("unavailable"));
  }
  return (
    <CustomerNotice
      icon={WalletCardsIcon}
      title={t("title", { merchant })}
      action={
        <Button size="xl" disabled={busy} onClick={open}>
          {busy && <Spinner aria-hidden />}
          {t("button")}
        </Button>
      }
    >
      {t("text")}
    </CustomerNotice>
  );
}

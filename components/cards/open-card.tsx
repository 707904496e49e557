"use client";

import { WalletCardsIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { openCardAction } from "@/app/customer/actions";
import { useAction } from "@/components/accounts/session/use-action";
import { CustomerNotice } from "@/components/layout/customer-frame";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

/** The page behind a mailed card link: one button opens the card on this device, since opening a link changes nothing. */
export function OpenCard({ token, merchant }: { token: string; merchant: string }) {
  const t = useTranslations("cardLinks.open");
  const router = useRouter();
  const { pending, run } = useAction();
  const open = () =>
    run(
      () => openCardAction({ token }),
      ({ customerId }) => router.replace(`/customer/loyalty-card/${customerId}`),
    );
  return (
    <CustomerNotice
      icon={WalletCardsIcon}
      title={t("title", { merchant })}
      action={
        <Button size="xl" disabled={pending} onClick={open}>
          {pending && <Spinner aria-hidden />}
          {t("button")}
        </Button>
      }
    >
      {t("text")}
    </CustomerNotice>
  );
}

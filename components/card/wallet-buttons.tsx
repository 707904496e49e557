"use client";

import { WalletIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { isAppleSafari } from "@/lib/domain/card";

export type WalletOffer = {
  apple: boolean;
  /** Whether the pass is signed by a development certificate, which an iPhone refuses. */
  appleDevelopment: boolean;
  google: boolean;
};

/** Buttons that add the card to the available wallets. */
export function WalletButtons({ customerId, offer }: { customerId: string; offer: WalletOffer }) {
  const t = useTranslations("wallet");
  const notify = useNotify();
  if (!offer.apple && !offer.google) return null;

  function addToApple() {
    if (!isAppleSafari(navigator.userAgent)) return notify.error(t("safariOnly"));
    window.location.assign(`/api/customer/${customerId}/apple-wallet-pass`);
  }

  return (
    <>
      {offer.apple && (
        <Button
          size="xl"
          className="bg-black text-white hover:bg-black/85 dark:border dark:border-border"
          onClick={addToApple}
        >
          <WalletIcon aria-hidden />
          {t("apple")}
        </Button>
      )}
      {offer.google && (
        <Button asChild size="xl" variant="outline">
          <a href={`/api/customer/${customerId}/google-wallet-link`} rel="noopener">
            <WalletIcon aria-hidden />
            {t("google")}
          </a>
        </Button>
      )}
      {offer.apple && offer.appleDevelopment && (
        <p className="basis-full text-center text-muted-foreground text-xs">{t("development")}</p>
      )}
    </>
  );
}

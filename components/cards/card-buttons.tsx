"use client";

import { Share2Icon, WalletIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { writeToClipboard } from "@/components/ui/clipboard";
import { useNotify } from "@/components/ui/notify";
import { isAppleSafari } from "@/lib/cards/model/card";
import { DownloadButton } from "./download-button";
import { FreezeOwn } from "./freeze-own";
import type { CardActions, CardView, CardViewState, WalletOffer } from "./types";

/** The buttons below a card: its wallets in one row; Share, Download and, for its holder, Freeze in another. */
export function CardButtons({
  card,
  status,
  wallets,
  actions,
}: {
  card: CardView;
  status: CardViewState["status"];
  wallets: WalletOffer;
  actions: CardActions;
}) {
  return (
    <div className="grid gap-2">
      <WalletButtons customerId={card.id} offer={wallets} />
      <div className="tiles">
        <ShareButton merchant={card.merchant} />
        <DownloadButton customerId={card.id} />
        {card.isHolder && status === "active" && <FreezeOwn card={card} actions={actions} />}
      </div>
    </div>
  );
}

/** Buttons that add the card to the available wallets. */
function WalletButtons({ customerId, offer }: { customerId: string; offer: WalletOffer }) {
  const t = useTranslations("wallet");
  const notify = useNotify();
  if (!offer.apple && !offer.google) return null;

  function addToApple() {
    if (!isAppleSafari(navigator.userAgent)) return notify.error(t("safariOnly"));
    window.location.assign(`/api/customer/${customerId}/apple-wallet-pass`);
  }

  return (
    <>
      <div className="wallets">
        {offer.apple && (
          <button type="button" className="wallet" onClick={addToApple}>
            <WalletIcon aria-hidden />
            {t("apple")}
          </button>
        )}
        {offer.google && (
          <a className="wallet" href={`/api/customer/${customerId}/google-wallet-link`} rel="noopener">
            <WalletIcon aria-hidden />
            {t("google")}
          </a>
        )}
      </div>
      {offer.apple && offer.appleDevelopment && (
        <p className="text-center text-muted-foreground text-xs">{t("development")}</p>
      )}
    </>
  );
}

/** Shares the merchant's sign-up link, never the card's own, because anyone with the card's link can open the card. */
function ShareButton({ merchant }: { merchant: CardView["merchant"] }) {
  const t = useTranslations("card.share");
  const errors = useTranslations("errors");
  const notify = useNotify();
  async function share() {
    const url = new URL(`/customer/signup/${merchant.publicId}`, window.location.origin).href;
    try {
      if (typeof navigator.share === "function") {
        await navigator.share({
          title: merchant.businessName,
          text: t("text", { merchant: merchant.businessName }),
          url,
        });
      } else {
        await writeToClipboard(url);
        notify.success(t("copied"));
      }
    } catch (error) {
      // The sheet was closed.
      if (!(error instanceof DOMException && error.name === "AbortError")) notify.error(errors("internal"));
    }
  }
  return (
    <Button variant="outline" className="tile" onClick={share}>
      <Share2Icon aria-hidden />
      {t("button")}
    </Button>
  );
}

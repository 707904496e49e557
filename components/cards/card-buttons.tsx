"use client";

import { DownloadIcon, Share2Icon, SnowflakeIcon, WalletIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { freezeOwnCardAction } from "@/app/customer/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { writeToClipboard } from "@/components/data/copy-button";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { isAppleSafari } from "@/lib/cards/model/card";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import type { CardView, CardViewState, WalletOffer } from "./types";

const DELAY_MILLISECONDS = 1_000;

function fileNameOf(response: Response): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return encoded ? decodeURIComponent(encoded) : "loyalty-card.pdf";
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function DownloadButton({ customerId, disabled }: { customerId: string; disabled: boolean }) {
  const t = useTranslations("card");
  const locale = useLocale();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const focused = useRef(false);
  useEffect(() => {
    // A hidden button loses the focus.
    if (!busy && focused.current && document.activeElement === document.body) button.current?.focus();
  }, [busy]);
  async function download() {
    focused.current = document.activeElement === button.current;
    setBusy(true);
    await new Promise((resolve) => setTimeout(resolve, DELAY_MILLISECONDS));
    try {
      const response = await fetch(`/api/customer/${customerId}/loyalty-card.pdf?lang=${locale}`, {
        headers: TUNNEL_HEADER,
      });
      if (response.status === 404) return notify.error(t("downloadNothing"));
      if (!response.ok) throw new Error(String(response.status));
      saveFile(await response.blob(), fileNameOf(response));
      notify.success(t("downloaded"));
    } catch {
      notify.error(t("downloadFailed"));
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="relative">
      <Button
        ref={button}
        variant="outline"
        disabled={disabled}
        className={`tile ${busy ? "invisible" : ""}`}
        onClick={download}
      >
        <DownloadIcon aria-hidden />
        {t("download")}
      </Button>
      {busy && (
        <p role="status" className="tile absolute inset-0 text-muted-foreground">
          <Spinner aria-hidden />
          {t("downloading")}
        </p>
      )}
    </div>
  );
}

/** The buttons below a card. Without a connection (`stale`) those that need one are gone or disabled. */
export function CardButtons({
  card,
  status,
  stale,
  wallets,
}: {
  card: CardView;
  status: CardViewState["status"];
  stale: boolean;
  wallets: WalletOffer;
}) {
  const t = useTranslations("card.freeze");
  return (
    <div className="grid gap-2">
      {!stale && status === "active" && <WalletButtons customerId={card.id} offer={wallets} />}
      <div className="tiles">
        <ShareButton merchant={card.merchant} />
        <DownloadButton customerId={card.id} disabled={stale} />
        {card.isHolder && status === "active" && !stale && (
          <ConfirmButton
            className="tile"
            icon={SnowflakeIcon}
            label={t("button")}
            confirmLabel={t("confirm")}
            title={t("title")}
            description={t("text", { merchant: card.merchant.businessName })}
            run={() => freezeOwnCardAction({ customerId: card.id })}
          />
        )}
      </div>
    </div>
  );
}

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
